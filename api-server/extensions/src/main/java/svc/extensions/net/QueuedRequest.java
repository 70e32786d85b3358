package svc.extensions.net;

import java.time.Duration;
import java.util.Optional;

/**
 * A request that a project has queued and committed.
 *
 * @param schema of its project
 * @param headers a JSON object of texts
 */
record QueuedRequest(
        String schema, long id, String method, String url, String headers, Optional<String> body, Duration limit) {
    Key key() {
        return new Key(schema, id);
    }

    /** What tells it from all others of its database. */
    record Key(String schema, long id) {}
}
