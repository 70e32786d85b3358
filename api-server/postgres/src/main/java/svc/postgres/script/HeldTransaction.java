package svc.postgres.script;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.postgres.script.ScriptRun.Mode;

/**
 * A transaction whose scripts come one behind the other, each admitted by the gate by itself. It is bounded like one script:
 * it has one place among the project's runs and one time for all of it, idle time included. The first script that does not
 * run to its end ends it, and nothing of it is applied; where a savepoint was set, an error of SQL leaves it open, and only a
 * return to a savepoint or the end may follow.
 */
public final class HeldTransaction implements AutoCloseable {
    private static final SqlTemplate SET =
            SqlTemplate.of("pg_catalog.set_config(:'name', :'value', :'local'::pg_catalog.bool)");

    private final OwnerSessions.Opening opening;
    private final RunLimits limits;
    private final Mode mode;
    private final Duration time;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<OwnerSessions.Running> running = Optional.empty();
    private Optional<String> transaction = Optional.empty();
    private Optional<Future<?>> expiry = Optional.empty();
    private int savepoints;
    private volatile boolean over;

    HeldTransaction(OwnerSessions.Opening opening, RunLimits limits, Mode mode, Duration time) {
        this.opening = opening;
        this.limits = limits;
        this.mode = mode;
        this.time = time;
    }

    /**
     * Runs a script; the first one begins the transaction.
     *
     * @param run whose mode and time are the transaction's
     * @param callerGone completes when the caller has left or gave the script up
     * @return {@link ScriptOutcome.Committed} for a script that ran to its end, although nothing is committed yet
     */
    public ScriptOutcome run(ScriptRun run, CompletionStage<?> callerGone) {
        return step(callerGone, session -> {
            var script = new ScriptTransaction(
                    session.session(), session.clock(), limits, run.in(mode), TransactionListener.NONE);
            ScriptOutcome outcome = script.keepOpen(transaction);
            transaction = script.openTransaction();
            return outcome;
        });
    }

    /**
     * Asks what a statement takes and returns; it is not run.
     *
     * @param run the statement; a script must have begun the transaction
     * @param types of its first parameters, of {@code pg_type}; 0 for one that the server infers
     * @return {@link ScriptOutcome.Committed} when {@code found} has received the description
     */
    public ScriptOutcome describe(
            ScriptRun run, List<Integer> types, CompletionStage<?> callerGone, Consumer<StatementDescription> found) {
        return step(callerGone, session -> {
            var statement = new ScriptTransaction(
                    session.session(), session.clock(), limits, run.in(mode), TransactionListener.NONE);
            return statement.describeKept(transaction.orElseThrow(), types, found);
        });
    }

    /** A statement of the platform's own between two scripts. It begins the transaction if no script has. */
    private ScriptOutcome own(SqlFragment sql, CompletionStage<?> callerGone) {
        return step(callerGone, session -> {
            var statement = new ScriptTransaction(
                    session.session(),
                    session.clock(),
                    limits,
                    ScriptRun.of("", time).in(mode),
                    TransactionListener.NONE);
            ScriptOutcome outcome = statement.keepOpen(transaction, sql);
            transaction = statement.openTransaction();
            return outcome;
        });
    }

    /**
     * Sets a savepoint inside of those that are open.
     *
     * @return {@link ScriptOutcome.Committed} when it is set
     */
    public ScriptOutcome setSavepoint(CompletionStage<?> callerGone) {
        ScriptOutcome outcome = own(SqlFragment.of("SAVEPOINT ").append(name(savepoints)), callerGone);
        savepoints += outcome instanceof ScriptOutcome.Committed ? 1 : 0;
        return outcome;
    }

    /**
     * Undoes what came behind a savepoint, which stays set; those inside of it are gone.
     *
     * @param number of the savepoint, from 0 for the outermost
     */
    public ScriptOutcome returnToSavepoint(int number, CompletionStage<?> callerGone) {
        ScriptOutcome outcome = own(SqlFragment.of("ROLLBACK TO SAVEPOINT ").append(name(number)), callerGone);
        savepoints = number + 1;
        return outcome;
    }

    /**
     * Forgets a savepoint and those inside of it; what came behind them stays.
     *
     * @param number of the savepoint, from 0 for the outermost
     */
    public ScriptOutcome releaseSavepoint(int number, CompletionStage<?> callerGone) {
        ScriptOutcome outcome = own(SqlFragment.of("RELEASE SAVEPOINT ").append(name(number)), callerGone);
        savepoints = number;
        return outcome;
    }

    /** The gate lets no script name a savepoint, so ours are their numbers. */
    private static Identifier name(int number) {
        return Identifier.of("savepoint_" + number);
    }

    /**
     * Changes settings of the session.
     *
     * @param local whether they end with the transaction
     * @return with one row, of the values as the server writes them
     */
    public ScriptOutcome set(Map<String, String> settings, boolean local, CompletionStage<?> callerGone) {
        List<SqlFragment> calls = new ArrayList<>();
        settings.forEach((name, value) -> calls.add(
                SET.bind(Map.of("name", Literal.of(name), "value", Literal.of(value), "local", Literal.of(local)))));
        return own(SqlFragment.of("SELECT ").append(SqlFragment.join(", ", calls)), callerGone);
    }

    /** Whether it has ended, so that no savepoint of it is left. */
    public boolean isOver() {
        return over;
    }

    /** Commits, or rolls a read-only one back; nothing was begun if no script ran. The transaction is over. */
    public ScriptOutcome end(CompletionStage<?> callerGone) {
        try {
            return transaction.isEmpty() && !over
                    ? new ScriptOutcome.Committed(List.of(), Map.of())
                    : step(
                            callerGone,
                            session -> new ScriptTransaction(
                                            session.session(),
                                            session.clock(),
                                            limits,
                                            ScriptRun.of("", time).in(mode),
                                            TransactionListener.NONE)
                                    .endKept(transaction.orElseThrow()));
        } finally {
            close();
        }
    }

    @FunctionalInterface
    private interface Step {
        ScriptOutcome run(OwnerSessions.Running session) throws IOException;
    }

    private ScriptOutcome step(CompletionStage<?> callerGone, Step step) {
        lock.lock();
        try {
            if (over) {
                return new ScriptOutcome.TimedOut();
            }
            if (running.isEmpty()) {
                running = opening.running(time);
                if (running.isEmpty()) {
                    over = true;
                    return opening.busy();
                }
                expiry = Optional.of(opening.later(this::close, time));
            }
            OwnerSessions.Running session = running.get();
            callerGone.whenComplete((nothing, fault) -> session.clock().stop(ScriptClock.Reason.CALLER_LEFT));
            ScriptOutcome outcome = step.run(session);
            over = over || !staysOpen(outcome);
            return outcome;
        } catch (IOException e) {
            over = true;
            return opening.fault(e);
        } finally {
            lock.unlock();
            if (over) {
                close();
            }
        }
    }

    private boolean staysOpen(ScriptOutcome outcome) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed -> true;
            case ScriptOutcome.Failed failed ->
                savepoints > 0 && !failed.error().fatal();
            case ScriptOutcome.ParameterMismatch mismatch -> savepoints > 0;
            default -> false;
        };
    }

    /**
     * Rolls back what was not committed, by ending the session. At the end of the transaction's time as well: a script that
     * still runs then is stopped by the clock, and this waits for it.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            over = true;
            expiry.ifPresent(timer -> timer.cancel(false));
            running.ifPresent(session -> session.clock().close());
            opening.close();
        } finally {
            lock.unlock();
        }
    }
}
