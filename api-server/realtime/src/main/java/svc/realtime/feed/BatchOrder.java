package svc.realtime.feed;

import java.util.Optional;
import svc.realtime.reader.ChangeBatch;
import svc.realtime.reader.LogPosition;

/** Which changes of a project are new, and whether some are missing. */
final class BatchOrder {
    private Optional<LogPosition> last = Optional.empty();
    private boolean said;

    /** Changes from this byte of the log on are expected. */
    void expectFrom(long byteOfLog) {
        LogPosition from = LogPosition.before(byteOfLog);
        last = Optional.of(last.filter(known -> known.isAfter(from)).orElse(from));
    }

    /** Changes may have been lost. @return whether that has not been said since the last batch */
    boolean lost() {
        boolean first = !said;
        said = true;
        return first;
    }

    boolean isExpecting() {
        return last.isPresent();
    }

    /** Whether something was committed between the last change that arrived and this batch, and has not been said to be lost. */
    boolean isMissingBefore(ChangeBatch batch) {
        boolean known = said;
        said = false;
        return !known && isGap(batch, last.orElseThrow());
    }

    private static boolean isGap(ChangeBatch batch, LogPosition before) {
        return batch.previous().filter(previous -> previous.isAfter(before)).isPresent()
                || Long.compareUnsigned(batch.completeSince(), before.commit()) > 0;
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
