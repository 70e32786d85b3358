package svc.realtime.feed;

import java.util.Optional;
import svc.realtime.reader.ChangeBatch;
import svc.realtime.reader.LogPosition;

/**
 * How far the changes of a project have arrived. Subscriptions begin at positions of their own and never move it: what commits
 * before one of them begins may still be on its way to the others.
 */
final class BatchOrder {
    /** Empty until the first subscription begins or the first change arrives. */
    private Optional<LogPosition> last = Optional.empty();

    /** A subscription begins here; the first one decides from where on a change can be missing. */
    void begin(LogPosition from) {
        if (last.isEmpty()) {
            last = Optional.of(from);
        }
    }

    /** The position up to which changes are missing between the last one that arrived and this batch; empty when none is. */
    Optional<LogPosition> missingUntil(ChangeBatch batch) {
        if (last.isEmpty()) {
            return Optional.empty();
        }
        LogPosition complete = LogPosition.before(batch.completeSince());
        LogPosition until =
                batch.previous().filter(before -> before.isAfter(complete)).orElse(complete);
        return until.isAfter(last.get()) ? Optional.of(until) : Optional.empty();
    }

    /** True once for each change: they come again after a reader was replaced. */
    boolean isNew(LogPosition position) {
        if (last.isPresent() && !position.isAfter(last.get())) {
            return false;
        }
        last = Optional.of(position);
        return true;
    }
}
