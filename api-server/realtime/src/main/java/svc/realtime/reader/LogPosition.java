package svc.realtime.reader;

/**
 * Where a change stands in a database's log; the order of positions is the order of commits.
 *
 * @param commit of its transaction's commit record, in bytes of the log
 * @param index of the change in its transaction, from 1
 */
public record LogPosition(long commit, int index) implements Comparable<LogPosition> {
    /** Before every change. */
    public static final LogPosition START = new LogPosition(0, 0);

    /** Before every change that commits at this byte of the log or later. */
    public static LogPosition before(long byteOfLog) {
        return new LogPosition(byteOfLog, 0);
    }

    /** After every change of the transaction that commits there. */
    public static LogPosition after(long commit) {
        return new LogPosition(commit, -1);
    }

    @Override
    public int compareTo(LogPosition other) {
        int byCommit = Long.compareUnsigned(commit, other.commit);
        return byCommit != 0 ? byCommit : Integer.compareUnsigned(index, other.index);
    }

    public boolean isAfter(LogPosition other) {
        return compareTo(other) > 0;
    }
}
