package svc.operator.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import svc.database.shared.AbandonedSlots;
import svc.database.shared.RealtimePublication;

/**
 * Reconciles a shared database's realtime publications with the table lists of its projects, drops replication slots that nothing
 * reads, and keeps the one that stands, until it is closed. Several operators may run it at once.
 */
final class PublicationReconciler {
    private static final Logger LOG = Logger.getLogger(PublicationReconciler.class.getName());

    /** Maximum delay between a tenant's commit and the publication; each run costs two queries over the lists. */
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final String name;
    private final DataSource database;
    private final StandingSlotKeeper slot;
    private boolean failing;
    private List<String> refused = List.of();

    /** @param name as configured, for the log */
    PublicationReconciler(String name, DataSource database) {
        this.name = name;
        this.database = database;
        this.slot = new StandingSlotKeeper(name, database);
    }

    /** Blocks until {@code closing} is down. */
    void runUntil(CountDownLatch closing) throws InterruptedException {
        do {
            apply();
        } while (!closing.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Warns once of each state: a table that is refused is refused every time. */
    private void warn(List<String> now) {
        if (!now.isEmpty() && !now.equals(refused)) {
            LOG.warning(() ->
                    now.size() + " tables cannot be published in database " + name + ", such as by " + now.getFirst());
        }
        refused = now;
    }

    private void apply() {
        try (Connection connection = database.getConnection()) {
            warn(RealtimePublication.apply(connection).refused());
            if (AbandonedSlots.drop(connection) > 0) {
                LOG.warning(() -> "A replication slot of realtime was not read any more and kept the log of database "
                        + name + "; it was dropped");
            }
            slot.keep(connection);
            failing = false;
        } catch (SQLException | RuntimeException e) {
            // An unreadable password file is no SQLException, and must not end the loop. Warns once: an unreachable
            // database fails every time.
            LOG.log(
                    failing ? Level.FINE : Level.WARNING,
                    e,
                    () -> "Updating the realtime publication failed in database " + name + "; retrying every "
                            + INTERVAL.toSeconds() + " s");
            failing = true;
        }
    }
}
