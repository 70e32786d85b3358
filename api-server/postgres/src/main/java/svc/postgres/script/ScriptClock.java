package svc.postgres.script;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * The timeout of one script. When it expires, or when the caller has left, the script is cancelled, repeatedly because it
 * can catch the cancellation; then its session is terminated, which it cannot catch; then the connection is closed, so
 * that the caller gets an answer even if the server does not react.
 */
final class ScriptClock implements AutoCloseable {
    /** From the first cancellation to the end of the session. */
    static final Duration CANCELLING = Duration.ofSeconds(5);

    /** From then until the connection is cut. */
    static final Duration ENDING = Duration.ofSeconds(3);

    private static final Logger LOG = Logger.getLogger(ScriptClock.class);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    private final ScheduledExecutorService timer;
    private final OwnerSession session;
    private final SessionEnding ending;
    private final List<Future<?>> ticks = new ArrayList<>();
    private Optional<Reason> stopped = Optional.empty();
    private boolean over;
    private boolean cut;

    /** Why a script was stopped. */
    enum Reason {
        TIME,
        CALLER_LEFT;

        ScriptOutcome outcome() {
            return switch (this) {
                case TIME -> new ScriptOutcome.TimedOut();
                case CALLER_LEFT -> new ScriptOutcome.CallerLeft();
            };
        }
    }

    /** Ends the session of this clock. */
    @FunctionalInterface
    interface SessionEnding {
        void end(Duration timeout) throws IOException;
    }

    ScriptClock(ScheduledExecutorService timer, OwnerSession session, Duration time, SessionEnding ending) {
        this.timer = timer;
        this.session = session;
        this.ending = ending;
        ticks.add(timer.schedule(() -> stop(Reason.TIME), time.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Why the script was stopped; empty for one that may go on. */
    synchronized Optional<Reason> stopped() {
        return stopped;
    }

    /** Stops the script from now on. */
    synchronized void stop(Reason reason) {
        if (over || stopped.isPresent()) {
            return;
        }
        stopped = Optional.of(reason);
        ticks.add(timer.scheduleAtFixedRate(
                () -> apart("cancel-script", () -> session.cancel(REQUEST_TIMEOUT)),
                0,
                AGAIN.toMillis(),
                TimeUnit.MILLISECONDS));
        ticks.add(timer.schedule(
                () -> apart("end-script", () -> ending.end(REQUEST_TIMEOUT)),
                CANCELLING.toMillis(),
                TimeUnit.MILLISECONDS));
        ticks.add(timer.schedule(
                () -> apart("cut-script", this::cut), CANCELLING.plus(ENDING).toMillis(), TimeUnit.MILLISECONDS));
    }

    private void cut() {
        synchronized (this) {
            cut = true;
        }
        session.close();
    }

    /** Whether the server reacted to nothing, so that the script's backend may still run. */
    synchronized boolean hasCut() {
        return cut;
    }

    private interface Step {
        void run() throws IOException;
    }

    /** The timer has one thread for all scripts, so no step may block it. */
    private static void apart(String name, Step step) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                step.run();
            } catch (IOException e) {
                LOG.warnf(e, "%s did not reach the server", name);
            }
        });
    }

    /** The script is over. */
    @Override
    public synchronized void close() {
        over = true;
        ticks.forEach(tick -> tick.cancel(false));
    }
}
