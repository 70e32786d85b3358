package svc.operator.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.database.shared.ServiceRequests;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: each service request is provisioned, whatever happens to the connection that listens for requests. */
class ServiceProvisionerTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final TestingDatabases DATABASES = TestingDatabases.create();

    private final Set<UUID> provisioned = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean passwordReadable = new AtomicBoolean(true);
    private final AtomicBoolean refused = new AtomicBoolean();
    private final ProjectRunner runner = new ProjectRunner("test", RunnerSettings.of(2, 1, Duration.ofSeconds(1)));

    @BeforeEach
    void start() {
        EmbeddedPostgres server = DATABASES.server();
        String database = DATABASES.sharedName();
        var login = new DatabaseLogin(
                "main", server.jdbcUrl(database), EmbeddedPostgres.OPERATOR, () -> password(server), 1);
        new ServiceProvisioner(login, server.dataSource(database), runner, request -> {
                    provisioned.add(request.projectId());
                    DATABASES.serviceTables().complete(request.projectId(), request.service());
                })
                .start();
    }

    @AfterEach
    void end() {
        runner.close();
    }

    @Test
    void eachRequestIsProvisioned() throws SQLException {
        awaitProvisioned(project());
        awaitProvisioned(project());
    }

    @Test
    void alsoAfterTheListeningConnectionWasCut() throws SQLException {
        awaitProvisioned(project());

        cut();

        awaitProvisioned(project());
    }

    @Test
    void alsoAfterAnUnreadablePasswordFile() throws Exception {
        awaitProvisioned(project());

        passwordReadable.set(false);
        cut();
        Awaitility.await().atMost(LIMIT).until(refused::get);
        passwordReadable.set(true);

        awaitProvisioned(project());
    }

    @Test
    void eachRequestNotifiesTheChannel() throws SQLException {
        ProjectRecord project = project();
        try (Connection listening = DATABASES.server().connect(DATABASES.sharedName())) {
            TestingDatabases.execute(listening, "LISTEN " + ServiceRequests.CHANNEL.sql());

            awaitProvisioned(project);

            assertThat(listening.unwrap(PGConnection.class).getNotifications((int) LIMIT.toMillis()))
                    .isNotEmpty();
        }
    }

    @Test
    void alsoWhileATenantNotifiesInALoop() throws Exception {
        ProjectRecord noisy = project();
        var quiet = new CountDownLatch(1);
        Thread noise = Thread.ofPlatform().start(() -> {
            try (Connection owner = DATABASES.login(noisy, DatabaseRole.OWNER)) {
                while (quiet.getCount() > 0) {
                    TestingDatabases.execute(owner, "NOTIFY svc_service_request, 'come'");
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            awaitProvisioned(project());
        } finally {
            quiet.countDown();
            noise.join();
        }
    }

    private String password(EmbeddedPostgres server) {
        if (!passwordReadable.get()) {
            refused.set(true);
            throw new UncheckedIOException(new IOException("the password file is away"));
        }
        return server.operatorPassword();
    }

    private static void cut() {
        DATABASES.asOperator("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND application_name = 'svc-operator-requests'");
    }

    private static ProjectRecord project() {
        return ((Provisioned) DATABASES.projects().provision(TestingDatabases.request("requesting", DATABASES)))
                .project();
    }

    private void awaitProvisioned(ProjectRecord project) throws SQLException {
        try (Connection services = DATABASES.login(project, DatabaseRole.SYSTEM)) {
            TestingDatabases.execute(services, "SELECT svc_statements.request_service('auth')");
        }
        Awaitility.await().atMost(LIMIT).until(() -> provisioned.contains(project.projectId()));
    }
}
