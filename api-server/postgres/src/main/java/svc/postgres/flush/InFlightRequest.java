package svc.postgres.flush;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import svc.database.name.DatabaseRole;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.TenantLogin;
import svc.postgres.pool.PooledConnection;

/**
 * One flush on its way: a connection, the write, what comes back, the end of the transaction, the connection's return.
 * Each step follows the one before on the thread that brought its result, mostly the connection's event loop; none waits.
 *
 * <p>It is tried a second time, on another connection, when it is certain that nothing of it was done: when the
 * connection was found dead or without our statements before the first of them ran, or when one of them may have been
 * prepared before a change of the schema. A flush that only reads is also repeated when the connection broke in the middle.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The result of a step goes to the next one, and in the end to the row.
public final class InFlightRequest {
    private static final Logger LOG = Logger.getLogger(InFlightRequest.class);

    /**
     * What the server says when it no longer has a statement of ours, or has another one in its place: tenant code has
     * tampered with prepared statements. invalid_sql_statement_name, duplicate_prepared_statement, protocol_violation.
     */
    private static final Set<String> STATEMENT_LOST = Set.of("26000", "42P05", "08P01");

    private final ProjectPools pools;
    private final RequestTimeouts clock;
    private final QueryTimes times;
    private final StatementErrors errors;
    private final String requestId = StatementErrors.requestId();
    private final Tenant tenant;
    private final DatabaseRole login;
    private final Flush flush;
    private final CompletableFuture<FlushRow> row = new CompletableFuture<>();
    private volatile Runnable canceller = () -> {};
    private volatile boolean cancelled;
    private volatile boolean alone;
    private volatile boolean repeated;

    InFlightRequest(
            ProjectPools pools,
            RequestTimeouts clock,
            QueryTimes times,
            StatementErrors errors,
            Tenant tenant,
            DatabaseRole login,
            Flush flush) {
        this.pools = pools;
        this.clock = clock;
        this.times = times;
        this.errors = errors;
        this.tenant = tenant;
        this.login = login;
        this.flush = flush;
    }

    /**
     * The main query's row. Fails with {@link SqlError} for what PostgreSQL answered instead (the transaction is rolled
     * back then), and with {@link PoolExhausted} when no connection came free in time.
     */
    public CompletableFuture<FlushRow> row() {
        return row;
    }

    /** The row, for a caller that may wait. */
    FlushRow await() {
        try {
            return row.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException refused ? refused : e;
        }
    }

    /** Stops the request and rolls it back: the caller has left. Without effect after the end. */
    public void cancel() {
        cancelled = true;
        canceller.run();
    }

    boolean isCancelled() {
        return cancelled;
    }

    Flush flush() {
        return flush;
    }

    /** Whose memory the answer takes. */
    ByteBudget.Account payer(ByteBudget.Account project) {
        return flush.isAnonymous(tenant) ? project.ofAnonymous() : project;
    }

    /** Registers how to stop the request on the connection that it now runs on. */
    void carriedBy(Runnable stop) {
        canceller = stop;
    }

    /** Starts, or starts again while nothing of the request was done. */
    InFlightRequest begin() {
        boolean leavesNothing = !repeated && FlushText.leavesNothing(tenant, flush);
        boolean sociable = !alone
                && (leavesNothing || (!repeated && FlushText.canBeShared(tenant, flush)))
                && times.isQuick(flush.query().sql(), flush.access());
        CompletableFuture<PooledConnection<TenantLogin, FlushConnection>> asked;
        try {
            asked = pools.acquireAsync(tenant, login, flush.access(), sociable ? Optional.of(this) : Optional.empty());
        } catch (RuntimeException e) {
            row.completeExceptionally(e);
            return this;
        }
        asked.whenComplete((lent, refused) -> {
            if (refused != null) {
                fail(refused);
            } else if (!lent.connection().clean()) {
                pools.discard(lent);
                begin();
            } else if (cancelled) {
                pools.release(lent);
                gone();
            } else {
                run(lent, leavesNothing, sociable ? company(lent) : List.of(this));
            }
        });
        return this;
    }

    private void run(
            PooledConnection<TenantLogin, FlushConnection> lent, boolean leavesNothing, List<InFlightRequest> flushes) {
        if (leavesNothing) {
            new ReadPipeline(pools, clock, times, lent, flushes).run();
        } else if (flushes.size() > 1) {
            new WritePipeline(pools, clock, times, lent, flushes).run();
        } else {
            new Attempt(lent).run();
        }
    }

    /** This request and the requests batched with it. */
    private List<InFlightRequest> company(PooledConnection<TenantLogin, FlushConnection> lent) {
        boolean reads = flush.access() == Access.READ;
        if (!reads && !lent.connection().flushesLog()) {
            return List.of(this);
        }
        int most = reads ? ReadPipeline.MAX_BATCH : WritePipeline.MAX_BATCH;
        List<InFlightRequest> flushes = new ArrayList<>(most);
        flushes.add(this);
        for (InFlightRequest other : pools.batch(lent, flush.access(), most - 1)) {
            if (other.cancelled) {
                other.gone();
            } else {
                flushes.add(other);
            }
        }
        return flushes;
    }

    private void gone() {
        fail(SqlError.of(new PSQLException("the caller has gone", PSQLState.QUERY_CANCELED)));
    }

    /** Starts again, on a connection that it does not share. */
    void beginAlone() {
        alone = true;
        begin();
    }

    void succeed(FlushResult result) {
        try {
            row.complete(result.onlyRow());
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    void fail(Throwable why) {
        if (why instanceof SqlError error && error.fromServer()) {
            errors.failed(tenant, requestId, error);
        }
        boolean silent = why instanceof SqlError error && error.connectionLost() && pools.isKnownSilent(tenant);
        row.completeExceptionally(silent ? PoolExhausted.silent() : why);
    }

    /** Tries again once if nothing of it was done, or nothing that matters; else that is the end of it. */
    void refused(SqlError error, FlushResult result) {
        if (!repeated && !cancelled && repeatable(error, result) && !pools.isKnownSilent(tenant)) {
            LOG.debugf("repeating a request of %s after %s", tenant.ref(), error.sqlState());
            repeat();
        } else {
            fail(error);
        }
    }

    /**
     * Tries again, with statements that have no name: those that were lost once may be lost on each connection by now.
     */
    void repeat() {
        repeated = true;
        begin();
    }

    /**
     * A statement that is missing leaves the transaction uncommitted. A session that the server itself ended sends what
     * it had done before that news, so no answer means that nothing was done; of a socket that merely broke nothing is
     * known, but that the end of the transaction did not go through it when it had broken before.
     */
    private boolean repeatable(SqlError error, FlushResult result) {
        if (isStatementLost(error) || result.notSent() || result.isOutdated()) {
            return true;
        }
        boolean ended = error.fromServer() && error.sqlState().startsWith("57P") && result.nothingRan();
        return ended || (error.connectionLost() && flush.access() == Access.READ);
    }

    private static boolean isStatementLost(SqlError error) {
        return STATEMENT_LOST.contains(error.sqlState());
    }

    /** Whether a session whose statement failed can be brought back to a clean state. */
    static boolean mendable(SqlError error) {
        return error.fromServer() && !error.connectionLost() && !isStatementLost(error);
    }

    /** One attempt, on a connection that it does not share. */
    private final class Attempt {
        private final WatchedConnection connection;
        private final FlushResult result =
                new FlushResult(FlushText.mainQuery(true, flush.before()), InFlightRequest.this::payer);

        Attempt(PooledConnection<TenantLogin, FlushConnection> lent) {
            this.connection = new WatchedConnection(pools, clock, lent, () -> {});
        }

        void run() {
            long began = System.nanoTime();
            written().thenCompose(this::ended).whenComplete((transaction, failure) -> {
                times.took(flush.query().sql(), System.nanoTime() - began);
                if (failure == null) {
                    connection.end(transaction == 'I');
                    succeed(result);
                } else {
                    failed(failure instanceof CompletionException e ? e.getCause() : failure);
                }
            });
            carriedBy(connection::cancel);
            if (cancelled) {
                connection.cancel();
            }
        }

        private CompletableFuture<Character> written() {
            try {
                List<FlushStatement> statements = FlushText.of(tenant, flush);
                return repeated
                        ? connection.session().sendUnprepared(statements, result)
                        : connection.session().send(statements, result);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        /** Ends a transaction that waits for our word. */
        private CompletableFuture<Character> ended(char transaction) {
            if (!(flush.ending() instanceof TransactionEnd.CommitIf condition)) {
                return CompletableFuture.completedFuture(transaction);
            }
            boolean commit = condition.acceptable().test(result.onlyRow());
            return connection
                    .session()
                    .send(commit ? FlushText.commit(tenant) : FlushText.afterFailure(tenant), result);
        }

        private void failed(Throwable why) {
            if (result.committed() && why instanceof SqlError) {
                // Only the cleaning failed: the request did not.
                connection.end(false);
                succeed(result);
            } else if (why instanceof SqlError error && mendable(error)) {
                connection
                        .session()
                        .send(FlushText.afterFailure(tenant), FlushResult.ofNoRow())
                        .whenComplete((transaction, unmended) -> {
                            connection.end(unmended == null && transaction == 'I');
                            refused(error, result);
                        });
            } else {
                connection.end(false);
                if (why instanceof SqlError error) {
                    refused(error, result);
                } else {
                    fail(why);
                }
            }
        }
    }
}
