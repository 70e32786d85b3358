package svc.postgres.script;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.postgres.script.ScriptRun.Mode;

/**
 * The platform's own statements around scripts in one session. A transaction has a name, so that one which a script began
 * in its place is not taken for it.
 */
final class EnclosingTransaction {
    /** The role of a session that has taken none. */
    static final String NO_ROLE = "none";

    /** Begins at another microsecond than any message that follows, so it names the transaction; no script can set it. */
    private static final SqlFragment NAME =
            SqlFragment.of("SELECT EXTRACT(epoch FROM pg_catalog.transaction_timestamp())");

    /** Assigns the transaction its number if it has none yet; a script can change neither. */
    private static final SqlFragment TRANSACTION_ID = SqlFragment.of("SELECT pg_catalog.pg_current_xact_id()");

    private static final SqlFragment BEGIN = SqlFragment.of("BEGIN");
    private static final SqlFragment BEGIN_READ_ONLY = SqlFragment.of("BEGIN READ ONLY");
    /** A starting value of the session would be refused by servers that do not know it: before PostgreSQL 17. */
    private static final SqlTemplate LIMIT = SqlTemplate.of("SET LOCAL transaction_timeout = :'milliseconds'");

    /** Beyond the statement timeout, which tells the better error. */
    private static final Duration SLACK = OwnerSessions.SLACK.multipliedBy(2);

    private static final SqlFragment CHECK_CONSTRAINTS = SqlFragment.of("SET CONSTRAINTS ALL IMMEDIATE");

    /** For the next script of the same transaction, whose constraints are checked at its end as well. */
    private static final SqlFragment DEFER_CONSTRAINTS = SqlFragment.of("SET CONSTRAINTS ALL DEFERRED");

    /** Tells the role that the script has taken, and returns to the login: the platform's own statements run as that. */
    private static final SqlFragment LEAVE_ROLE =
            SqlFragment.of("SELECT pg_catalog.current_setting('role'); SET ROLE NONE");

    private static final SqlTemplate TAKE_ROLE = SqlTemplate.of("SET LOCAL ROLE :\"role\"");

    private static final SqlFragment RESET_SETTINGS = SqlFragment.of("RESET ALL");

    private final OwnerSession session;
    private Optional<String> name = Optional.empty();

    EnclosingTransaction(OwnerSession session) {
        this.session = session;
    }

    /** The name of the transaction that is open; empty before it is begun. */
    Optional<String> name() {
        return name;
    }

    /** Goes on with a transaction that was begun before. */
    void resume(Optional<String> open) {
        name = open;
    }

    /** Begins the transaction of a run, which lasts no longer than the run may. */
    void begin(ScriptRun run) throws IOException, InternalQuery.RefusedException {
        InternalQuery.ask(session, run.mode() == Mode.READ_ONLY ? BEGIN_READ_ONLY : BEGIN);
        if (session.settings().knowsTransactionTimeout()) {
            Literal limit = Literal.of(Long.toString(run.time().plus(SLACK).toMillis()));
            InternalQuery.ask(session, LIMIT.bind(Map.of("milliseconds", limit)));
        }
        // Takes the first snapshot as well: from here on a read-only transaction stays one.
        name = Optional.of(one(NAME));
    }

    /** Begins a transaction of several runs, which the clock of all of them bounds. */
    void beginForSeveral() throws IOException, InternalQuery.RefusedException {
        InternalQuery.ask(session, BEGIN);
        name = Optional.of(one(NAME));
    }

    /** Whether the session is in the transaction that was begun, and not in another. */
    boolean isOpen() throws IOException, InternalQuery.RefusedException {
        return name.equals(Optional.of(one(NAME)));
    }

    /** The transaction's number, as {@code pg_xact_status} takes it. */
    String id() throws IOException, InternalQuery.RefusedException {
        return one(TRANSACTION_ID);
    }

    /**
     * Leaves the role that the script has taken.
     *
     * @return that role, or {@link #NO_ROLE}
     */
    String leaveRole() throws IOException, InternalQuery.RefusedException {
        return one(LEAVE_ROLE);
    }

    /** Takes a role again, up to the end of the transaction. */
    void takeRole(String role) throws IOException, InternalQuery.RefusedException {
        if (!role.equals(NO_ROLE)) {
            InternalQuery.ask(session, TAKE_ROLE.bind(Map.of("role", Identifier.of(role))));
        }
    }

    /** Checks the constraints that wait for the end of the transaction, and those that follow at once. */
    void checkConstraints() throws IOException, InternalQuery.RefusedException {
        InternalQuery.ask(session, CHECK_CONSTRAINTS);
    }

    /** Gives the next script constraints and settings as in the session of its own that it gets otherwise. */
    void prepareNext() throws IOException, InternalQuery.RefusedException {
        InternalQuery.ask(session, DEFER_CONSTRAINTS);
        InternalQuery.ask(session, RESET_SETTINGS);
    }

    private String one(SqlFragment query) throws IOException, InternalQuery.RefusedException {
        List<List<String>> rows = InternalQuery.ask(session, query);
        if (rows.size() != 1) {
            throw new IOException("the server did not return the transaction's name");
        }
        return rows.getFirst().getFirst();
    }
}
