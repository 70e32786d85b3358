package svc.realtime.reader;

import java.time.Duration;
import java.util.OptionalLong;
import svc.postgres.replication.SlotState;

/**
 * How the log of a database is read.
 *
 * @param poll how often the slot's state is read, and so how soon another process takes over
 * @param linger how long a database is read that nothing follows any more
 * @param maxLag log that the reader may leave unconfirmed, in bytes; never more than half of the server's own limit
 * @param standing whether a slot is left to the operators when nothing follows, where they keep it
 */
public record ReaderSettings(Duration poll, Duration linger, OptionalLong maxLag, boolean standing) {
    private static final long WITHOUT_LIMIT = 1L << 30;

    private static final Duration MAX_TRUSTED = Duration.ofSeconds(30);

    /** What open transactions may keep beyond the lag, where the server has no limit: as many lags. */
    private static final int KEPT_FACTOR = 4;

    public static ReaderSettings defaults() {
        return new ReaderSettings(Duration.ofSeconds(1), Duration.ofMinutes(5), OptionalLong.empty(), false);
    }

    /**
     * Whether the slot is to be given up: its reader has not confirmed too much. An open transaction keeps more, which is no
     * fault of the reader; the server's own limit ends that, and where it has none this one does.
     */
    boolean isTooMuch(SlotState state) {
        // Half: a slot that the server invalidates itself ends without a word.
        long half = state.limitBytes() > 0 ? state.limitBytes() / 2 : maxLag.orElse(WITHOUT_LIMIT);
        long lag = Math.min(half, maxLag.orElse(half));
        return state.unconfirmedBytes() > lag || (state.limitBytes() <= 0 && state.keptBytes() > KEPT_FACTOR * lag);
    }

    /** After so long without a look at it a slot may have been advanced: operators do that a minute after its last reader. */
    Duration trusted() {
        Duration polls = poll.multipliedBy(30);
        return polls.compareTo(MAX_TRUSTED) < 0 ? polls : MAX_TRUSTED;
    }

    /** Within which every process has seen the slot. */
    Duration noticed() {
        return poll.multipliedBy(3);
    }
}
