package svc.embedded.kubernetes.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import svc.embedded.kubernetes.failure.ApiFailure;

/** Fields that a writer sent and the schema does not know: dropped, and told as {@code fieldValidation} asks. */
public final class UnknownFields {
    /** The {@code fieldValidation} parameter. */
    public enum Treatment {
        IGNORE,
        WARN,
        STRICT;

        /** Reads the parameter; without it the writer is warned. */
        public static Treatment parse(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "" -> WARN;
                case "ignore" -> IGNORE;
                case "warn" -> WARN;
                case "strict" -> STRICT;
                default -> throw ApiFailure.badRequest("unknown fieldValidation: " + text);
            };
        }
    }

    private UnknownFields() {}

    /** The warnings about what pruning took out.
     *
     * @throws ApiFailure 400 when the writer asked to be refused */
    static List<String> judge(JsonNode sent, JsonNode pruned, Treatment treatment) {
        if (treatment == Treatment.IGNORE || sent.equals(pruned)) {
            return List.of();
        }
        List<String> unknown = new ArrayList<>();
        collect("", sent, pruned, unknown);
        List<String> messages =
                unknown.stream().map("unknown field \"%s\""::formatted).toList();
        if (treatment == Treatment.STRICT && !messages.isEmpty()) {
            throw ApiFailure.badRequest(
                    "strict decoding error: " + messages.stream().collect(Collectors.joining(", ")));
        }
        return messages;
    }

    private static void collect(String path, JsonNode sent, JsonNode pruned, List<String> unknown) {
        if (sent.isObject() && pruned.isObject()) {
            sent.properties().forEach(e -> {
                String place = path.isEmpty() ? e.getKey() : path + "." + e.getKey();
                if (pruned.has(e.getKey())) {
                    collect(place, e.getValue(), pruned.get(e.getKey()), unknown);
                } else {
                    unknown.add(place);
                }
            });
        } else if (sent.isArray() && sent.size() == pruned.size()) {
            for (int i = 0; i < sent.size(); i++) {
                collect(path + "[" + i + "]", sent.get(i), pruned.get(i), unknown);
            }
        }
    }
}
