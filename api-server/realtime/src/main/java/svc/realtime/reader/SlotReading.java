package svc.realtime.reader;

import svc.postgres.SqlError;
import svc.postgres.replication.LogDatabase;
import svc.postgres.replication.SlotState;
import svc.realtime.bus.ProjectBus;
import svc.realtime.change.DatabaseMessages;
import svc.realtime.reader.LogPump.HandedMessages;

/** This process's stream of a slot: at most one, on a thread of its own. Used by the thread that watches the slot. */
final class SlotReading {
    private static final String IN_USE = "55006";

    /** Of attempts to drop a slot whose reader has just gone, a tenth of a second apart. */
    private static final int MAX_ATTEMPTS = 20;

    private final LogDatabase database;
    private final ProjectTables tables;
    private final ProjectBus bus;
    private final DatabaseMessages messages;
    private final ReaderMetrics metrics;
    private final HandedMessages handed = new HandedMessages();
    private volatile LogPump pump;

    SlotReading(
            LogDatabase database,
            ProjectTables tables,
            ProjectBus bus,
            DatabaseMessages messages,
            ReaderMetrics metrics) {
        this.database = database;
        this.tables = tables;
        this.bus = bus;
        this.messages = messages;
        this.metrics = metrics;
    }

    /** Whether a stream was begun, and has not been given up since. */
    boolean hasBegun() {
        return pump != null;
    }

    /** Any thread. */
    boolean isRunning() {
        LogPump running = pump;
        return running != null && !running.isEnded();
    }

    /**
     * Begins to read, unless this process or another one does.
     *
     * @param createdAt where this process has made the slot; 0 if it has not
     */
    void begin(SlotState state, long createdAt) {
        if (pump != null && pump.isEnded()) {
            pump = null;
        }
        if (pump != null || state.active()) {
            return;
        }
        try {
            pump = new LogPump(
                    database.stream(), new VisibleCommits(database), createdAt, tables, bus, messages, handed, metrics);
        } catch (SqlError e) {
            if (!e.is(IN_USE)) {
                throw e;
            }
            // Another process was quicker.
            return;
        }
        Thread.ofPlatform().daemon().name("svc-log-reader-" + database.slot()).start(pump);
    }

    void stop() {
        if (pump != null) {
            pump.stop();
            pump = null;
        }
    }

    /** Drops the slot. */
    void drop() throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            try {
                database.drop();
                return;
            } catch (SqlError e) {
                if (!e.is(IN_USE) || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                // The server has not noticed yet that the reader has gone.
                Thread.sleep(100);
            }
        }
    }
}
