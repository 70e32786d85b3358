package svc.operator.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import svc.database.shared.ServiceRequests;
import svc.database.shared.ServiceRequests.Wish;

/**
 * Gives projects of a shared database the tables of services that they begin to use, as long as the process runs. Several
 * operators may do it at once: each wish is fulfilled under its project's lock, and a second time finds nothing to do.
 */
final class ServiceProvisioner {
    private static final Logger LOG = Logger.getLogger(ServiceProvisioner.class.getName());

    /** Between looks without a notification, which a server of an older release does not send. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** After a notification: what a tenant sends without end must not keep the operator busy. */
    private static final Duration GATHERING = Duration.ofMillis(20);

    /** A wish that fails is not tried at once again: the others come first. */
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);

    private final DatabaseLogin login;
    private final DataSource database;
    private final Consumer<Wish> fulfil;
    private boolean failing;

    /**
     * @param login of the database; a connection of its own listens
     * @param database the same, for everything else
     * @param fulfil makes the tables; throws when it cannot
     */
    ServiceProvisioner(DatabaseLogin login, DataSource database, Consumer<Wish> fulfil) {
        this.login = login;
        this.database = database;
        this.fulfil = fulfil;
    }

    /** Returns when {@code closing} is down, or a second later. */
    void keepUntil(CountDownLatch closing) throws InterruptedException {
        do {
            try (var notifications = ServiceRequestNotifications.open(login)) {
                while (fulfilAll()) {
                    notifications.await(PAUSE);
                    if (passes(closing, GATHERING)) {
                        return;
                    }
                }
            } catch (SQLException | RuntimeException e) {
                // A password file that cannot be read is no SQLException, and must not end this for good.
                report(e);
            }
        } while (!passes(closing, PAUSE_AFTER_FAILURE));
    }

    private static boolean passes(CountDownLatch closing, Duration pause) throws InterruptedException {
        return closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean fulfilAll() {
        boolean all = true;
        try (Connection connection = database.getConnection()) {
            for (Wish wish : ServiceRequests.open(connection)) {
                all &= fulfilled(connection, wish);
            }
            failing = !all;
            return all;
        } catch (SQLException e) {
            report(e);
            return false;
        }
    }

    private boolean fulfilled(Connection connection, Wish wish) throws SQLException {
        try {
            fulfil.accept(wish);
        } catch (RuntimeException e) {
            // One project's fault: the wishes of others are next.
            report(e);
            return false;
        }
        ServiceRequests.fulfilled(connection, wish);
        return true;
    }

    /** A database that is away fails every time: said once. */
    private void report(Exception e) {
        LOG.log(
                failing ? Level.FINE : Level.WARNING,
                e,
                () -> "while making tables of services in database " + login.name());
        failing = true;
    }
}
