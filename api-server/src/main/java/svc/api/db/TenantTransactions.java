package svc.api.db;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;
import svc.api.tenancy.Tenant;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;

/**
 * Runs transactions of the data plane, each in one network write on a connection of the project's own login. What is sent,
 * and what keeps one caller's traces from the next, stands at {@link FlushText}.
 */
public final class TenantTransactions implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(TenantTransactions.class);

    /** Idle for longer than this, a connection is looked at before it is used. */
    private static final long TRUSTED_NANOS = 1_000_000_000L;

    /**
     * What the server says when it no longer has a statement of ours, or has another one in its place: tenant code has
     * tampered with prepared statements. invalid_sql_statement_name, duplicate_prepared_statement, protocol_violation.
     */
    private static final Set<String> STATEMENT_LOST = Set.of("26000", "42P05", "08P01");

    private static final SqlFragment ADOPTED_CLEANING =
            SqlFragment.of(";DISCARD TEMP;SELECT pg_catalog.pg_advisory_unlock_all()");

    private final ProjectPools pools;
    private final Duration limit;
    private final FlushClock clock;

    /**
     * @param pools closed together with this
     * @param limit longest a flush may take by our clock; above the logins' statement_timeout, which gives the better
     *     message
     */
    public TenantTransactions(ProjectPools pools, Duration limit) {
        this.pools = pools;
        this.limit = limit;
        this.clock = new FlushClock(pools::closeIdle);
    }

    /**
     * Runs one flush and returns the main query's row.
     *
     * <p>It is tried a second time, on another connection, when it is certain that nothing of it was done: when the
     * connection was found dead or without our statements before the first of them ran. A flush that only reads is also
     * repeated when the connection broke in the middle.
     *
     * @param login {@code API}, {@code SERVICE} or {@code SYSTEM}
     * @throws SqlError what PostgreSQL answered instead; the transaction is rolled back then
     * @throws PoolExhausted when no connection came free in time
     */
    public FlushRow run(Tenant tenant, DatabaseRole login, Flush flush) {
        FlushResult first = resultOf(flush);
        try {
            return attempt(tenant, login, flush, first);
        } catch (SqlError e) {
            if (!repeatable(e, flush, first)) {
                throw e;
            }
            LOG.debugf("a flush of %s is repeated after %s", tenant.ref(), e.sqlState());
            return attempt(tenant, login, flush, resultOf(flush));
        }
    }

    /**
     * Runs several main queries in one transaction: one network write for each, and one for its end. The transaction
     * begins with the first; when {@code work} throws, it is rolled back and the connection given up. It is never tried
     * again. The limit on a flush's time is one on the whole of it.
     *
     * @throws SqlError what PostgreSQL answered to a query or to the commit; the transaction is rolled back then
     * @throws PoolExhausted when no connection came free in time
     */
    public <T> T transact(Tenant tenant, DatabaseRole login, Flush.Access access, TransactionSteps.Work<T> work) {
        return lend(tenant, login, connection -> converse(tenant, connection, access, work));
    }

    /**
     * Reads the catalog of an adopted database as its own login. No code of the tenant's runs. Ends within the limit of a
     * flush.
     *
     * @throws SqlError what PostgreSQL answered instead, never for a caller's eyes
     * @throws PoolExhausted when no connection came free in time
     */
    public <T> List<T> catalog(Tenant tenant, SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        PooledConnection<TenantLogin> lent = borrowAlive(tenant, DatabaseRole.API);
        FlushClock.Running watched = clock.watch(lent, limit);
        boolean clean = false;
        boolean inTime = true;
        try {
            List<T> rows = new ConnectionStatements(lent.connection()).query(sql, reader, binds);
            clean = true;
            return rows;
        } catch (SqlError e) {
            throw e.concealed();
        } finally {
            inTime = clock.end(watched);
            if (clean && inTime) {
                pools.giveBack(lent);
            } else {
                pools.discard(lent);
            }
        }
    }

    /** Who listens in an adopted database. */
    Login login(Tenant tenant) {
        return pools.login(tenant);
    }

    @Override
    public void close() {
        clock.close();
        pools.close();
    }

    /**
     * A statement that is missing leaves the transaction uncommitted. A session that the server itself ended sends what it
     * had done before that news, so no answer means that nothing was done; of a socket that merely broke nothing is known.
     */
    private static boolean repeatable(SqlError error, Flush flush, FlushResult result) {
        if (STATEMENT_LOST.contains(error.sqlState())) {
            return true;
        }
        boolean ended = error.fromServer() && error.sqlState().startsWith("57P") && result.nothingRan();
        return ended || (error.connectionLost() && flush.access() == Flush.Access.READ);
    }

    private FlushRow attempt(Tenant tenant, DatabaseRole login, Flush flush, FlushResult result) {
        return lend(tenant, login, connection -> {
            try {
                connection.send(
                        whole(tenant, FlushText.of(flush), flush.ending()), flush.settings(), flush.binds(), result);
                FlushRow row = result.onlyRow();
                return new Done<>(row, end(tenant, connection, flush, row, result));
            } catch (SQLException e) {
                if (result.committed()) {
                    // Only the cleaning failed: the request did not.
                    return new Done<>(result.onlyRow(), false);
                }
                throw SqlError.of(e);
            }
        });
    }

    private static <T> Done<T> converse(
            Tenant tenant, FlushConnection connection, Flush.Access access, TransactionSteps.Work<T> work) {
        TransactionSteps.Outcome<T> outcome = work.in(new OpenTransaction(connection, access));
        FlushResult ended = FlushResult.ofNoRow();
        try {
            SqlFragment text = outcome.committed() ? FlushText.commit() : FlushText.afterFailure();
            connection.send(whole(tenant, text, new Ending.Commit()), List.of(), List.of(), ended);
            return new Done<>(outcome.value(), !connection.wasNotified());
        } catch (SQLException e) {
            if (ended.committed()) {
                return new Done<>(outcome.value(), false);
            }
            throw SqlError.of(e);
        }
    }

    /** @param clean whether the connection is as it was before */
    private record Done<T>(T value, boolean clean) {}

    /** What is done with a connection; whatever it throws, what it left open is rolled back. */
    @FunctionalInterface
    private interface Exchange<T> {
        Done<T> over(FlushConnection connection);
    }

    private <T> T lend(Tenant tenant, DatabaseRole login, Exchange<T> exchange) {
        PooledConnection<TenantLogin> lent = borrowAlive(tenant, login);
        var connection = new FlushConnection(lent.connection());
        FlushClock.Running watched = clock.watch(lent, limit);
        boolean clean = false;
        boolean inTime = true;
        try {
            try {
                Done<T> done = exchange.over(connection);
                clean = done.clean();
                return done.value();
            } catch (SqlError e) {
                clean = e.fromServer()
                        && !e.connectionLost()
                        && !STATEMENT_LOST.contains(e.sqlState())
                        && clear(tenant, connection);
                throw e;
            } finally {
                inTime = clock.end(watched);
            }
        } finally {
            if (clean && inTime) {
                pools.giveBack(lent);
            } else {
                pools.discard(lent);
            }
        }
    }

    private static FlushResult resultOf(Flush flush) {
        return new FlushResult(FlushText.mainQuery(true, flush.before()));
    }

    /** Ends a transaction that waits for our word; true when the connection is clean afterwards. */
    private static boolean end(Tenant tenant, FlushConnection connection, Flush flush, FlushRow row, FlushResult result)
            throws SQLException {
        if (flush.ending() instanceof Ending.CommitIf condition) {
            boolean commit = condition.acceptable().test(row);
            SqlFragment text = commit ? FlushText.commit() : FlushText.afterFailure();
            connection.send(whole(tenant, text, new Ending.Commit()), List.of(), List.of(), result);
        }
        return !connection.wasNotified();
    }

    private static boolean clear(Tenant tenant, FlushConnection connection) {
        try {
            SqlFragment text = whole(tenant, FlushText.afterFailure(), new Ending.Rollback());
            connection.send(text, List.of(), List.of(), FlushResult.ofNoRow());
            return !connection.wasNotified();
        } catch (SQLException e) {
            return false;
        }
    }

    /**
     * With what an adopted database needs in addition, where nobody has revoked advisory locks and temporary tables: they
     * would stay in the session for the next caller.
     */
    private static SqlFragment whole(Tenant tenant, SqlFragment text, Ending ending) {
        boolean over = !(ending instanceof Ending.CommitIf);
        return tenant.adoption().isPresent() && over ? text.append(ADOPTED_CLEANING) : text;
    }

    private PooledConnection<TenantLogin> borrowAlive(Tenant tenant, DatabaseRole login) {
        while (true) {
            PooledConnection<TenantLogin> lent = pools.borrow(tenant, login);
            if (lent.idleNanos() < TRUSTED_NANOS || new FlushConnection(lent.connection()).alive()) {
                return lent;
            }
            pools.discard(lent);
        }
    }
}
