package svc.operator.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import svc.database.shared.RealtimePublication;

/**
 * Makes a shared database's realtime publication follow the lists of its projects, as long as the process runs. Several
 * operators may do it at once.
 */
final class PublicationReconciler {
    private static final Logger LOG = Logger.getLogger(PublicationReconciler.class.getName());

    /** Between a tenant's commit and the publication; a look costs two queries over the lists. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final String name;
    private final DataSource database;
    private boolean failing;

    /** @param name as configured, for the log */
    PublicationReconciler(String name, DataSource database) {
        this.name = name;
        this.database = database;
    }

    /** Returns when {@code closing} is down. */
    void keepUntil(CountDownLatch closing) throws InterruptedException {
        do {
            apply();
        } while (!closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
    }

    private void apply() {
        try (Connection connection = database.getConnection()) {
            RealtimePublication.apply(connection);
            failing = false;
        } catch (SQLException e) {
            // A database that is away fails every time: said once.
            LOG.log(failing ? Level.FINE : Level.WARNING, e, () -> "while publishing tables of database " + name);
            failing = true;
        }
    }
}
