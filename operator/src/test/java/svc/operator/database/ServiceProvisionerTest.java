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
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.database.shared.ServiceRequests;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: a project's wish for a service is taken up, whatever becomes of the connection that hears of wishes. */
class ServiceProvisionerTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final TestingDatabases DATABASES = TestingDatabases.create();

    private final Set<UUID> taken = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean passwordIsThere = new AtomicBoolean(true);
    private final AtomicBoolean refused = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);
    private Thread keeping;

    @BeforeEach
    void keep() {
        EmbeddedPostgres server = DATABASES.server();
        String database = DATABASES.sharedName();
        var login = new DatabaseLogin(
                "main", server.jdbcUrl(database), EmbeddedPostgres.OPERATOR, () -> password(server), 1);
        var keeper = new ServiceProvisioner(login, server.dataSource(database), wish -> {
            taken.add(wish.projectId());
            DATABASES.serviceTables().complete(wish.projectId(), wish.service());
        });
        keeping = Thread.ofVirtual().start(() -> {
            try {
                keeper.keepUntil(closing);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @AfterEach
    void end() throws InterruptedException {
        closing.countDown();
        keeping.join();
    }

    @Test
    void eachWishIsTakenUp() throws SQLException {
        isTaken(project());
        isTaken(project());
    }

    @Test
    void alsoAfterTheConnectionThatHearsOfThemWasCut() throws SQLException {
        isTaken(project());

        cut();

        isTaken(project());
    }

    @Test
    void alsoAfterItsPasswordCouldNotBeReadForAWhile() throws Exception {
        isTaken(project());

        passwordIsThere.set(false);
        cut();
        Awaitility.await().atMost(LIMIT).until(refused::get);
        passwordIsThere.set(true);

        isTaken(project());
    }

    @Test
    void eachWishIsTold() throws SQLException {
        ProjectRecord project = project();
        try (Connection listening = DATABASES.server().connect(DATABASES.sharedName())) {
            TestingDatabases.execute(listening, "LISTEN " + ServiceRequests.CHANNEL.sql());

            isTaken(project);

            assertThat(listening.unwrap(PGConnection.class).getNotifications((int) LIMIT.toMillis()))
                    .isNotEmpty();
        }
    }

    @Test
    void alsoWhileATenantNotifiesWithoutEnd() throws Exception {
        ProjectRecord noisy = project();
        var quiet = new CountDownLatch(1);
        Thread noise = Thread.ofPlatform().start(() -> {
            try (Connection owner = DATABASES.login(noisy, DatabaseRole.OWNER)) {
                while (quiet.getCount() > 0) {
                    TestingDatabases.execute(owner, "NOTIFY svc_service_wish, 'come'");
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            isTaken(project());
        } finally {
            quiet.countDown();
            noise.join();
        }
    }

    private String password(EmbeddedPostgres server) {
        if (!passwordIsThere.get()) {
            refused.set(true);
            throw new UncheckedIOException(new IOException("the password file is away"));
        }
        return server.operatorPassword();
    }

    private static void cut() {
        DATABASES.asOperator("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND application_name = 'svc-operator-wishes'");
    }

    private static ProjectRecord project() {
        return ((Provisioned) DATABASES.projects().provision(TestingDatabases.request("wishing", DATABASES))).project();
    }

    private void isTaken(ProjectRecord project) throws SQLException {
        try (Connection services = DATABASES.login(project, DatabaseRole.SYSTEM)) {
            TestingDatabases.execute(services, "SELECT svc_statements.wish_for_service('auth')");
        }
        Awaitility.await().atMost(LIMIT).until(() -> taken.contains(project.projectId()));
    }
}
