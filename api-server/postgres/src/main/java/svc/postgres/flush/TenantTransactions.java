package svc.postgres.flush;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import svc.database.loop.ProjectLoop;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Isolation;
import svc.postgres.Login;
import svc.postgres.Row;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.TenantLogin;
import svc.postgres.jdbc.ConnectionStatements;
import svc.postgres.jdbc.JdbcConnection;
import svc.postgres.pool.PooledConnection;

/**
 * Runs transactions of the data plane, each in one network write on a connection of the project's own login. What is
 * sent, and what keeps one caller's traces from the next, stands at {@link FlushText}.
 */
public final class TenantTransactions implements AutoCloseable {
    /** A connection to a catalog that was idle for longer is validated before it is used. */
    private static final long TRUSTED_NANOS = 1_000_000_000L;

    private static final int TRIAL_SECONDS = 2;

    private static final List<Setting> BACKGROUND = List.of(Setting.of("lock_timeout", ProjectLoop.LOCK_TIMEOUT));

    private final ProjectPools pools;
    private final RequestTimeouts clock;
    private final QueryTimeCache times;
    private final StatementErrors errors;

    /** Set in each transaction. */
    private final List<Setting> always;

    /**
     * @param pools closed together with this
     * @param limit longest a flush may take by our clock; above the logins' statement_timeout, which gives the better
     *     message
     */
    public TenantTransactions(ProjectPools pools, Duration limit) {
        this(pools, limit, StatementErrors.NONE);
    }

    /** @param errors receives each error of a statement */
    public TenantTransactions(ProjectPools pools, Duration limit, StatementErrors errors) {
        this.pools = pools;
        this.errors = errors;
        this.times = new QueryTimeCache();
        this.always = List.of();
        this.clock = new RequestTimeouts(
                limit, connection -> connection.key() instanceof TenantLogin key && pools.isSilent(key), pools::tend);
    }

    private TenantTransactions(TenantTransactions origin, List<Setting> always) {
        this.pools = origin.pools;
        this.times = origin.times;
        this.errors = origin.errors;
        this.clock = origin.clock;
        this.always = always;
    }

    /**
     * These transactions as a {@link ProjectLoop} runs them: a lock that the project itself holds is waited for only shortly.
     * A view of this, on the same connections: who closes one closes both.
     */
    public TenantTransactions inBackground() {
        return new TenantTransactions(this, BACKGROUND);
    }

    /**
     * Begins one flush. Does not block, and so may be called on an event loop.
     *
     * @param login {@code API}, {@code SERVICE} or {@code SYSTEM}
     */
    public InFlightRequest start(Tenant tenant, DatabaseRole login, Flush flush) {
        return new InFlightRequest(
                        pools,
                        clock,
                        new QueryTimes(times, tenant.projectId()),
                        errors,
                        tenant,
                        login,
                        flush.with(always))
                .begin();
    }

    /**
     * Runs one flush and returns the main query's row.
     *
     * @param login {@code API}, {@code SERVICE} or {@code SYSTEM}
     * @throws SqlError what PostgreSQL answered instead; the transaction is rolled back then
     * @throws PoolExhausted when no connection came free in time
     */
    public FlushRow run(Tenant tenant, DatabaseRole login, Flush flush) {
        return start(tenant, login, flush).await();
    }

    /**
     * Runs several main queries in one transaction: one network write for each, and one for its end. The transaction
     * begins with the first; when {@code work} throws, it is rolled back and the connection given up. It is never tried
     * again. The limit on a flush's time is one on the whole of it. Blocks.
     *
     * @throws SqlError what PostgreSQL answered to a query or to the commit; the transaction is rolled back then
     * @throws PoolExhausted when no connection came free in time
     */
    public <T> T transact(Tenant tenant, DatabaseRole login, Access access, TransactionSteps.Work<T> work) {
        return transact(tenant, login, access, Isolation.READ_COMMITTED, work, stop -> {});
    }

    /**
     * The same for a caller that may go away meanwhile.
     *
     * @param isolation of the whole transaction
     * @param begun gets what stops the transaction, to be run at any time from then on
     */
    public <T> T transact(
            Tenant tenant,
            DatabaseRole login,
            Access access,
            Isolation isolation,
            TransactionSteps.Work<T> work,
            Consumer<Runnable> begun) {
        PooledConnection<TenantLogin, FlushConnection> lent = acquireClean(tenant, login, access);
        var open = new OpenTransaction(
                lent.connection(),
                new OpenTransaction.Terms(
                        access, isolation, login == DatabaseRole.SYSTEM, tenant.roleName(DatabaseRole.ANON), always));
        RequestTimeouts.Watched watched = clock.watch(lent);
        begun.accept(() -> clock.cancel(watched));
        boolean clean = false;
        try {
            TransactionSteps.Outcome<T> outcome = work.in(open);
            clean = end(tenant, open, outcome.committed()) && lent.connection().clean();
            return outcome.value();
        } catch (SqlError e) {
            if (e.fromServer()) {
                errors.failed(tenant, StatementErrors.requestId(), e);
            }
            clean = InFlightRequest.mendable(e)
                    && end(tenant, open, false)
                    && lent.connection().clean();
            throw e;
        } finally {
            boolean inTime = clock.end(watched);
            if (clean && inTime) {
                pools.release(lent);
            } else {
                pools.discard(lent);
            }
        }
    }

    /**
     * Reads the catalog of an adopted database as its own login. No code of the tenant's runs. Ends within the limit of a
     * flush.
     *
     * @throws SqlError what PostgreSQL answered instead, never for a caller's eyes
     * @throws PoolExhausted when no connection came free in time
     */
    public <T> List<T> catalog(Tenant tenant, SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        PooledConnection<TenantLogin, JdbcConnection> lent = acquireCatalog(tenant);
        RequestTimeouts.Watched watched = clock.watch(lent);
        boolean clean = false;
        try {
            List<T> rows = new ConnectionStatements(lent.connection().jdbc()).query(sql, reader, binds);
            clean = true;
            return rows;
        } catch (SqlError e) {
            throw e.concealed();
        } finally {
            boolean inTime = clock.end(watched);
            if (clean && inTime) {
                pools.catalogs().release(lent);
            } else {
                pools.catalogs().discard(lent);
            }
        }
    }

    /** The login for LISTEN in an adopted database. */
    public Login login(Tenant tenant) {
        return pools.login(tenant);
    }

    @Override
    public void close() {
        clock.close();
        pools.close();
    }

    /** Ends a transaction; true when the session is outside of one afterwards. */
    private static boolean end(Tenant tenant, OpenTransaction open, boolean commit) {
        var ended = FlushResult.ofNoRow();
        try {
            return open.send(commit ? FlushText.commit(tenant) : FlushText.afterFailure(tenant), ended) == 'I';
        } catch (SqlError e) {
            if (commit && !ended.committed()) {
                throw e;
            }
            // Only the cleaning failed.
            return false;
        }
    }

    private PooledConnection<TenantLogin, FlushConnection> acquireClean(
            Tenant tenant, DatabaseRole login, Access access) {
        while (true) {
            PooledConnection<TenantLogin, FlushConnection> lent = pools.acquire(tenant, login, access);
            if (lent.connection().clean()) {
                return lent;
            }
            pools.discard(lent);
        }
    }

    private PooledConnection<TenantLogin, JdbcConnection> acquireCatalog(Tenant tenant) {
        while (true) {
            PooledConnection<TenantLogin, JdbcConnection> lent =
                    pools.catalogs().acquire(TenantLogin.of(tenant, DatabaseRole.API), Access.READ);
            if (lent.idleNanos() < TRUSTED_NANOS || lent.connection().works(TRIAL_SECONDS)) {
                return lent;
            }
            pools.catalogs().discard(lent);
        }
    }
}
