package svc.realtime.reader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import svc.postgres.SqlError;
import svc.postgres.replication.LogDatabase;
import svc.postgres.replication.SlotConnection;
import svc.postgres.replication.SlotState;
import svc.realtime.bus.ProjectBus;
import svc.realtime.change.DatabaseMessages;
import svc.realtime.reader.LogPump.HandedMessages;

/**
 * One process's part in reading the log of one database. While something of this process follows the database, it watches
 * the slot: creates it when there is none, reads it when no other process does, and gives it up when it keeps too much of
 * the server's log. When nothing follows any more it stops reading, and drops the slot unless another process reads it.
 *
 * <p>One thread watches and one reads; nothing runs and no connection is open while nothing follows.
 */
public final class DatabaseReader implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(DatabaseReader.class);

    private static final String IN_USE = "55006";

    private final LogDatabase database;
    private final ProjectTables tables;
    private final ProjectBus bus;
    private final DatabaseMessages messages;
    private final ReaderSettings settings;
    private final ReaderMetrics metrics;
    private final Runnable lost;
    private final HandedMessages handed = new HandedMessages();

    private final AskedPositions asked = new AskedPositions();

    /** Guarded by this object. */
    private int followers;

    private boolean woken;
    private boolean closed;
    private Thread watcher;

    /** Of the watching thread alone. */
    private LogPump pump;

    private boolean known;
    private long createdAt;

    /** @param lost called when changes are lost for every listener: the slot had to be given up, or is gone */
    public DatabaseReader(
            LogDatabase database,
            ProjectTables tables,
            ProjectBus bus,
            DatabaseMessages messages,
            ReaderSettings settings,
            ReaderMetrics metrics,
            Runnable lost) {
        this.database = database;
        this.tables = tables;
        this.bus = bus;
        this.messages = messages;
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

    private void wake() {
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
                    stopReading();
                    LOG.logf(
                            failing ? Logger.Level.DEBUG : Logger.Level.WARN,
                            "the log of a database cannot be read, slot %s: %s",
                            database.slot(),
                            e.getMessage());
                    failing = true;
                    Thread.sleep(settings.poll());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopReading();
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
                if (pump != null) {
                    step(connection);
                }
            }
            pause(settings.poll());
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
            metrics.lag(state.keptBytes());
            if (state.lost() || settings.isTooMuch(state)) {
                abandon(connection, state);
                state = connection.state();
            }
            if (!state.found()) {
                state = create(connection);
            }
            if (state.found()) {
                known = true;
                read(state);
                long position = state.logPosition();
                waiting.forEach(asking -> asking.complete(position));
            }
        } finally {
            asked.giveBack(waiting);
        }
    }

    private SlotState create(SlotConnection connection) {
        stopReading();
        if (known) {
            // Another process gave it up, or an administrator dropped it.
            known = false;
            lost.run();
        }
        database.create();
        SlotState state = connection.state();
        createdAt = state.confirmed();
        LOG.infof("the log of a database is read through the slot %s", database.slot());
        return state;
    }

    private void abandon(SlotConnection connection, SlotState state) throws InterruptedException {
        LOG.errorf(
                "the slot %s keeps %d bytes of the log, more than its limit: it is dropped, and the"
                        + " loss of changes is reported to subscribers",
                database.slot(), state.keptBytes());
        metrics.abandoned();
        stopReading();
        drop();
        // Other processes notice that it is gone before it is there again.
        Thread.sleep(settings.noticed());
        known = connection.state().found();
        lost.run();
    }

    private void read(SlotState state) {
        if (pump != null && pump.isEnded()) {
            pump = null;
        }
        if (pump != null || state.active()) {
            return;
        }
        try {
            pump = new LogPump(database.stream(), createdAt, tables, bus, messages, handed, metrics);
        } catch (SqlError e) {
            if (!e.is(IN_USE)) {
                throw e;
            }
            // Another process was quicker.
            return;
        }
        Thread.ofPlatform().daemon().name("svc-log-reader-" + database.slot()).start(pump);
    }

    /** Leaves the slot to another process that follows; drops it when there is none. */
    private void leave(SlotConnection connection) throws InterruptedException {
        boolean reading = pump != null && !pump.isEnded();
        stopReading();
        if (reading) {
            Thread.sleep(settings.noticed());
        }
        SlotState state = connection.state();
        if (state.found() && !state.active() && !isWanted()) {
            drop();
            LOG.infof("the log of a database is read no more, slot %s", database.slot());
        }
        known = false;
        createdAt = 0;
    }

    private void drop() throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            try {
                database.drop();
                return;
            } catch (SqlError e) {
                if (!e.is(IN_USE) || attempt == 20) {
                    throw e;
                }
                // The server has not noticed yet that the reader has gone.
                Thread.sleep(100);
            }
        }
    }

    private void stopReading() {
        if (pump != null) {
            pump.stop();
            pump = null;
        }
    }
}
