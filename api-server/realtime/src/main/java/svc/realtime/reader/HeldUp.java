package svc.realtime.reader;

import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/** Projects whose large transactions hold up a stream. Used by the reading thread, except where a method says otherwise. */
final class HeldUp {
    /** To measure costs more than to keep a row. */
    private static final int ROWS_BETWEEN_MEASUREMENTS = 1_000;

    private final Runnable more;
    private long rows;
    private volatile Set<UUID> projects = Set.of();

    /** @param more runs when a project is added */
    HeldUp(Runnable more) {
        this.more = more;
    }

    /** A row was read. @param measure finds the projects now */
    void row(Supplier<Set<UUID>> measure) {
        if (++rows % ROWS_BETWEEN_MEASUREMENTS == 0) {
            Set<UUID> now = measure.get();
            if (!projects.containsAll(now)) {
                projects = now;
                more.run();
            }
        }
    }

    /** A transaction has been read to its end. @param measure finds the projects that are left */
    void ended(Supplier<Set<UUID>> measure) {
        if (!projects.isEmpty()) {
            projects = measure.get();
        }
    }

    /** Any thread. */
    Set<UUID> projects() {
        return projects;
    }
}
