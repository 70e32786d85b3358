package svc.api.db;

import java.util.Collections;
import java.util.List;
import svc.database.sql.SqlFragment;

/**
 * The statements around a main query. What is sent is, in one network write:
 *
 * <pre>BEGIN; SELECT set_config(…), …; main query; COMMIT; RESET ALL; RESET ROLE; CLOSE ALL; UNLISTEN *; DISCARD SEQUENCES</pre>
 *
 * <p>The cleaning stands at the end rather than at the beginning, so that a connection lies in the pool clean: an idle
 * one that still listened would collect its tenant's notifications, and one whose DateStyle was changed would report that
 * to the driver, which then gives the connection up after a commit that succeeded. No tenant code can run after it:
 * deferred triggers and WITH HOLD cursors run within COMMIT. What a flush that failed left is cleaned by
 * {@link #afterFailure} before anybody else gets the connection, and one that cannot be cleaned is closed, so each flush
 * begins from a clean session all the same.
 *
 * <p>What tenant code can leave behind after COMMIT, and what takes it away:
 * <ul>
 *   <li>settings of the session, statement_timeout, DateStyle, default_transaction_isolation among them: RESET ALL;
 *       BEGIN names isolation and access, so that even their defaults could not matter
 *   <li>the role, which RESET ALL leaves alone: RESET ROLE
 *   <li>cursors WITH HOLD, with rows that another caller was allowed to see: CLOSE ALL
 *   <li>LISTEN: UNLISTEN *; the notifications themselves are looked for after each flush
 *   <li>currval and lastval, another caller's keys: DISCARD SEQUENCES
 *   <li>session advisory locks: EXECUTE on these functions is revoked in a prepared database, because all projects of a
 *       database share one space of keys; so is EXECUTE on the function that would release them, so none is called here
 *   <li>temporary tables: TEMP is revoked on the database
 *   <li>prepared statements: see {@link StatementNames}
 * </ul>
 */
final class FlushText {
    private static final SqlFragment BEGIN_READ = SqlFragment.of("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;");
    private static final SqlFragment BEGIN_WRITE = SqlFragment.of("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;");

    /** The session's search_path has the tenant's schema first: an unqualified name would be looked up there. */
    private static final SqlFragment SET_CONFIG = SqlFragment.of("pg_catalog.set_config(?,?,true)");

    private static final SqlFragment CLEANING =
            SqlFragment.of("RESET ALL;RESET ROLE;CLOSE ALL;UNLISTEN *;DISCARD SEQUENCES");

    private static final SqlFragment COMMIT_AND_CLEAN =
            SqlFragment.of("COMMIT;").append(CLEANING);
    private static final SqlFragment ROLLBACK_AND_CLEAN =
            SqlFragment.of("ROLLBACK;").append(CLEANING);

    private FlushText() {}

    static SqlFragment of(Flush flush) {
        SqlFragment text = opening(flush.access(), flush.settings().size(), flush.before(), flush.query());
        return switch (flush.ending()) {
            case Ending.Commit unused -> text.append(";").append(COMMIT_AND_CLEAN);
            case Ending.Rollback unused -> text.append(";").append(ROLLBACK_AND_CLEAN);
            case Ending.CommitIf unused -> text;
        };
    }

    /** The first write of a transaction that stays open. */
    static SqlFragment opening(Flush.Access access, int settings, List<SqlFragment> before, SqlFragment query) {
        SqlFragment start = access == Flush.Access.READ ? BEGIN_READ : BEGIN_WRITE;
        return start.append(next(settings, before, query));
    }

    /** A further write of a transaction that is open. */
    static SqlFragment next(int settings, List<SqlFragment> before, SqlFragment query) {
        SqlFragment text = SqlFragment.of("SELECT ")
                .append(SqlFragment.join(",", Collections.nCopies(settings, SET_CONFIG)))
                .append(";");
        for (SqlFragment statement : before) {
            text = text.append(statement).append(";");
        }
        return text.append(query);
    }

    /** The number of the main query among the statements of a write, counted from zero. */
    static int mainQuery(boolean opening, List<SqlFragment> before) {
        return (opening ? 2 : 1) + before.size();
    }

    /** The last write of a transaction that was left open. */
    static SqlFragment commit() {
        return COMMIT_AND_CLEAN;
    }

    /** Ends whatever is open and cleans: after an error, or when what came was not as wanted. */
    static SqlFragment afterFailure() {
        return ROLLBACK_AND_CLEAN;
    }
}
