package svc.operator.watch.rule;

/** What the watch bounds. */
public enum Rule {
    /** Places in the server's table of locks. */
    LOCKS,
    /** Age of a transaction or snapshot. */
    TIME,
    /** Bytes of temporary files. */
    TEMPORARY_FILES,
    /** Time of autovacuum in a tenant's expressions. */
    MAINTENANCE,
    /** Processor time over a while. */
    PROCESSORS,
    /** Bytes of the write-ahead log over a while. */
    WAL
}
