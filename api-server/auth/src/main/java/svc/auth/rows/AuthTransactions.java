package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
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
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.SqlError;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionSteps.Outcome;

/**
 * Transactions on a project's companion, as the project's own {@code system} login. A project that never used the service
 * has not all of its tables: then the operator is asked for them, and the transaction runs again.
 */
public final class AuthTransactions {
    /** Longest wait for the operator; it takes a tenth of a second when it is well. */
    private static final Duration TIMEOUT = Duration.ofSeconds(8);

    /** What keeps an address or a number with one user. */
    private static final Set<String> ADDRESSES = Set.of("users_email_partial_key", "users_phone_key");

    private static final Duration PAUSE = Duration.ofMillis(25);

    private static final Executor THREADS =
            work -> Thread.ofVirtual().name("auth-").start(work);

    private final TenantTransactions transactions;

    public AuthTransactions(TenantTransactions transactions) {
        this.transactions = transactions;
    }

    /** What is done in one transaction. */
    @FunctionalInterface
    public interface Work<T> {
        Outcome<T> with(AuthSession rows);
    }

    /**
     * Runs it, and rolls back what it did when it throws.
     *
     * @throws AuthError as {@code work} throws it; or of 503 when the tables are not made in time
     * @throws SqlError what PostgreSQL answered, a tenant's trigger among others
     */
    public <T> T run(Tenant tenant, Work<T> work) {
        try {
            return once(tenant, work);
        } catch (SqlError e) {
            // A tenant's trigger that names a table which is not there looks the same: that is its answer then.
            if (!e.notPrepared() || !e.fromServer() || isComplete(tenant)) {
                throw e;
            }
        }
        once(tenant, rows -> new Outcome<>(rows.wish("auth"), true));
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!isComplete(tenant)) {
            if (System.nanoTime() > end) {
                throw AuthErrorCode.DATABASE_UNAVAILABLE.error();
            }
            pause();
        }
        return once(tenant, work);
    }

    /** One statement that is a transaction by itself: one network write instead of one for each statement and the end. */
    public Optional<JsonNode> ask(Tenant tenant, AuthQuery question) {
        return await(askSoon(tenant, question));
    }

    /** The same for a caller that must not wait. Fails as {@link #run} throws. */
    public CompletableFuture<Optional<JsonNode>> askSoon(Tenant tenant, AuthQuery question) {
        return transactions
                .start(tenant, DatabaseRole.SYSTEM, question.flush(tenant))
                .row()
                .thenApply(row -> row.text(0).map(AuthSession::read))
                .exceptionallyCompose(thrown -> {
                    Throwable why = cause(thrown);
                    boolean unprepared = why instanceof SqlError e && e.notPrepared() && e.fromServer();
                    return unprepared
                            ? onThread(() -> run(tenant, rows -> new Outcome<>(rows.ask(question), true)))
                            : CompletableFuture.failedFuture(why);
                });
    }

    /** What may have to wait, on a thread of its own. */
    public static <T> CompletableFuture<T> onThread(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, THREADS);
    }

    /** What was begun, for a caller that may wait. */
    public static <T> T await(CompletableFuture<T> begun) {
        try {
            return begun.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : e;
        }
    }

    /** What a step failed with. */
    public static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    }

    /**
     * The same as {@link #run}; and once more when somebody else has meanwhile taken the address that it gives a user, for
     * then the work finds that user.
     */
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

    public static boolean isTaken(SqlError error) {
        return error.is("23505")
                && error.constraint().filter(ADDRESSES::contains).isPresent();
    }

    private <T> T once(Tenant tenant, Work<T> work) {
        return transactions.transact(
                tenant, DatabaseRole.SYSTEM, Access.WRITE, steps -> work.with(new AuthSession(tenant, steps)));
    }

    private boolean isComplete(Tenant tenant) {
        return once(tenant, rows -> new Outcome<>(rows.complete(), true));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AuthErrorCode.DATABASE_UNAVAILABLE.error();
        }
    }
}
