package svc.server.management.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.script.TestingOwner;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A call with an Idempotency-Key whose outcome is unknown does not run again: it may be done already. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class UnknownOutcomeTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    /** Ends the sessions of a project's owner that sleep, as a server that crashes does. */
    private static int endSleepers(TestingProject project) throws SQLException {
        try (Connection connection = TestingOwner.SERVER.connect(TestingOwner.DATABASE);
                var statement = connection.prepareStatement("SELECT count(pg_terminate_backend(pid))::int"
                        + " FROM pg_stat_activity WHERE usename = ? AND wait_event = 'PgSleep'")) {
            statement.setString(
                    1, project.owner().names().role(DatabaseRole.OWNER).name());
            try (var result = statement.executeQuery()) {
                result.next();
                return result.getInt(1);
            }
        }
    }

    @Test
    void aRepetitionOfACallWhoseConnectionBrokeRunsNothing() throws Exception {
        TestingProject project = TestingProject.create(client, tenants, "broken");
        String key = "key " + UUID.randomUUID();
        Http keyed = ADMIN.with("Idempotency-Key", key);
        String body = "{\"query\":\"create table made (id int); select pg_sleep(100)\",\"timeout_seconds\":200}";
        Http.Answer first;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Http.Answer> call = threads.submit(() -> keyed.send("POST", project.path(), body));
            await().atMost(Duration.ofMinutes(1)).until(() -> endSleepers(project) > 0);
            first = call.get();
        }
        assertThat(first.status()).as(first.toString()).isEqualTo(502);
        assertThat(first.code()).isEqualTo("upstream_failed");

        Http.Answer second = keyed.send("POST", project.path(), body);

        assertThat(second.status()).as(second.toString()).isEqualTo(502);
        assertThat(second.header("idempotency-replayed")).hasValue("true");
        assertThat(second.text()).isEqualTo(first.text());
        Http.Answer withANewKey = ADMIN.with("Idempotency-Key", key + " 2")
                .send("POST", project.path(), "{\"query\":\"create table made (id int)\"}");
        assertThat(withANewKey.status()).as(withANewKey.toString()).isEqualTo(201);
    }
}
