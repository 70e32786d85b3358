package svc.realtime.reader;

import java.time.Duration;
import java.util.OptionalLong;
import svc.postgres.replication.SlotState;

/**
 * How the log of a database is read.
 *
 * @param poll how often the slot's state is read, and so how soon another process takes over
 * @param linger how long a database is read that nothing follows any more
 * @param maxLag log that the server may keep for the slot, in bytes; never more than half of its own limit
 */
public record ReaderSettings(Duration poll, Duration linger, OptionalLong maxLag) {
    private static final long WITHOUT_LIMIT = 1L << 30;

    public static ReaderSettings defaults() {
        return new ReaderSettings(Duration.ofSeconds(1), Duration.ofMinutes(5), OptionalLong.empty());
    }

    /** Whether the slot keeps more than it may. */
    boolean isTooMuch(SlotState state) {
        // Half: a slot that the server invalidates itself ends without a word.
        long half = state.limitBytes() > 0 ? state.limitBytes() / 2 : maxLag.orElse(WITHOUT_LIMIT);
        return state.keptBytes() > Math.min(half, maxLag.orElse(half));
    }

    /** Within which every process has looked at the slot. */
    Duration noticed() {
        return poll.multipliedBy(3);
    }
}
