package svc.realtime.reader;

import java.time.Duration;
import svc.postgres.replication.Streaming;

/**
 * Whether the next stream of a slot has the rows of large transactions before these end. It has, except for a while after a
 * transaction was met that must be read whole, and for as long as the log that another stream reads again is long. Pure.
 */
final class StreamingChoice {
    /** Longer than a stream takes to the transaction that asked for it. */
    private static final long WHOLE_NANOS = Duration.ofMinutes(1).toNanos();

    /** Log that is read again at once. */
    private static final long SHORT_BYTES = 32L << 20;

    private Streaming now = Streaming.ON;
    private long wholeUntil;

    /** Of the next stream. */
    Streaming streaming() {
        return now;
    }

    /** A stream has met a transaction that must be read whole. @param nanos of a clock that only goes on */
    void readWhole(long nanos) {
        now = Streaming.OFF;
        wholeUntil = nanos + WHOLE_NANOS;
    }

    /** Whether another stream should replace the present one, which reads whole. @param keptBytes log that is read again then */
    boolean isOver(long nanos, long keptBytes) {
        return now == Streaming.OFF && nanos - wholeUntil > 0 && keptBytes <= SHORT_BYTES;
    }

    void resume() {
        now = Streaming.ON;
    }
}
