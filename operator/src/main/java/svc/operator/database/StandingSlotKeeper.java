package svc.operator.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import svc.database.shared.StandingSlot;

/**
 * Keeps the replication slot of a shared database while its projects publish tables. Making one waits for the transactions that
 * write, so it has a thread of its own and delays nothing else.
 */
final class StandingSlotKeeper {
    private static final Logger LOG = Logger.getLogger(StandingSlotKeeper.class.getName());

    private final String name;
    private final DataSource database;
    private final AtomicBoolean creating = new AtomicBoolean();
    private volatile boolean failing;

    /** @param name as configured, for the log */
    StandingSlotKeeper(String name, DataSource database) {
        this.name = name;
        this.database = database;
    }

    /** Begins to make the slot if it is missing, and advances one that nothing reads. */
    void keep(Connection connection) throws SQLException {
        StandingSlot.advance(connection);
        if (StandingSlot.isMissing(connection) && creating.compareAndSet(false, true)) {
            Thread.ofVirtual().name("replication-slot-" + name).start(this::create);
        }
    }

    private void create() {
        try (Connection connection = database.getConnection()) {
            if (StandingSlot.create(connection)) {
                LOG.info(() -> "Database " + name + " has a replication slot for realtime");
            }
            failing = false;
        } catch (SQLException | RuntimeException e) {
            LOG.log(
                    failing ? Level.FINE : Level.WARNING,
                    e,
                    () -> "A replication slot for realtime cannot be made in database " + name
                            + ": until there is one, subscribers wait for open transactions; trying again");
            failing = true;
        } finally {
            creating.set(false);
        }
    }
}
