package svc.extensions.cron;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job that is due, or whose next time is not known yet. Its command is read when it starts.
 *
 * @param schema of its project
 * @param dueAt empty when nothing has computed it since the job was stored or changed
 * @param open numbers of its runs whose ends are not written, and that may still run in one of the processes
 */
record Job(String schema, long id, Calendar calendar, Optional<Instant> dueAt, List<Long> open) {
    /** What tells it from all other jobs of its database. */
    Key key() {
        return new Key(schema, id);
    }

    /** One job. */
    record Key(String schema, long id) {}
}
