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
import svc.database.shared.ServiceRequests.ServiceRequest;

/**
 * Creates the tables of services that projects of a shared database use for the first time, until it is closed. Several
 * operators may run it at once: each request is processed under its project's advisory lock and is idempotent.
 */
final class ServiceProvisioner {
    private static final Logger LOG = Logger.getLogger(ServiceProvisioner.class.getName());

    /** Polls this often without a notification, which a server of an older release does not send. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    /** After a notification: a tenant that notifies in a loop must not keep the operator busy. */
    private static final Duration DEBOUNCE = Duration.ofMillis(20);

    /** Before a failed request is retried, so that other projects' requests come first. */
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(2);

    private final DatabaseLogin login;
    private final DataSource database;
    private final Consumer<ServiceRequest> provision;
    private boolean failing;

    /**
     * @param login of the database, for the connection that listens
     * @param database the same database, for everything else
     * @param provision creates the tables; throws when it cannot
     */
    ServiceProvisioner(DatabaseLogin login, DataSource database, Consumer<ServiceRequest> provision) {
        this.login = login;
        this.database = database;
        this.provision = provision;
    }

    /** Blocks until {@code closing} is down, plus at most one poll interval. */
    void runUntil(CountDownLatch closing) throws InterruptedException {
        do {
            try (var notifications = ServiceRequestNotifications.open(login)) {
                while (provisionPending()) {
                    notifications.await(POLL_INTERVAL);
                    if (isClosedWithin(closing, DEBOUNCE)) {
                        return;
                    }
                }
            } catch (SQLException | RuntimeException e) {
                // An unreadable password file is no SQLException, and must not end this loop.
                logFailure(e);
            }
        } while (!isClosedWithin(closing, RETRY_INTERVAL));
    }

    private static boolean isClosedWithin(CountDownLatch closing, Duration timeout) throws InterruptedException {
        return closing.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns false when a request failed. */
    private boolean provisionPending() {
        boolean all = true;
        try (Connection connection = database.getConnection()) {
            for (ServiceRequest request : ServiceRequests.pending(connection)) {
                all &= provision(connection, request);
            }
            failing = !all;
            return all;
        } catch (SQLException e) {
            logFailure(e);
            return false;
        }
    }

    private boolean provision(Connection connection, ServiceRequest request) throws SQLException {
        try {
            provision.accept(request);
        } catch (RuntimeException e) {
            // A failure of one project must not block the requests of others.
            logFailure(e);
            return false;
        }
        ServiceRequests.complete(connection, request);
        return true;
    }

    /** Logs the first failure of a series as a warning: an unreachable database fails every time. */
    private void logFailure(Exception e) {
        LOG.log(
                failing ? Level.FINE : Level.WARNING,
                e,
                () -> "Creating service tables failed in database " + login.name() + "; retrying every "
                        + RETRY_INTERVAL.toSeconds() + " s");
        failing = true;
    }
}
