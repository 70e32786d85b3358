package svc.storage.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the fields of a JSON body; a missing or mistyped one is refused in the words of storage-api's validator. As that one
 * does, a number or a flag that is written as a text is taken: {@code supabase-py} sends {@code {"expiresIn": "60"}}.
 */
public record BodyFields(ObjectNode body) {
    private static final int MAX_DIGITS = 30;

    public static BodyFields of(StorageCall call) {
        if (!(call.body() instanceof ObjectNode object)) {
            throw StorageError.invalidRequest("body must be object");
        }
        return new BodyFields(object);
    }

    public boolean has(String name) {
        return body.has(name);
    }

    public String required(String name) {
        return text(name)
                .orElseThrow(() -> StorageError.invalidRequest("body must have required property '" + name + "'"));
    }

    public Optional<String> text(String name) {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw StorageError.invalidRequest("body/" + name + " must be string");
        }
        return Optional.of(value.textValue());
    }

    public Optional<Boolean> flag(String name) {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        return Optional.of(
                flag(value).orElseThrow(() -> StorageError.invalidRequest("body/" + name + " must be boolean")));
    }

    /** A flag, or the text of one; empty for everything else. */
    public static Optional<Boolean> flag(JsonNode value) {
        if (value.isBoolean()) {
            return Optional.of(value.booleanValue());
        }
        return switch (value.isTextual() ? value.textValue() : "") {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /** A whole number, or the text of one in decimal digits; empty for everything else. */
    public static Optional<BigInteger> whole(JsonNode value) {
        if (value.isIntegralNumber()) {
            return Optional.of(value.bigIntegerValue());
        }
        String text = value.isTextual() ? value.textValue().strip() : "";
        int digits = text.startsWith("-") ? 1 : 0;
        // Longer ones are out of any bounds, and reading them is more than linear work.
        boolean readable = text.length() > digits
                && text.length() <= MAX_DIGITS
                && text.chars().skip(digits).allMatch(c -> c >= '0' && c <= '9');
        return readable ? Optional.of(new BigInteger(text)) : Optional.empty();
    }

    /** A whole number within bounds; 400 outside of them. */
    public OptionalLong number(String name, long least, long most) {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return OptionalLong.empty();
        }
        BigInteger number =
                whole(value).orElseThrow(() -> StorageError.invalidRequest("body/" + name + " must be integer"));
        if (number.compareTo(BigInteger.valueOf(least)) < 0) {
            throw StorageError.invalidRequest("body/" + name + " must be >= " + least);
        }
        if (number.compareTo(BigInteger.valueOf(most)) > 0) {
            throw StorageError.invalidRequest("body/" + name + " must be <= " + most);
        }
        return OptionalLong.of(number.longValueExact());
    }

    /** An array of 1 to {@code most} texts. */
    public List<String> texts(String name, int most) {
        JsonNode value = body.path(name);
        if (value.isMissingNode()) {
            throw StorageError.invalidRequest("body must have required property '" + name + "'");
        }
        if (!value.isArray()) {
            throw StorageError.invalidRequest("body/" + name + " must be array");
        }
        if (value.isEmpty()) {
            throw StorageError.invalidRequest("body/" + name + " must NOT have fewer than 1 items");
        }
        if (value.size() > most) {
            throw StorageError.invalidRequest("body/" + name + " must NOT have more than " + most + " items");
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode one : value) {
            if (!one.isTextual()) {
                throw StorageError.invalidRequest("body/" + name + "/" + texts.size() + " must be string");
            }
            texts.add(one.textValue());
        }
        return texts;
    }
}
