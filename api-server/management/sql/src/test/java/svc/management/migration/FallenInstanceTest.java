package svc.management.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.sql.SqlFragment;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.script.TestingOwner;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** If an instance crashes at any moment, the history agrees with the database, and no migration is applied twice. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class FallenInstanceTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VERSION = "20300131120000";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PlatformDatabase platform;

    private final Http api = Http.api(TestingPlatform.ADMIN).with("Idempotency-Key", "k");
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "fallen");
        assertThat(Http.api(TestingPlatform.ADMIN)
                        .send(
                                "POST",
                                project.path(),
                                body("CREATE TABLE t (id int)").toString())
                        .status())
                .isEqualTo(201);
    }

    private static ObjectNode body(String sql) {
        return JSON.createObjectNode().put("query", sql);
    }

    private ObjectNode migration() {
        return body("INSERT INTO t VALUES (1)").put("version", VERSION);
    }

    private Http.Answer apply() {
        return api.send("POST", path(), migration().toString());
    }

    private String path() {
        return "/v1/projects/" + project.ref() + "/database/migrations";
    }

    private String rows() {
        return project.owner()
                .ask("SELECT count(*) FROM " + project.owner().names().schemaName() + ".t");
    }

    /** The claim of an instance that crashed after it began the migration. */
    private void leaveClaim(String transactionId) {
        var request = MigrationRequest.of(
                new MigrationBody("INSERT INTO t VALUES (1)", null, null, VERSION, null, null), "k");
        platform.update(
                SqlFragment.of("INSERT INTO svc_platform.migration (id, project_id, version, query, database_name,"
                        + " transaction_id, idempotency_key, request_hash, actor, request_id, started_at)"
                        + " VALUES (?, ?, ?, 'x', 'main', ?, 'k', ?, 'service_role', 'r', now())"),
                UUID.randomUUID(),
                project.owner().names().projectId(),
                VERSION,
                transactionId,
                request.hash());
    }

    private String transaction(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT pg_current_xact_id()")) {
            result.next();
            return result.getString(1);
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = TestingOwner.SERVER.connect(TestingOwner.DATABASE);
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void afterTheCommitItIsApplied() throws SQLException {
        try (Connection fallen = begin()) {
            leaveClaim(transaction(fallen));
            fallen.commit();
        }
        Http.Answer answer = apply();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.header("idempotency-replayed")).hasValue("true");
        assertThat(rows()).isEqualTo("0");
        assertThat(api.get(path()).json().get(0).get("state").asText()).isEqualTo("applied");
    }

    @Test
    void beforeTheCommitItIsFreeAgain() throws SQLException {
        try (Connection fallen = begin()) {
            leaveClaim(transaction(fallen));
            fallen.rollback();
        }
        assertThat(api.get(path()).json()).isEmpty();
        try (Connection fallen = begin()) {
            leaveClaim(transaction(fallen));
            fallen.rollback();
        }
        assertThat(apply().status()).isEqualTo(200);
        assertThat(rows()).isEqualTo("1");
    }

    @Test
    void whileTheServerStillWorksNoCallBegins() throws SQLException {
        try (Connection working = begin()) {
            leaveClaim(transaction(working));
            Http.Answer answer = apply();
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.code()).isEqualTo("migration_running");
            assertThat(api.get(path()).json().get(0).get("state").asText()).isEqualTo("running");
            working.rollback();
        }
        assertThat(apply().status()).isEqualTo(200);
        assertThat(rows()).isEqualTo("1");
    }

    /** A server restored to an earlier state does not know the transaction. */
    @Test
    void whatTheServerCannotSayIsNotGuessed() {
        leaveClaim("4611686018427387904");
        Http.Answer answer = apply();
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("migration_state_unknown");
        assertThat(answer.json().path("hint").asText()).contains("another version");
        assertThat(api.get(path()).json().get(0).get("state").asText()).isEqualTo("unknown");
        assertThat(rows()).isEqualTo("0");
    }

    /** The platform database becomes unreachable after the script was sent: the commit stands, and is found later. */
    @Test
    void aHistoryThatCannotBeWrittenAfterTheCommitIsCaughtUp() throws Exception {
        CompletableFuture<Http.Answer> running;
        try (Connection lock = begin();
                var statement = lock.createStatement()) {
            statement.execute("LOCK TABLE " + project.owner().names().schemaName() + ".t IN SHARE MODE");
            running = CompletableFuture.supplyAsync(this::apply);
            Instant limit = Instant.now().plus(Duration.ofSeconds(10));
            while (claims() == 0) {
                assertThat(Instant.now()).as("the migration begins").isBefore(limit);
                Thread.onSpinWait();
            }
            renameHistory("migration", "migration_away");
            lock.rollback();
            assertThat(running.get().status()).as(running.get().toString()).isEqualTo(200);
        } finally {
            renameHistory("migration_away", "migration");
        }
        assertThat(rows()).isEqualTo("1");
        assertThat(apply().header("idempotency-replayed")).hasValue("true");
        assertThat(rows()).isEqualTo("1");
    }

    @Test
    void historyCannotBeRewrittenByTheControlPlane() {
        assertThat(apply().status()).isEqualTo(200);
        assertThat(platform.update(SqlFragment.of("DELETE FROM svc_platform.migration WHERE version = ?"), VERSION))
                .isZero();
        assertThat(platform.update(
                        SqlFragment.of("UPDATE svc_platform.migration SET applied_at = now() WHERE version = ?"),
                        VERSION))
                .isZero();
    }

    private long claims() {
        return platform.queryOne(
                        SqlFragment.of("SELECT count(*) AS claims FROM svc_platform.migration WHERE project_id = ?"),
                        row -> row.number("claims"),
                        project.owner().names().projectId())
                .orElseThrow();
    }

    private static void renameHistory(String from, String to) throws SQLException {
        String url = ConfigProvider.getConfig().getValue("svc.api.platform.url", String.class);
        try (var operator = EmbeddedPostgres.shared().connect(url.substring(url.lastIndexOf('/') + 1));
                var statement = operator.createStatement()) {
            statement.execute("ALTER TABLE svc_platform." + from + " RENAME TO " + to);
        }
    }
}
