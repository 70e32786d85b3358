package svc.api.db;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import svc.api.tenancy.Tenant;
import svc.database.name.DatabaseRole;

/**
 * One flush on its way: a connection, the write, what comes back, the end of the transaction, the connection's return.
 * Each step follows the one before on the thread that brought its result, mostly the connection's event loop; none waits.
 *
 * <p>It is tried a second time, on another connection, when it is certain that nothing of it was done: when the
 * connection was found dead or without our statements before the first of them ran. A flush that only reads is also
 * repeated when the connection broke in the middle.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What a step comes to is the next one's, and in the end the row's.
public final class RunningFlush {
    private static final Logger LOG = Logger.getLogger(RunningFlush.class);

    /**
     * What the server says when it no longer has a statement of ours, or has another one in its place: tenant code has
     * tampered with prepared statements. invalid_sql_statement_name, duplicate_prepared_statement, protocol_violation.
     */
    private static final Set<String> STATEMENT_LOST = Set.of("26000", "42P05", "08P01");

    private final ProjectPools pools;
    private final FlushClock clock;
    private final Tenant tenant;
    private final DatabaseRole login;
    private final Flush flush;
    private final CompletableFuture<FlushRow> row = new CompletableFuture<>();
    private volatile FlushClock.Running watched;
    private volatile boolean cancelled;

    RunningFlush(ProjectPools pools, FlushClock clock, Tenant tenant, DatabaseRole login, Flush flush) {
        this.pools = pools;
        this.clock = clock;
        this.tenant = tenant;
        this.login = login;
        this.flush = flush;
    }

    RunningFlush begin() {
        onConnection(false);
        return this;
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

    /** Nobody wants the row any more: what still runs is stopped, and rolled back. After the end it does nothing. */
    public void cancel() {
        cancelled = true;
        FlushClock.Running running = watched;
        if (running != null) {
            clock.cancel(running);
        }
    }

    private void onConnection(boolean again) {
        CompletableFuture<PooledConnection<TenantLogin, FlushConnection>> asked;
        try {
            asked = pools.lend(tenant, login, flush.access());
        } catch (RuntimeException e) {
            row.completeExceptionally(e);
            return;
        }
        asked.whenComplete((lent, refused) -> {
            if (refused != null) {
                row.completeExceptionally(refused);
            } else if (!lent.connection().clean()) {
                pools.discard(lent);
                onConnection(again);
            } else {
                new Attempt(lent, again).run();
            }
        });
    }

    /** Whether a session whose statement failed can be brought back to a clean state. */
    static boolean mendable(SqlError error) {
        return error.fromServer() && !error.connectionLost() && !STATEMENT_LOST.contains(error.sqlState());
    }

    /** One attempt, on one connection. */
    private final class Attempt {
        private final PooledConnection<TenantLogin, FlushConnection> lent;
        private final FlushConnection connection;
        private final boolean again;
        private final FlushResult result = new FlushResult(FlushText.mainQuery(true, flush.before()));

        Attempt(PooledConnection<TenantLogin, FlushConnection> lent, boolean again) {
            this.lent = lent;
            this.connection = lent.connection();
            this.again = again;
        }

        void run() {
            watched = clock.watch(lent);
            if (cancelled) {
                end(true, null, SqlError.of(new PSQLException("the caller has gone", PSQLState.QUERY_CANCELED)));
                return;
            }
            written().thenCompose(this::ended).whenComplete((transaction, failure) -> {
                if (failure == null) {
                    end(transaction == 'I' && connection.clean(), result.onlyRow(), null);
                } else {
                    failed(failure instanceof CompletionException e ? e.getCause() : failure);
                }
            });
        }

        private CompletableFuture<Character> written() {
            try {
                List<FlushStatement> statements = FlushText.of(tenant, flush);
                // Statements that were lost once may be lost on each connection by now; what has no name cannot be.
                return again ? connection.sendUnprepared(statements, result) : connection.send(statements, result);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        /** Ends a transaction that waits for our word. */
        private CompletableFuture<Character> ended(char transaction) {
            FlushRow found = result.onlyRow();
            if (!(flush.ending() instanceof Ending.CommitIf condition)) {
                return CompletableFuture.completedFuture(transaction);
            }
            boolean commit = condition.acceptable().test(found);
            return connection.send(commit ? FlushText.commit(tenant) : FlushText.afterFailure(tenant), result);
        }

        private void failed(Throwable why) {
            if (result.committed() && why instanceof SqlError) {
                // Only the cleaning failed: the request did not.
                end(false, result.onlyRow(), null);
            } else if (why instanceof SqlError error && mendable(error)) {
                connection
                        .send(FlushText.afterFailure(tenant), FlushResult.ofNoRow())
                        .whenComplete((transaction, unmended) ->
                                end(unmended == null && transaction == 'I' && connection.clean(), null, error));
            } else {
                end(false, null, why);
            }
        }

        /** @param clean whether the connection is as it was before */
        private void end(boolean clean, FlushRow found, Throwable why) {
            boolean inTime = clock.end(watched);
            if (clean && inTime) {
                pools.giveBack(lent);
            } else {
                pools.discard(lent);
            }
            if (why == null) {
                row.complete(found);
            } else if (!again && !cancelled && why instanceof SqlError error && repeatable(error)) {
                LOG.debugf("a flush of %s is repeated after %s", tenant.ref(), error.sqlState());
                onConnection(true);
            } else {
                row.completeExceptionally(why);
            }
        }

        /**
         * A statement that is missing leaves the transaction uncommitted. A session that the server itself ended sends
         * what it had done before that news, so no answer means that nothing was done; of a socket that merely broke
         * nothing is known, but that the end of the transaction did not go through it when it had broken before.
         */
        private boolean repeatable(SqlError error) {
            if (STATEMENT_LOST.contains(error.sqlState()) || result.notSent()) {
                return true;
            }
            boolean ended = error.fromServer() && error.sqlState().startsWith("57P") && result.nothingRan();
            return ended || (error.connectionLost() && flush.access() == Flush.Access.READ);
        }
    }
}
