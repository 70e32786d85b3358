package svc.api.db.owner;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jboss.logging.Logger;
import svc.api.db.owner.ScriptRun.Mode;

/**
 * Runs scripts, each in a session of its own that is closed afterwards: what a script leaves behind in its session is
 * gone with it. Time is kept by our clock, because a script can lift any limit that its session has.
 */
public final class OwnerSessions implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(OwnerSessions.class);

    /** What the last steps of the clock may take; the socket itself waits a little longer still. */
    private static final Duration SLACK =
            ScriptClock.CANCELLING.plus(ScriptClock.ENDING).plusSeconds(2);

    private final RunLimits limits;
    private final SessionEnd sessionEnd;
    private final Map<String, Integer> running = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("clock-of-scripts").factory());

    /** @param platform ends sessions that do not end themselves */
    public OwnerSessions(RunLimits limits, PlatformLogin platform) {
        this.limits = limits;
        this.sessionEnd = new SessionEnd(platform);
    }

    /** Runs a script that the gate has admitted, for a caller who waits until the end. */
    public ScriptOutcome run(OwnerLogin login, ScriptRun run) {
        return run(login, run, new CompletableFuture<>());
    }

    /**
     * Runs a script that the gate has admitted. Ends within the run's time and the ten seconds that a script has which
     * catches its cancellation.
     *
     * @param callerGone completes when nobody waits any more: what is not committed by then never will be
     */
    public ScriptOutcome run(OwnerLogin login, ScriptRun run, CompletionStage<?> callerGone) {
        return run(login, run, callerGone, TransactionWitness.NOBODY);
    }

    /** The same for whoever must know of the transaction. */
    public ScriptOutcome run(
            OwnerLogin login, ScriptRun run, CompletionStage<?> callerGone, TransactionWitness witness) {
        if (!enter(login.toString())) {
            return new ScriptOutcome.Busy();
        }
        try {
            ServerAddress address = ServerAddress.of(login.jdbcUrl());
            try (OwnerSession session =
                    OwnerSession.open(address, login.role(), login.password(), limits.login(), settings(run))) {
                session.patience(run.time().plus(SLACK));
                try (ScriptClock clock = clock(session, address, login, run)) {
                    callerGone.whenComplete((nothing, fault) -> clock.stop(ScriptClock.Reason.CALLER_LEFT));
                    return new ScriptTransaction(session, clock, limits, run, witness).run();
                }
            }
        } catch (OwnerSession.LoginRefusedException e) {
            LOG.warnf("%s cannot log in: %s", login, e.getMessage());
            return e.tooMany()
                    ? new ScriptOutcome.Busy()
                    : new ScriptOutcome.Unreachable("the database refuses the login");
        } catch (IOException e) {
            LOG.warnf(e, "while running a script as %s", login);
            return new ScriptOutcome.Unreachable("the connection to the database failed");
        } finally {
            running.merge(login.toString(), -1, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    private boolean enter(String login) {
        int[] before = new int[1];
        running.compute(login, (key, count) -> {
            before[0] = count == null ? 0 : count;
            return before[0] < limits.perProject() ? Integer.valueOf(before[0] + 1) : count;
        });
        return before[0] < limits.perProject();
    }

    /** Starting values that a script may change; they hold for one that does not, also when this process dies. */
    private static Map<String, String> settings(ScriptRun run) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("statement_timeout", Long.toString(run.time().plus(SLACK).toMillis()));
        if (run.mode() == Mode.READ_ONLY) {
            settings.put("default_transaction_read_only", "on");
        }
        return settings;
    }

    private ScriptClock clock(OwnerSession session, ServerAddress address, OwnerLogin login, ScriptRun run) {
        return new ScriptClock(timer, session, run.time(), patience -> {
            if (!sessionEnd.end(login, address, session.backend(), patience)) {
                LOG.debugf("the session %d of %s had ended by itself", session.backend(), login.role());
            }
        });
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
