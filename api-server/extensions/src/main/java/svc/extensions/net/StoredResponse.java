package svc.extensions.net;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What became of a request, as {@code net._http_response} shows it.
 *
 * @param headers a JSON object of texts
 * @param error empty for an answer, whatever its status
 */
record StoredResponse(
        Optional<Integer> status,
        Optional<String> contentType,
        Optional<String> headers,
        Optional<String> content,
        boolean timedOut,
        Optional<String> error) {
    static StoredResponse failed(String error, boolean timedOut) {
        return new StoredResponse(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), timedOut, Optional.of(error));
    }

    /** What counts of it against its project's limit. */
    int bytes() {
        return 100 + length(headers) + length(content) + length(error);
    }

    private static int length(Optional<String> text) {
        return text.map(value -> value.getBytes(StandardCharsets.UTF_8).length).orElse(0);
    }
}
