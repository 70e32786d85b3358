package svc.extensions.cron;

import java.time.Instant;
import java.util.Optional;

/**
 * A job that is due, or whose next time is not known yet.
 *
 * @param schema of its project
 * @param dueAt empty when nothing has computed it since the job was stored or changed
 */
public record Job(String schema, long id, Calendar calendar, String command, Optional<Instant> dueAt) {
    /** What tells it from all other jobs of its database. */
    public Key key() {
        return new Key(schema, id);
    }

    /** One job. */
    public record Key(String schema, long id) {}
}
