package svc.api.db.owner;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Runs scripts, each in a session of its own that is closed afterwards: what a script leaves behind in its session is
 * gone with it. Time is kept by our clock, because a script can lift any limit that its session has.
 */
public final class OwnerSessions implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(OwnerSessions.class);

    private static final Duration CANCEL_AGAIN = Duration.ofSeconds(1);
    private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(2);

    /** A script may catch a cancellation; after this it is not asked any more. */
    private static final Duration CUT_AFTER = Duration.ofSeconds(5);

    /** Begins at another microsecond than any message that follows, so it names the transaction; no script can set it. */
    private static final String TRANSACTION = "SELECT EXTRACT(epoch FROM pg_catalog.transaction_timestamp())";

    private final RunLimits limits;
    private final Map<String, Integer> running = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cancel-scripts").factory());

    public OwnerSessions(RunLimits limits) {
        this.limits = limits;
    }

    /**
     * Runs a script that the gate has admitted, from BEGIN to COMMIT.
     *
     * @param jdbcUrl the project's database, without credentials
     * @param login the owner's role
     * @param sql sent as it is, in one message
     */
    public ScriptOutcome run(String jdbcUrl, String login, String password, String sql) {
        if (!enter(login)) {
            return new ScriptOutcome.Busy();
        }
        try (OwnerSession session = OwnerSession.open(ServerAddress.of(jdbcUrl), login, password, limits.login())) {
            return run(session, sql);
        } catch (OwnerSession.LoginRefusedException e) {
            LOG.warnf("%s cannot log in: %s", login, e.getMessage());
            return e.getMessage().startsWith("53300")
                    ? new ScriptOutcome.Busy()
                    : new ScriptOutcome.Unreachable("the database refuses the login");
        } catch (IOException e) {
            LOG.warnf(e, "while running a script as %s", login);
            return new ScriptOutcome.Unreachable("the connection to the database failed");
        } finally {
            running.merge(login, -1, (a, b) -> a + b == 0 ? null : a + b);
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

    private ScriptOutcome run(OwnerSession session, String sql) throws IOException {
        var cutter = new Cutter(session);
        session.patience(limits.time().plus(CUT_AFTER).plus(CANCEL_AGAIN));
        try (cutter) {
            ScriptOutcome outcome = transaction(session, sql);
            return cutter.due() && !(outcome instanceof ScriptOutcome.Committed)
                    ? new ScriptOutcome.TimedOut()
                    : outcome;
        } catch (IOException e) {
            if (cutter.due()) {
                return new ScriptOutcome.TimedOut();
            }
            throw e;
        }
    }

    private ScriptOutcome transaction(OwnerSession session, String sql) throws IOException {
        var ignored = new RowCollector(limits);
        OwnerSession.Reply begun = session.query("BEGIN", ignored);
        if (begun.error().isPresent()) {
            return new ScriptOutcome.Failed(begun.error().get());
        }
        String before = transactionName(session);
        var rows = new RowCollector(limits);
        OwnerSession.Reply ran = session.query(sql, rows);
        if (ran.error().isPresent()) {
            return new ScriptOutcome.Failed(ran.error().get());
        }
        if (!ran.inTransaction() || !before.equals(transactionName(session))) {
            return new ScriptOutcome.LeftTransaction();
        }
        OwnerSession.Reply committed = session.query("COMMIT", ignored);
        if (committed.error().isPresent()) {
            // A deferred constraint, or a trigger that waited for the end; of no place in the text.
            return new ScriptOutcome.Failed(committed.error().get());
        }
        return committed.commands().equals(java.util.List.of("COMMIT"))
                ? new ScriptOutcome.Committed(ran.commands(), rows.result())
                : new ScriptOutcome.LeftTransaction();
    }

    private String transactionName(OwnerSession session) throws IOException {
        var rows = new RowCollector(limits);
        OwnerSession.Reply reply = session.query(TRANSACTION, rows);
        Optional<ResultRows> result = rows.result().filter(found -> found.rows().size() == 1);
        if (reply.error().isPresent() || result.isEmpty()) {
            throw new IOException("the server does not name its transaction: "
                    + reply.error().map(ServerError::message).orElse("no row"));
        }
        return new String(result.get().rows().getFirst()[0], java.nio.charset.StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    /** Cancels a script when its time is over, again and again, and cuts its connection when that is of no use. */
    private final class Cutter implements AutoCloseable {
        private final OwnerSession session;
        private final ScheduledFuture<?> ticks;
        private final ScheduledFuture<?> end;
        private volatile boolean due;

        Cutter(OwnerSession session) {
            this.session = session;
            long time = limits.time().toMillis();
            this.ticks = clock.scheduleAtFixedRate(this::cancel, time, CANCEL_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            this.end = clock.schedule(session::close, time + CUT_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        }

        boolean due() {
            return due;
        }

        private void cancel() {
            due = true;
            Thread.ofVirtual().name("cancel-script").start(() -> {
                try {
                    session.cancel(CANCEL_PATIENCE);
                } catch (IOException e) {
                    LOG.debugf(e, "a cancellation did not reach the server");
                }
            });
        }

        @Override
        public void close() {
            ticks.cancel(false);
            end.cancel(false);
        }
    }
}
