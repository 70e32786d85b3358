package svc.platform.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * An amount of memory that owners share by dynamic thresholds (Choudhury and Hahne, IEEE/ACM Transactions on Networking
 * 6(2), 1998): an owner may hold as much as is free, so one alone gets half, and two get a third each. Because owners who
 * come one after the other could halve what is free until nothing is left, an eighth is kept for those who hold little.
 *
 * <p>It counts and allocates nothing. Thread-safe.
 */
public final class ByteBudget {
    private static final int RESERVE = 8;

    /** An owner that holds less than this part may take from the reserve, which has room for 64 of them. */
    private static final int LITTLE = 8 * 64;

    /** This much an owner always gets, also while answers that exist already exceed the total. */
    private static final int VERY_LITTLE = LITTLE * 16;

    private final long total;
    private final Map<String, Long> heldBy = new HashMap<>();
    private long held;

    /** What became of a demand. */
    public enum Verdict {
        GRANTED,
        /** The owner holds its share; it may try again later. */
        BUSY,
        /** More than an owner can ever hold: it will not be granted later either. */
        TOO_LARGE
    }

    /** @param total in bytes */
    public ByteBudget(long total) {
        if (total <= 0) {
            throw new IllegalArgumentException("a budget of " + total + " bytes");
        }
        this.total = total;
    }

    /** The most that one owner can hold, in bytes. */
    public long largest() {
        return (total - total / RESERVE) / 2;
    }

    public long total() {
        return total;
    }

    /** What all owners hold, in bytes; beyond the total when more was charged. */
    public synchronized long held() {
        return held;
    }

    /** An owner's part of the budget. The object is cheap and keeps nothing. */
    public Account account(String owner) {
        return new Account(owner);
    }

    private synchronized Verdict take(String owner, long already, long more) {
        if (already + more > largest()) {
            return Verdict.TOO_LARGE;
        }
        long after = heldBy.getOrDefault(owner, 0L) + more;
        long free = total - held - more;
        boolean granted = after <= free - total / RESERVE
                || (after <= total / LITTLE && free >= 0)
                || after <= total / VERY_LITTLE;
        if (!granted) {
            return Verdict.BUSY;
        }
        add(owner, more);
        return Verdict.GRANTED;
    }

    private synchronized void add(String owner, long bytes) {
        held += bytes;
        heldBy.merge(owner, bytes, (before, change) -> before + change == 0 ? null : before + change);
    }

    private synchronized boolean overdrawn(String owner) {
        return heldBy.getOrDefault(owner, 0L) > Math.max(total - held, total / LITTLE);
    }

    /** How many owners hold something. */
    synchronized int owners() {
        return heldBy.size();
    }

    /** One owner of memory. */
    public final class Account {
        private final String owner;

        private Account(String owner) {
            this.owner = owner;
        }

        /** A permit that holds nothing yet. */
        public Permit open() {
            return new Permit(owner);
        }

        /** Whether the owner holds more than its share, because memory was charged or others need it. */
        public boolean overdrawn() {
            return ByteBudget.this.overdrawn(owner);
        }
    }

    /** The memory of one piece of work. Closing returns it, once, however often it is closed. */
    public final class Permit implements AutoCloseable {
        private final String owner;
        private long bytes;
        private boolean closed;

        private Permit(String owner) {
            this.owner = owner;
        }

        /** Holds so many bytes more, if they are granted. A closed permit gets none. */
        public synchronized Verdict grow(long more) {
            if (more == 0) {
                return Verdict.GRANTED;
            }
            Verdict verdict = closed ? Verdict.BUSY : take(owner, bytes, more);
            if (verdict == Verdict.GRANTED) {
                bytes += more;
            }
            return verdict;
        }

        /** Holds so many bytes more, for memory that exists already and can only be waited for. */
        public synchronized void charge(long more) {
            if (!closed && more > 0) {
                bytes += more;
                add(owner, more);
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (bytes > 0) {
                add(owner, -bytes);
                bytes = 0;
            }
        }
    }
}
