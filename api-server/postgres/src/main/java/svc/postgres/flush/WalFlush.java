package svc.postgres.flush;

import svc.database.sql.SqlFragment;
import svc.postgres.Setting;

/**
 * Flushes the write-ahead log for commits that did not wait for it: a transaction that calls {@code
 * svc_functions.flush_log} and does wait. The log is one sequence, so everything committed before is flushed with it.
 */
final class WalFlush {
    /** To be called where the session's settings are the server's own. */
    static final FlushStatement STATEMENT = FlushStatement.of(SqlFragment.of("SELECT svc_functions.flush_log()"));

    /** Commits without waiting for the flush; a crash of the server may lose the transaction until the next one. */
    static final Setting WITHOUT_WAITING = Setting.of("synchronous_commit", "off");

    /** Finds the function, and the right to call it, without a call. */
    static final String PROBE = "EXPLAIN " + STATEMENT.text().sql();

    private WalFlush() {}
}
