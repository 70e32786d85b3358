package svc.postgres.script;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import svc.database.key.VaultKey;
import svc.platform.budget.Budget;
import svc.platform.budget.Permit;
import svc.postgres.script.ScriptRun.Mode;

/**
 * Runs scripts, each in its own session, which is closed afterwards with everything that the script left in it. Time is
 * kept by our clock, because a script can lift any limit that its session has.
 */
public final class OwnerSessions implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(OwnerSessions.class);

    /** What the last steps of the clock may take; the socket itself waits a little longer still. */
    static final Duration SLACK =
            ScriptClock.CANCELLING.plus(ScriptClock.ENDING).plusSeconds(2);

    private final RunLimits limits;
    private final SessionEnd sessionEnd;
    private final BackendEnd backendEnd;
    private final OwnerRepair repair;
    private final SessionPlaces places;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("clock-of-scripts").factory());

    /** @param platform ends sessions that do not end themselves, and restores logins */
    public OwnerSessions(RunLimits limits, PlatformLogin platform) {
        this.limits = limits;
        this.places = new SessionPlaces(limits);
        this.sessionEnd = new SessionEnd(platform);
        this.backendEnd = new BackendEnd(sessionEnd);
        this.repair = new OwnerRepair(platform);
    }

    /** Runs a script that the gate has admitted, for a caller that waits until the end. */
    public ScriptOutcome run(OwnerLogin login, ScriptRun run) {
        return run(login, run, new CompletableFuture<>());
    }

    /**
     * Runs a script that the gate has admitted. Ends within the run's time and the ten seconds that a script has which
     * catches its cancellation.
     *
     * @param callerGone completes when the caller has left: what is not committed by then never will be
     */
    public ScriptOutcome run(OwnerLogin login, ScriptRun run, CompletionStage<?> callerGone) {
        return run(login, run, callerGone, TransactionListener.NONE);
    }

    /** The same with a listener that learns of the transaction. */
    public ScriptOutcome run(
            OwnerLogin login, ScriptRun run, CompletionStage<?> callerGone, TransactionListener listener) {
        try (Opening opening = open(login, run.mode() == Mode.READ_ONLY, run.time())) {
            return opening.run(run, callerGone, listener);
        }
    }

    /**
     * Begins to log in, for a script that is still being judged. Nothing is sent but the login until {@link Opening#run}.
     *
     * @param readOnly whether the run will be {@link Mode#READ_ONLY}
     * @param time the run's
     */
    public Opening open(OwnerLogin login, boolean readOnly, Duration time) {
        return open(login, readOnly, time, Map.of());
    }

    /**
     * The same with starting values of the session's settings.
     *
     * @param wanted values that the server has accepted before, by the names that it gives them
     */
    public Opening open(OwnerLogin login, boolean readOnly, Duration time, Map<String, String> wanted) {
        var opening = new Opening(login, settings(readOnly, time, wanted));
        opening.begin();
        return opening;
    }

    /**
     * A transaction that takes scripts until it is ended; its login begins with the first.
     *
     * @param time of all of it
     */
    public HeldTransaction hold(OwnerLogin login, Mode mode, Duration time) {
        return hold(login, mode, time, Map.of());
    }

    /**
     * The same with starting values of the session's settings.
     *
     * @param wanted values that the server has accepted before, by the names that it gives them
     */
    public HeldTransaction hold(OwnerLogin login, Mode mode, Duration time, Map<String, String> wanted) {
        var opening = new Opening(login, settings(mode == Mode.READ_ONLY, time, wanted));
        return new HeldTransaction(opening, limits, mode, time);
    }

    /** For metrics. */
    public Budget budget() {
        return places.budget();
    }

    /** A second time, when the login itself was refused and could be restored. */
    private OwnerSession logIn(OwnerLogin login, Map<String, String> wanted) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>(wanted);
        if (!login.vaultKey().isEmpty()) {
            settings.put(VaultKey.SETTING, login.vaultKey());
        }
        ServerAddress address = ServerAddress.of(login.jdbcUrl());
        try {
            return OwnerSession.open(address, login.role(), login.password(), limits.login(), settings);
        } catch (OwnerSession.LoginRefusedException e) {
            if (e.ofTheRole() && repair.restored(login, address, limits.login())) {
                return OwnerSession.open(address, login.role(), login.password(), limits.login(), settings);
            }
            throw e;
        }
    }

    /** A session at work. */
    record Running(OwnerSession session, ScriptClock clock) {}

    @FunctionalInterface
    private interface Work {
        List<ScriptOutcome> run(OwnerSession session, ScriptClock clock) throws IOException;
    }

    /** A session that is being opened for one script; closing it ends the session, or lets it end once it is open. */
    public final class Opening implements AutoCloseable {
        private final OwnerLogin login;
        private final Map<String, String> settings;
        private final CompletableFuture<OwnerSession> session = new CompletableFuture<>();
        private Optional<Permit> place = Optional.empty();
        private volatile Optional<ScriptClock> clock = Optional.empty();

        private Opening(OwnerLogin login, Map<String, String> settings) {
            this.login = login;
            this.settings = settings;
        }

        /** Logs in if there is a place. */
        private void begin() {
            place = places.take(login);
            logInIfPlaced();
        }

        /** The same, but waits for a place. */
        private boolean beginSoon() throws IOException {
            place = places.await(login);
            logInIfPlaced();
            return place.isPresent();
        }

        private void logInIfPlaced() {
            if (place.isPresent()) {
                Thread.ofVirtual().name("log-in-as-owner").start(() -> {
                    try {
                        session.complete(logIn(login, settings));
                    } catch (IOException | RuntimeException e) {
                        session.completeExceptionally(e);
                    }
                });
            }
        }

        /**
         * Runs the one script that the gate has admitted, as {@link OwnerSessions#run} does.
         *
         * @param run with the time and the mode that the session was opened for
         */
        public ScriptOutcome run(ScriptRun run, CompletionStage<?> callerGone, TransactionListener listener) {
            return inSession(
                            run.time(),
                            callerGone,
                            (session, clock) ->
                                    List.of(new ScriptTransaction(session, clock, limits, run, listener).run()))
                    .getFirst();
        }

        /**
         * Runs scripts that the gate has admitted one behind the other in one transaction, which is rolled back.
         *
         * @param time for all of them, that the session was opened for
         * @return what became of each, up to the first that did not run to its end
         */
        public List<ScriptOutcome> rehearse(List<ScriptRun> runs, Duration time, CompletionStage<?> callerGone) {
            return inSession(
                    time, callerGone, (session, clock) -> ScriptTransaction.rehearse(session, clock, limits, runs));
        }

        /**
         * Asks what a statement that the gate has admitted takes and returns; it is not run.
         *
         * @param types of its first parameters, of {@code pg_type}; 0 for one that the server infers
         * @return {@link ScriptOutcome.Committed} when {@code found} has received the description
         */
        public ScriptOutcome describe(
                String sql,
                List<Integer> types,
                Duration time,
                CompletionStage<?> callerGone,
                Consumer<StatementDescription> found) {
            ScriptRun run = ScriptRun.of(sql, time).in(Mode.READ_ONLY);
            return inSession(
                            time,
                            callerGone,
                            (session, clock) ->
                                    List.of(new ScriptTransaction(session, clock, limits, run, TransactionListener.NONE)
                                            .describe(types, found)))
                    .getFirst();
        }

        private List<ScriptOutcome> inSession(Duration time, CompletionStage<?> callerGone, Work work) {
            try {
                Optional<Running> running = running(time);
                if (running.isEmpty()) {
                    return List.of(busy());
                }
                try (ScriptClock clock = running.get().clock()) {
                    callerGone.whenComplete((nothing, fault) -> clock.stop(ScriptClock.Reason.CALLER_LEFT));
                    return work.run(running.get().session(), clock);
                }
            } catch (IOException e) {
                return List.of(fault(e));
            }
        }

        /** The session and the clock of its work, which begins now; empty if there is no place for one more. */
        Optional<Running> running(Duration time) throws IOException {
            if (place.isEmpty() && !beginSoon()) {
                return Optional.empty();
            }
            OwnerSession open = opened();
            open.readTimeout(time.plus(SLACK));
            ScriptClock started = clock(open, ServerAddress.of(login.jdbcUrl()), login, time);
            clock = Optional.of(started);
            return Optional.of(new Running(open, started));
        }

        /** Does something apart from the work of the session. */
        Future<?> later(Runnable work, Duration after) {
            return timer.schedule(
                    () -> Thread.ofVirtual().name("expire-transaction").start(work),
                    after.toMillis(),
                    TimeUnit.MILLISECONDS);
        }

        /** The outcome of work that got no place. */
        ScriptOutcome busy() {
            return places.busy(login);
        }

        /** What work came to whose session broke, or never was. */
        ScriptOutcome fault(IOException e) {
            return SessionFaults.outcome(login, e);
        }

        private OwnerSession opened() throws IOException {
            try {
                return session.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException fault) {
                    throw fault;
                }
                throw new IllegalStateException("while logging in as " + login, e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("while logging in");
            }
        }

        /**
         * The place among the project's runs is free again when the session is closed; after a script that was cut off on a
         * server of the platform's, when its backend has ended.
         */
        @Override
        public void close() {
            Optional<Permit> held = place;
            place = Optional.empty();
            held.ifPresent(permit -> session.minimalCompletionStage().whenComplete((open, fault) -> {
                if (open != null) {
                    open.close();
                }
                if (open != null && clock.filter(ScriptClock::hasCut).isPresent()) {
                    backendEnd.await(login, ServerAddress.of(login.jdbcUrl()), open.backend(), permit::close);
                } else {
                    permit.close();
                }
            }));
        }
    }

    /** Starting values that a script may change; they hold for one that does not, also when this process dies. */
    private static Map<String, String> settings(boolean readOnly, Duration time, Map<String, String> wanted) {
        Map<String, String> settings = new LinkedHashMap<>(wanted);
        settings.putIfAbsent("statement_timeout", Long.toString(time.plus(SLACK).toMillis()));
        if (readOnly) {
            settings.put("default_transaction_read_only", "on");
        }
        return settings;
    }

    private ScriptClock clock(OwnerSession session, ServerAddress address, OwnerLogin login, Duration time) {
        return new ScriptClock(timer, session, time, timeout -> {
            if (!sessionEnd.end(login, address, session.backend(), timeout)) {
                LOG.debugf("the session %d of %s had ended by itself", session.backend(), login.role());
            }
        });
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
