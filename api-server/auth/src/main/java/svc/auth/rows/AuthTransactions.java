package svc.auth.rows;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.database.name.DatabaseRole;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.SqlError;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionSteps.Outcome;

/**
 * Transactions on a project's auth schema, as the project's {@code system} login. The tables of a project are created at the
 * first use: then the operator is asked for them, and the transaction is repeated.
 */
public final class AuthTransactions {
    /** Waits for the operator to create the tables, usually a tenth of a second. */
    private static final RetryPolicy PROVISIONING = RetryPolicy.untilSuccess()
            .withDelay(Duration.ofMillis(25))
            .withTimeout(Duration.ofSeconds(8))
            .retryOn(failure -> false);

    /** Unique constraints on the addresses and numbers of users. */
    private static final Set<String> ADDRESSES = Set.of("users_email_partial_key", "users_phone_key");

    private static final Executor THREADS =
            work -> Thread.ofVirtual().name("auth-").start(work);

    private final TenantTransactions transactions;

    public AuthTransactions(TenantTransactions transactions) {
        this.transactions = transactions;
    }

    /** The work of one transaction, which is committed unless it throws. */
    @FunctionalInterface
    public interface Work<T> {
        T in(AuthSession db);
    }

    /**
     * Runs the work in a transaction.
     *
     * @throws AuthError of the work; 503 when the tables are not created in time
     * @throws SqlError of PostgreSQL or of a tenant's trigger
     */
    public <T> T run(Tenant tenant, Work<T> work) {
        try {
            return once(tenant, work);
        } catch (SqlError e) {
            // A tenant's trigger that names a missing table looks the same: then its error is the answer.
            if (!e.notPrepared() || !e.fromServer() || isComplete(tenant)) {
                throw e;
            }
        }
        once(tenant, db -> db.requestTables("auth"));
        if (!becomesComplete(tenant)) {
            throw AuthErrorCode.DATABASE_UNAVAILABLE.error();
        }
        return once(tenant, work);
    }

    /** A query without a transaction of several statements: one network write. Does not block; fails as {@link #run}. */
    public <T> CompletableFuture<Optional<T>> askAsync(Tenant tenant, AuthQuery<T> query) {
        return transactions
                .start(tenant, DatabaseRole.SYSTEM, query.flush(tenant))
                .row()
                .thenApply(row -> row.text(0).map(AuthSession::read).map(query.mapping()))
                .exceptionallyCompose(thrown -> {
                    Throwable why = cause(thrown);
                    boolean unprepared = why instanceof SqlError e && e.notPrepared() && e.fromServer();
                    return unprepared
                            ? onThread(() -> run(tenant, db -> db.ask(query)))
                            : CompletableFuture.failedFuture(why);
                });
    }

    /** Runs work that blocks on a virtual thread. */
    public static <T> CompletableFuture<T> onThread(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, THREADS);
    }

    /** Blocks until a stage completes, and throws its cause. */
    public static <T> T await(CompletableFuture<T> stage) {
        try {
            return stage.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : e;
        }
    }

    public static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    }

    /** Repeats the work once when a concurrent call has taken the user's address: then the work finds that user. */
    public <T> T runAgainIfTaken(Tenant tenant, Work<T> work) {
        try {
            return run(tenant, work);
        } catch (SqlError e) {
            if (!isTaken(e)) {
                throw e;
            }
            return run(tenant, work);
        }
    }

    static boolean isTaken(SqlError error) {
        return error.is("23505")
                && error.constraint().filter(ADDRESSES::contains).isPresent();
    }

    private <T> T once(Tenant tenant, Work<T> work) {
        return transactions.transact(
                tenant,
                DatabaseRole.SYSTEM,
                Access.WRITE,
                steps -> new Outcome<>(work.in(new AuthSession(tenant, steps)), true));
    }

    private boolean isComplete(Tenant tenant) {
        return once(tenant, AuthSession::complete);
    }

    private boolean becomesComplete(Tenant tenant) {
        try {
            return PROVISIONING.callUntil(() -> isComplete(tenant), complete -> complete);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
