package svc.extensions.net;

import java.time.Duration;
import java.util.Optional;

/**
 * A request that a project has queued and committed, and that this process has claimed.
 *
 * @param schema of its project
 * @param headers a JSON object of texts
 * @param limit of its call
 * @param waited since it was queued
 * @param sinceFirstTry since a process claimed it first; zero now
 */
record QueuedRequest(
        String schema,
        long id,
        String method,
        String url,
        String headers,
        Optional<String> body,
        Duration limit,
        Duration waited,
        Duration sinceFirstTry) {
    /** One that was never sent is given up after this time: its receiver does not expect it any more. */
    static final Duration MAX_WAITED = Duration.ofHours(1);

    /** One that never came to an end is given up after this time: it would be sent for ever. */
    static final Duration MAX_TRIED = Duration.ofMinutes(10);

    Key key() {
        return new Key(schema, id);
    }

    /** Why it is not sent any more; empty as long as it is. */
    Optional<String> givenUp() {
        if (sinceFirstTry.compareTo(MAX_TRIED) > 0) {
            return Optional.of("given up: it could not be sent, or its answer not be stored, for 10 minutes");
        }
        return waited.compareTo(MAX_WAITED) > 0
                ? Optional.of("given up: it has waited for more than an hour")
                : Optional.empty();
    }

    /** What it takes of memory. */
    long bytes() {
        return url.length() + headers.length() + body.map(String::length).orElse(0);
    }

    /** What tells it from all others of its database. */
    record Key(String schema, long id) {}
}
