package svc.realtime.feed;

import java.util.Optional;
import svc.realtime.reader.ChangeBatch;
import svc.realtime.reader.LogPosition;

/** Which changes of a project are new, and whether some are missing. */
final class BatchOrder {
    private Optional<LogPosition> last = Optional.empty();
    private boolean interrupted;
    private boolean said;

    /** Changes from this byte of the log on are expected. */
    void expectFrom(long byteOfLog) {
        LogPosition from = LogPosition.before(byteOfLog);
        last = Optional.of(last.filter(known -> known.isAfter(from)).orElse(from));
    }

    /** The log begins anew, and that something is missing has been said. */
    void restarted() {
        said = true;
    }

    /** Messages may have been lost. */
    void interrupted() {
        interrupted = true;
    }

    boolean isExpecting() {
        return last.isPresent();
    }

    /** Whether something was committed between the last change that arrived and this batch. */
    boolean isMissingBefore(ChangeBatch batch) {
        boolean uncertain = interrupted;
        boolean known = said;
        interrupted = false;
        said = false;
        return !known && isGap(batch, uncertain);
    }

    private boolean isGap(ChangeBatch batch, boolean uncertain) {
        LogPosition known = last.orElseThrow();
        return batch.previous().map(previous -> previous.isAfter(known)).orElse(uncertain)
                || Long.compareUnsigned(batch.completeSince(), known.commit()) > 0;
    }

    /** True once for each change: they come again after a reader was replaced. */
    boolean isNew(LogPosition position) {
        if (!position.isAfter(last.orElseThrow())) {
            return false;
        }
        last = Optional.of(position);
        return true;
    }
}
