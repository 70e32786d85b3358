package svc.postgres.replication;

/** When a stream has the rows of a transaction that is too large for PostgreSQL's memory: {@code logical_decoding_work_mem}. */
public enum Streaming {
    /** While it runs, in blocks. PostgreSQL writes none of them to its disk, and has little left to send at the commit. */
    ON,
    /** Whole, at its commit, as those of all other transactions. */
    OFF
}
