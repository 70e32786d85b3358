package svc.storage.s3.signature;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import svc.platform.json.ForeignJson;
import svc.storage.s3.xml.S3Error;

/**
 * What the signer of a form allows: until when, and which values its fields may have. Every field of the form must be allowed
 * by a condition.
 */
public record PostPolicy(JsonNode document) {
    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final Set<String> FREE = Set.of("policy", "x-amz-signature", "file");
    private static final String IGNORED = "x-ignore-";
    private static final int MAX_CONDITIONS = 100;

    /** How many bytes the file may have. */
    public record Length(long least, long most) {}

    /** @param base64 of a JSON document */
    public static PostPolicy of(String base64) {
        try {
            String text = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
            JsonNode document = JSON.readTree(text);
            if (document.path("expiration").isTextual()
                    && document.path("conditions").isArray()
                    && document.path("conditions").size() <= MAX_CONDITIONS) {
                return new PostPolicy(document);
            }
        } catch (IllegalArgumentException | JsonProcessingException e) {
            // Refused as one without a field is.
        }
        throw S3Error.invalidRequest("The policy must be base64 of a JSON document with expiration and conditions.");
    }

    /**
     * Checks a form.
     *
     * @param fields by lower-case name, the bucket and the final key among them
     * @throws S3Error naming the condition that does not hold, or the field that none allows
     */
    public void require(Map<String, String> fields, Instant now) {
        if (!now.isBefore(expiration())) {
            throw S3Error.policyRefuses("Policy expired.");
        }
        Set<String> allowed = new HashSet<>();
        for (JsonNode condition : document.path("conditions")) {
            if (condition.isObject()) {
                condition
                        .properties()
                        .forEach(pair -> require(
                                "eq", pair.getKey().toLowerCase(Locale.ROOT), pair.getValue(), fields, allowed));
            } else if (!isLength(condition)) {
                String field = condition.path(1).asText("");
                if (condition.size() != 3 || !field.startsWith("$")) {
                    throw S3Error.invalidRequest("A condition of the policy cannot be read.");
                }
                require(
                        condition.path(0).asText("").toLowerCase(Locale.ROOT),
                        field.substring(1).toLowerCase(Locale.ROOT),
                        condition.path(2),
                        fields,
                        allowed);
            }
        }
        for (String field : fields.keySet()) {
            if (!FREE.contains(field) && !field.startsWith(IGNORED) && !allowed.contains(field)) {
                throw S3Error.policyRefuses("Extra input fields: " + field);
            }
        }
    }

    private static void require(
            String operator, String field, JsonNode value, Map<String, String> fields, Set<String> allowed) {
        String given = fields.getOrDefault(field, "");
        boolean holds = value.isTextual()
                && switch (operator) {
                    case "eq" -> given.equals(value.textValue());
                    case "starts-with" -> given.startsWith(value.textValue());
                    default -> throw S3Error.invalidRequest("A condition of the policy cannot be read.");
                };
        if (!holds) {
            throw S3Error.policyRefuses(
                    "Policy Condition failed: [\"" + operator + "\", \"$" + field + "\", " + value + "]");
        }
        allowed.add(field);
    }

    private Instant expiration() {
        try {
            return OffsetDateTime.parse(document.path("expiration").textValue()).toInstant();
        } catch (DateTimeException e) {
            throw S3Error.invalidRequest("The expiration of the policy is no time.");
        }
    }

    private static boolean isLength(JsonNode condition) {
        return condition.path(0).asText("").equalsIgnoreCase("content-length-range");
    }

    /** Any number of bytes where no condition says it. */
    public Length length() {
        long least = 0;
        long most = Long.MAX_VALUE;
        for (JsonNode condition : document.path("conditions")) {
            if (condition.isArray() && isLength(condition)) {
                least = Math.max(least, condition.path(1).asLong(0));
                most = Math.min(most, condition.path(2).asLong(0));
            }
        }
        return new Length(least, most);
    }
}
