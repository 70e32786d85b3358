package svc.realtime.reader;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import svc.postgres.SqlError;
import svc.postgres.replication.CommitSnapshot;
import svc.postgres.replication.SlotConnection;
import svc.postgres.replication.WalSource;

/**
 * Waits until transactions of the log are visible to other sessions. The log has a commit a moment before they see it: a check
 * of row security in that moment would not find the row, and a subscriber who reads it by a request neither. Used by the
 * reading thread.
 */
final class VisibleCommits implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(VisibleCommits.class);

    /** A commit that waits for a standby is in the log, and may stay invisible for as long as the standby is away. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final long PAUSE_NANOS = 200_000;
    private static final String UNDEFINED_FUNCTION = "42883";

    private final WalSource database;
    private final Set<Integer> unseen = new HashSet<>();
    private SlotConnection connection;

    VisibleCommits(WalSource database) {
        this.database = database;
    }

    /** Changes of this transaction are to be passed on. */
    void read(int transaction) {
        unseen.add(transaction);
    }

    /** Returns when all that was read is visible, or after two seconds. @throws SqlError when the database cannot be asked */
    void await() {
        long began = System.nanoTime();
        while (!unseen.isEmpty()) {
            look();
            if (unseen.isEmpty()) {
                return;
            }
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                LOG.warnf("%d transactions of the log are passed on before they are visible", unseen.size());
                unseen.clear();
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void look() {
        if (connection == null) {
            connection = database.open();
        }
        try {
            CommitSnapshot now = connection.snapshot();
            unseen.removeIf(now::sees);
        } catch (SqlError e) {
            if (!e.is(UNDEFINED_FUNCTION)) {
                throw e;
            }
            // The operator of an earlier version has prepared the database: as that version, do not wait.
            unseen.clear();
        }
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
    }
}
