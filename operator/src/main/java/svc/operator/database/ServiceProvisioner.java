package svc.operator.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import svc.database.loop.ProjectLoop;
import svc.database.loop.ProjectRunner;
import svc.database.shared.ServiceRequests;
import svc.database.shared.ServiceRequests.ServiceRequest;

/**
 * Creates the tables of services that projects of a shared database use for the first time, each project by itself. Several
 * operators may run it at once: each request is processed under its project's advisory lock and is idempotent.
 */
final class ServiceProvisioner implements ProjectLoop {
    /** Polls this often without a notification: one can be lost with its connection. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    /** After a notification: a tenant that notifies in a loop must not keep the operator busy. */
    private static final Duration DEBOUNCE = Duration.ofMillis(20);

    /** Before the connection that listens is opened again. */
    private static final Duration RECONNECT_INTERVAL = Duration.ofSeconds(2);

    private final DatabaseLogin login;
    private final DataSource database;
    private final ProjectRunner runner;
    private final Consumer<ServiceRequest> provision;

    /**
     * @param login of the database, for the connection that listens
     * @param database the same database, for everything else
     * @param provision creates the tables; throws when it cannot
     */
    ServiceProvisioner(
            DatabaseLogin login, DataSource database, ProjectRunner runner, Consumer<ServiceRequest> provision) {
        this.login = login;
        this.database = database;
        this.runner = runner;
        this.provision = provision;
    }

    /** Runs until the runner is closed. */
    void start() {
        runner.repeat("service tables", RECONNECT_INTERVAL, this::findUntilDisconnected);
    }

    @Override
    public String name() {
        return "service tables";
    }

    private void findUntilDisconnected() {
        try (var notifications = ServiceRequestNotifications.open(login)) {
            while (true) {
                find();
                notifications.await(POLL_INTERVAL);
                Thread.sleep(DEBOUNCE);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("while listening for service requests of database " + login.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void find() throws SQLException {
        List<UUID> projects;
        try (Connection connection = database.getConnection()) {
            projects = ServiceRequests.pending(connection);
        }
        projects.forEach(project -> runner.due(this, project.toString()));
    }

    /** Holds no connection of its own while the tables are created. */
    @Override
    public Progress run(String project) throws SQLException {
        List<ServiceRequest> requests;
        try (Connection connection = database.getConnection()) {
            requests = ServiceRequests.of(connection, UUID.fromString(project));
        }
        for (ServiceRequest request : requests) {
            provision.accept(request);
            try (Connection connection = database.getConnection()) {
                ServiceRequests.complete(connection, request);
            }
        }
        return Progress.DONE;
    }
}
