package svc.embedded.kubernetes.write;

import java.util.List;
import java.util.Locale;
import svc.embedded.kubernetes.failure.ApiFailure;

/** What is done about fields that a writer sent and the schema does not know, besides dropping them. */
public enum UnknownFields {
    IGNORE,
    WARN,
    STRICT;

    /** Reads the {@code fieldValidation} parameter; without it the writer is warned. */
    public static UnknownFields parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "ignore" -> IGNORE;
            case "", "warn" -> WARN;
            case "strict" -> STRICT;
            default -> throw ApiFailure.badRequest("unknown fieldValidation: " + text);
        };
    }

    /** The warnings about unknown fields.
     *
     * @param refusal what the message of the refusal begins with
     * @throws ApiFailure 400 when the writer asked to be refused */
    List<String> judge(List<String> paths, String refusal) {
        List<String> messages =
                paths.stream().map("unknown field \"%s\""::formatted).toList();
        if (this == STRICT && !messages.isEmpty()) {
            throw ApiFailure.badRequest(refusal + "strict decoding error: " + String.join(", ", messages));
        }
        return this == WARN ? messages : List.of();
    }
}
