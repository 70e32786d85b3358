package svc.rest.batch;

import java.util.List;
import java.util.Map;

/**
 * One request of a batch.
 *
 * @param path below {@code /rest/v1}, percent-encoded, without its query
 * @param query without the question mark; empty for none
 * @param headers in order
 * @param body empty for none
 */
public record BatchItem(
        String method, String path, String query, List<Map.Entry<String, String>> headers, byte[] body) {
    public BatchItem {
        headers = List.copyOf(headers);
    }
}
