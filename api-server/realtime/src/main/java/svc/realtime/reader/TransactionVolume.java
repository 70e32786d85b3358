package svc.realtime.reader;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * What the transaction at hand has changed of published tables, against the limit. PostgreSQL sends a transaction in one piece
 * after its commit, so a large one of one project delays the changes of all others. Used by the reading thread.
 */
final class TransactionVolume {
    /** What PostgreSQL spends on sending a row besides its bytes: as much as on so many bytes. */
    private static final int ROW_BYTES = 1 << 10;

    /**
     * How much more a byte costs to send than to read again from the log. Hazard: without this bound a tenant that keeps a
     * transaction open, and so the log, could make each large transaction cost a reading of all that is kept.
     */
    private static final int REREAD_RATIO = 4;

    /** Rows, and bytes, that a stream sends in some tens of milliseconds. */
    private static final int DELAYING_ROWS = 5_000;

    private static final long DELAYING_BYTES = 4L << 20;

    private int rows;
    private long bytes;
    private final Set<UUID> notified = new HashSet<>();

    /** A transaction begins. */
    void begin() {
        rows = 0;
        bytes = 0;
        notified.clear();
    }

    /** One more row, of so many bytes. */
    void add(int length) {
        rows++;
        bytes += length;
    }

    /** One row less, of those that were added: its part of the transaction has failed. */
    void remove(int length) {
        rows--;
        bytes -= length;
    }

    /** Whether the row that was added last is delivered no more. */
    boolean isTooLarge() {
        return rows > TransactionLimit.MAX_ROWS || bytes > TransactionLimit.MAX_BYTES;
    }

    /** Whether others wait for it as long as they should. */
    boolean isDelaying() {
        return rows > DELAYING_ROWS || bytes > DELAYING_BYTES;
    }

    /** True once for each project that the transaction changes more of. */
    boolean isToBeNotified(UUID project) {
        return notified.add(project);
    }

    /**
     * Whether the rest of a transaction that is too large is left unread: a new stream begins behind it, which reads the log
     * again that the server keeps.
     */
    boolean isWorthPassing(long keptBytes) {
        return isTooLarge() && bytes + (long) ROW_BYTES * rows > keptBytes / REREAD_RATIO;
    }

    /** For the log of a project. @param commitMicros since 2000-01-01 UTC */
    static String warning(long commitMicros) {
        return "A transaction that committed at " + LogTime.of(commitMicros) + " changed more than "
                + TransactionLimit.TEXT
                + ": subscribers do not receive what is beyond. Write in smaller transactions, or"
                + " publish a table after it is filled";
    }
}
