package svc.realtime.reader;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import svc.platform.config.OutageLog;
import svc.postgres.SqlError;
import svc.postgres.replication.SlotConnection;
import svc.postgres.replication.SlotState;
import svc.postgres.replication.WalSource;

/**
 * One process's part in reading the log of one database. While something of this process follows the database, it watches
 * the slot: creates it when there is none, reads it when no other process does, and gives it up when it keeps too much of
 * the server's log. When nothing follows any more it stops reading, and drops the slot unless another process reads it, or the
 * operators keep it.
 *
 * <p>One thread watches and one reads; nothing runs and no connection is open while nothing follows.
 */
public final class DatabaseReader implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(DatabaseReader.class);

    private final OutageLog faults = new OutageLog(Clock.systemUTC());
    private final WalSource database;
    private final ReaderSettings settings;
    private final ReaderMetrics metrics;
    private final Runnable lost;
    private final PositionWaiters asked = new PositionWaiters();

    /** Guarded by this object. */
    private int followers;

    private boolean woken;
    private boolean closed;
    private Thread watcher;

    /** Of the watching thread alone. */
    private final SlotReading reading;

    private boolean known;

    /** Whether subscribers are to hear of a loss when there is a slot again. */
    private boolean owesWord;

    private long createdAt;
    private long watchedAt;
    private volatile long lagBytes;

    /** @param lost called when changes are lost for every listener: the slot had to be given up, or is gone */
    public DatabaseReader(
            WalSource database,
            LogRecipients recipients,
            ReaderSettings settings,
            ReaderMetrics metrics,
            Runnable lost) {
        this.database = database;
        this.reading = new SlotReading(database, recipients, metrics, this::wake);
        this.settings = settings;
        this.metrics = metrics;
        this.lost = lost;
    }

    /** Counts something that needs the log read. */
    public synchronized void follow() {
        followers++;
        if (watcher == null && !closed) {
            watcher = Thread.ofPlatform()
                    .daemon()
                    .name("svc-log-watcher-" + database.slot())
                    .start(this::watch);
        }
        wake();
    }

    public synchronized void unfollow() {
        followers--;
        wake();
    }

    /** A position of the log before everything that commits from its completion on; the slot has all of that. */
    public synchronized CompletableFuture<Long> position() {
        CompletableFuture<Long> position = asked.ask();
        wake();
        return position;
    }

    /** Whether the log is read by this process. */
    public boolean isReading() {
        return reading.isRunning();
    }

    /** Log that no reader has confirmed, when the slot's state was last read. */
    public long lagBytes() {
        return lagBytes;
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = watcher;
            wake();
        }
        try {
            if (running != null) {
                running.join(Duration.ofSeconds(10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void wake() {
        woken = true;
        notifyAll();
    }

    private synchronized boolean isWanted() {
        return followers > 0 && !closed;
    }

    private synchronized void pause(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (!woken && !closed) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        woken = false;
    }

    private void watch() {
        boolean failing = false;
        try {
            while (!finished()) {
                try (SlotConnection connection = database.open()) {
                    failing = false;
                    serve(connection);
                } catch (SqlError e) {
                    reading.stop();
                    LOG.logf(
                            failing ? Logger.Level.DEBUG : Logger.Level.WARN,
                            "the log of a database cannot be read, slot %s: %s",
                            database.slot(),
                            e.getMessage());
                    failing = true;
                    Thread.sleep(settings.poll());
                } catch (RuntimeException e) {
                    // The thread lives on: no other one would read the log for its followers.
                    reading.stop();
                    faults.line("watch", String.valueOf(e))
                            .ifPresent(line ->
                                    LOG.errorf(e, "watching the slot %s has failed: %s", database.slot(), line));
                    Thread.sleep(settings.poll());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            reading.stop();
        }
    }

    /** Ends the watching thread when nothing is left to do; whatever follows then starts another. */
    private synchronized boolean finished() {
        if (closed || (followers == 0 && !known)) {
            watcher = null;
            asked.fail();
            return true;
        }
        return false;
    }

    /** Until nothing follows any more and the slot is left, or the connection breaks. */
    private void serve(SlotConnection connection) throws InterruptedException {
        long unwantedSince = 0;
        while (true) {
            if (isWanted()) {
                unwantedSince = 0;
                step(connection);
            } else if (isClosed()) {
                leave(connection);
                return;
            } else {
                unwantedSince = unwantedSince == 0 ? System.nanoTime() : unwantedSince;
                if (System.nanoTime() - unwantedSince >= settings.linger().toNanos()) {
                    leave(connection);
                    return;
                }
                if (reading.hasBegun() || reading.isBetweenStreams()) {
                    step(connection);
                }
            }
            pause(reading.pause(settings.poll()));
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Reads the slot's state, and does what it asks for. */
    private void step(SlotConnection connection) throws InterruptedException {
        List<CompletableFuture<Long>> waiting = asked.take();
        try {
            SlotState state = connection.state();
            metrics.lag(state.unconfirmedBytes());
            lagBytes = state.unconfirmedBytes();
            if (state.lost() || settings.isTooMuch(state) || reading.isStuck()) {
                abandon(connection, state);
                state = connection.state();
            }
            if (!state.found()) {
                state = create(connection);
            }
            if (state.found()) {
                known = true;
                reading.begin(state, createdAt);
                reading.readBeside(connection, state);
                long position = state.logPosition();
                waiting.forEach(asking -> asking.complete(position));
                watched();
            }
        } finally {
            asked.giveBack(waiting);
        }
    }

    /** The slot was seen. */
    private void watched() {
        long now = System.nanoTime();
        boolean unwatched =
                watchedAt != 0 && now - watchedAt > settings.trusted().toNanos();
        watchedAt = now;
        if (unwatched && settings.standing()) {
            LOG.warnf("the slot %s was not seen for long and may have been advanced", database.slot());
            lost.run();
        }
    }

    private SlotState create(SlotConnection connection) {
        reading.reset();
        // Another process gave it up, an administrator dropped it, or this process has.
        boolean again = known || owesWord;
        if (known) {
            owesWord = true;
            known = false;
            lost.run();
        }
        database.create();
        SlotState state = connection.state();
        createdAt = state.confirmed();
        LOG.infof("the log of a database is read through the slot %s", database.slot());
        if (again) {
            // Also channels that subscribed while there was no slot.
            owesWord = false;
            lost.run();
        }
        return state;
    }

    private void abandon(SlotConnection connection, SlotState state) throws InterruptedException {
        LOG.errorf(
                "the slot %s is of no use: %d bytes of the log are not confirmed, %d are kept; it is dropped, and the"
                        + " loss of changes is reported to subscribers",
                database.slot(), state.unconfirmedBytes(), state.keptBytes());
        metrics.abandoned();
        reading.stop();
        reading.drop();
        // Other processes notice that it is gone before it is there again.
        Thread.sleep(settings.noticed());
        known = connection.state().found();
        owesWord = true;
        lost.run();
    }

    /** Leaves the slot to another process that follows; drops it when there is none. */
    private void leave(SlotConnection connection) throws InterruptedException {
        boolean wasReading = reading.isRunning();
        reading.stop();
        if (wasReading) {
            Thread.sleep(settings.noticed());
        }
        SlotState state = connection.state();
        if (state.found() && !state.active() && !isWanted() && !(settings.standing() && connection.stands())) {
            reading.drop();
            LOG.infof("the log of a database is read no more, slot %s", database.slot());
        }
        known = false;
        createdAt = 0;
        watchedAt = 0;
    }
}
