package svc.realtime.reader;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far Redis has each project's changes from a stream beside that of the slot, which passes on the others alone. Hazard: what
 * Redis has not accepted does not belong here, since no stream would send it again. Any thread.
 */
final class DeliveredBeside {
    private final Map<UUID, LogPosition> last = new ConcurrentHashMap<>();

    /** Redis has the project's changes up to this one. */
    void accepted(UUID project, LogPosition position) {
        last.merge(project, position, (before, now) -> now.isAfter(before) ? now : before);
    }

    boolean has(UUID project, LogPosition position) {
        LogPosition until = last.get(project);
        return until != null && !position.isAfter(until);
    }

    /** The positions of the log begin again. */
    void clear() {
        last.clear();
    }
}
