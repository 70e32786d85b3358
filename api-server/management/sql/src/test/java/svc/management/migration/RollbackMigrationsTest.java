package svc.management.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
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

/** Migrations are rolled back newest first and leave the history: all from a version on, or none. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class RollbackMigrationsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VERSION = "2030013112%04d";

    /** Of no transaction that the server has had. */
    private static final String UNKNOWN_TRANSACTION = "4611686018427387904";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PlatformDatabase platform;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "rolledback");
    }

    private static String version(int i) {
        return VERSION.formatted(i);
    }

    private String path() {
        return path(project);
    }

    private static String path(TestingProject of) {
        return "/v1/projects/" + of.ref() + "/database/migrations";
    }

    private static ObjectNode migration(int i, String sql, String rollback) {
        return JSON.createObjectNode()
                .put("version", version(i))
                .put("name", "step " + i)
                .put("query", sql)
                .put("rollback", rollback);
    }

    private void apply(int i, String sql, String rollback) {
        Http.Answer answer =
                api.send("POST", path(), migration(i, sql, rollback).toString());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private Http.Answer rollBack(int from) {
        return api.send("DELETE", path() + "?gte=" + version(from));
    }

    private static List<String> versions(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return StreamSupport.stream(answer.json().spliterator(), false)
                .map(row -> Integer.parseInt(row.path("version").asText().substring(10)) + " "
                        + row.path("name").asText("-"))
                .toList();
    }

    private List<String> history() {
        return StreamSupport.stream(api.get(path()).json().spliterator(), false)
                .map(row -> Integer.parseInt(row.path("version").asText().substring(10)) + " "
                        + row.path("state").asText())
                .toList();
    }

    private List<String> audit() {
        JsonNode calls =
                api.get("/v1/projects/" + project.ref() + "/audit").json().path("calls");
        return StreamSupport.stream(calls.spliterator(), false)
                .map(row -> row.path("result").asText() + " " + row.path("code").asText("-"))
                .toList();
    }

    private boolean exists(String relation) {
        String schema = project.owner().names().schemaName();
        return project.owner().ask("SELECT to_regclass('" + schema + "." + relation + "')") != null;
    }

    @Test
    void theNewestIsFirstAndTheVersionsAreFreeAgain() {
        TestingProject other = TestingProject.create(client, tenants, "untouched");
        assertThat(api.send(
                                "POST",
                                path(other),
                                migration(2, "CREATE TABLE books (id int)", "DROP TABLE books")
                                        .toString())
                        .status())
                .isEqualTo(200);
        apply(1, "CREATE TABLE authors (id int PRIMARY KEY)", "DROP TABLE authors");
        apply(2, "CREATE TABLE books (id int, author int REFERENCES authors)", "DROP TABLE books");
        apply(3, "CREATE VIEW titles AS SELECT id FROM books", "DROP VIEW titles");

        assertThat(versions(rollBack(2))).containsExactly("3 step 3", "2 step 2");

        assertThat(history()).containsExactly("1 applied");
        assertThat(exists("titles")).isFalse();
        assertThat(exists("books")).isFalse();
        assertThat(exists("authors")).isTrue();
        assertThat(api.get("/v1/projects/" + project.ref() + "/audit").text())
                .contains("revert migration " + version(2), "revert migration " + version(3));
        assertThat(api.get(path(other)).json()).hasSize(1);

        assertThat(versions(rollBack(2))).isEmpty();
        apply(2, "CREATE TABLE books (id bigint)", "DROP TABLE books");
        assertThat(versions(rollBack(1))).containsExactly("2 step 2", "1 step 1");
        assertThat(exists("authors")).isFalse();
        assertThat(history()).isEmpty();
    }

    @Test
    void eachFindsASessionAsIfItRanAlone() {
        apply(
                1,
                "CREATE TABLE a (id int PRIMARY KEY);"
                        + " CREATE TABLE b (a int REFERENCES a DEFERRABLE INITIALLY DEFERRED)",
                "DROP TABLE b; DROP TABLE a");
        // Leaves events that wait for the end of its transaction, and DROP TABLE refuses a table that has any.
        apply(2, "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)", "DELETE FROM a; DELETE FROM b");
        apply(3, "SELECT 1", "SET search_path = ''; SELECT 1");
        apply(4, "SELECT 1", "SET ROLE anon; SELECT 1");

        assertThat(versions(rollBack(1))).hasSize(4);
        assertThat(exists("a")).isFalse();
    }

    @Test
    void withoutTheSqlOfEachNothingRuns() {
        apply(1, "CREATE TABLE t (id int)", "");
        apply(2, "CREATE TABLE u (id int)", "DROP TABLE u");

        Http.Answer refused = rollBack(1);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("migration_rollback_missing");
        assertThat(refused.json().path("versions"))
                .isEqualTo(JSON.createArrayNode().add(version(1)));
        assertThat(refused.json().path("hint").asText()).contains("PATCH").contains("rollback");
        assertThat(history()).containsExactly("1 applied", "2 applied");
        assertThat(exists("u")).isTrue();
        assertThat(audit().getFirst()).isEqualTo("refused migration_rollback_missing");

        assertThat(api.send("PATCH", path() + "/" + version(1), "{\"rollback\":\"DROP TABLE t\"}")
                        .status())
                .isEqualTo(200);
        assertThat(versions(rollBack(1))).hasSize(2);
        assertThat(exists("t")).isFalse();
    }

    @Test
    void ifOneFailsNothingIsChanged() {
        apply(1, "CREATE TABLE t (id int)", "SELECT 1;\n DROP TABLE absent");
        apply(2, "CREATE TABLE u (id int)", "DROP TABLE u");

        Http.Answer failed = rollBack(1);

        assertThat(failed.status()).as(failed.toString()).isEqualTo(400);
        assertThat(failed.code()).isEqualTo("sql_error");
        assertThat(failed.json().path("version").asText()).isEqualTo(version(1));
        assertThat(failed.json().path("message").asText()).contains("step 1").contains("absent");
        assertThat(failed.json().path("statement").asInt()).isEqualTo(2);
        assertThat(exists("u")).isTrue();
        assertThat(history()).containsExactly("1 applied", "2 applied");
        assertThat(audit().subList(0, 2)).containsExactlyInAnyOrder("failed 42P01", "rolled_back -");
        assertThat(versions(rollBack(2))).containsExactly("2 step 2");
    }

    @Test
    void theGateJudgesEachBeforeAnyRuns() {
        apply(1, "CREATE TABLE t (id int)", "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p");
        apply(2, "CREATE TABLE u (id int); CREATE INDEX i ON u (id)", "DROP TABLE u");
        apply(3, "SELECT 1", "DROP INDEX CONCURRENTLY i");

        Http.Answer outside = rollBack(3);
        assertThat(outside.code()).as(outside.toString()).isEqualTo("sql_forbidden_statement");
        assertThat(outside.json().path("version").asText()).isEqualTo(version(3));
        assertThat(api.send("PATCH", path() + "/" + version(3), "{\"rollback\":\"DROP INDEX i\"}")
                        .status())
                .isEqualTo(200);
        Http.Answer forbidden = rollBack(1);
        assertThat(forbidden.status()).isEqualTo(400);
        assertThat(forbidden.code()).as(forbidden.toString()).isEqualTo("sql_forbidden_statement");
        assertThat(forbidden.json().path("version").asText()).isEqualTo(version(1));
        assertThat(exists("i")).isTrue();
        assertThat(history()).containsExactly("1 applied", "2 applied", "3 applied");
    }

    @Test
    void moreThanOneScriptMayHaveGoesInSteps() {
        for (int i = 1; i <= 5; i++) {
            apply(i, "SELECT " + i, "SELECT 1 -- " + "x".repeat(55_000));
        }

        Http.Answer refused = rollBack(1);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(413);
        assertThat(refused.code()).isEqualTo("sql_too_large");
        assertThat(refused.json().path("hint").asText()).contains("?gte=" + version(2));
        assertThat(versions(rollBack(2))).containsExactly("5 step 5", "4 step 4", "3 step 3", "2 step 2");
        assertThat(versions(rollBack(1))).containsExactly("1 step 1");
    }

    @Test
    void aVersionAndAPermissionAreNeeded() {
        apply(1, "CREATE TABLE t (id int)", "DROP TABLE t");
        for (String query : List.of("", "?gte=", "?gte=-1", "?gte=2030013112000x")) {
            Http.Answer refused = api.send("DELETE", path() + query);
            assertThat(refused.status()).as(query).isEqualTo(400);
            assertThat(refused.code()).as(query).isEqualTo("invalid_parameter");
        }
        String token = api.send("POST", "/v1/tokens", "{\"name\":\"t\",\"permissions\":{\"projects_create\":true}}")
                .json()
                .findValue("token")
                .asText();
        Http.Answer denied = Http.api(token).send("DELETE", path() + "?gte=" + version(1));
        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.code()).isEqualTo("pat_database_query_forbidden");
        assertThat(audit().getFirst()).isEqualTo("denied pat_database_query_forbidden");
        assertThat(exists("t")).isTrue();
        assertThat(history()).containsExactly("1 applied");
    }

    @Test
    void aRepetitionUnderItsKeyRollsNothingBack() {
        Http keyed = api.with("Idempotency-Key", UUID.randomUUID().toString());
        apply(1, "CREATE TABLE t (id int)", "DROP TABLE t");
        String call = path() + "?gte=" + version(1);
        Http.Answer first = keyed.send("DELETE", call);
        assertThat(versions(first)).containsExactly("1 step 1");
        apply(1, "CREATE TABLE t (id int)", "DROP TABLE t");

        Http.Answer second = keyed.send("DELETE", call);

        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("idempotency-replayed")).hasValue("true");
        assertThat(exists("t")).isTrue();
        assertThat(history()).containsExactly("1 applied");
    }

    private static String transaction(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT pg_current_xact_id()")) {
            result.next();
            return result.getString(1);
        }
    }

    private static Connection begin() throws SQLException {
        Connection connection = TestingOwner.SERVER.connect(TestingOwner.DATABASE);
        connection.setAutoCommit(false);
        return connection;
    }

    /** The claim of an instance that crashed after it began to roll all migrations back. */
    private void leaveClaim(String transactionId) {
        UUID id = project.owner().names().projectId();
        assertThat(platform.queryOne(
                        SqlFragment.of("SELECT svc_platform.begin_rollback(?, '0', (SELECT array_agg(m.id::text)"
                                + " FROM svc_platform.migration AS m WHERE m.project_id = ?), 'main', ?,"
                                + " 'service_role', NULL, 'r', now()) AS begun"),
                        row -> row.flag("begun"),
                        id,
                        id,
                        transactionId))
                .hasValue(true);
    }

    private void applyTwo() {
        apply(1, "CREATE TABLE t (id int)", "DROP TABLE t");
        apply(2, "CREATE TABLE u (id int)", "DROP TABLE u");
    }

    @Test
    void aCrashAfterTheCommitLeavesNoRows() throws SQLException {
        applyTwo();
        try (Connection fallen = begin()) {
            leaveClaim(transaction(fallen));
            fallen.commit();
        }
        assertThat(history()).isEmpty();
        Http.Answer again = api.send(
                "POST", path(), migration(1, "CREATE TABLE t2 (id int)", "").toString());
        assertThat(again.status()).as(again.toString()).isEqualTo(200);
    }

    @Test
    void whileTheServerWorksNothingBeginsAndACrashBeforeTheCommitLeavesAllRows() throws SQLException {
        applyTwo();
        try (Connection working = begin()) {
            leaveClaim(transaction(working));
            assertThat(history()).containsExactly("1 running", "2 running");
            Http.Answer second = rollBack(2);
            assertThat(second.status()).as(second.toString()).isEqualTo(409);
            assertThat(second.code()).isEqualTo("migration_running");
            Http.Answer applied =
                    api.send("POST", path(), migration(1, "SELECT 1", "").toString());
            assertThat(applied.code()).isEqualTo("migration_running");
            assertThat(api.send("PATCH", path() + "/" + version(1), "{\"rollback\":\"SELECT 1\"}")
                            .code())
                    .isEqualTo("migration_running");
            working.rollback();
        }
        assertThat(history()).containsExactly("1 applied", "2 applied");
        assertThat(versions(rollBack(1))).hasSize(2);
    }

    @Test
    void aMigrationThatIsBeingAppliedComesFirst() throws SQLException {
        applyTwo();
        try (Connection working = begin()) {
            platform.update(
                    SqlFragment.of("INSERT INTO svc_platform.migration (id, project_id, version, query, database_name,"
                            + " transaction_id, request_hash, actor, request_id, started_at)"
                            + " VALUES (?, ?, ?, 'x', 'main', ?, sha256('x'), 'service_role', 'r', now())"),
                    UUID.randomUUID(),
                    project.owner().names().projectId(),
                    version(3),
                    transaction(working));
            Http.Answer refused = rollBack(1);
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.code()).as(refused.toString()).isEqualTo("migration_running");
            assertThat(exists("u")).isTrue();
            working.rollback();
        }
        assertThat(versions(rollBack(1))).containsExactly("2 step 2", "1 step 1");
    }

    @Test
    void anOutcomeThatTheServerDoesNotKnowIsTheOwnersToSay() {
        applyTwo();
        leaveClaim(UNKNOWN_TRANSACTION);
        assertThat(history()).containsExactly("1 unknown", "2 unknown");
        Http.Answer refused = rollBack(1);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).as(refused.toString()).isEqualTo("migration_state_unknown");
        assertThat(refused.json().path("hint").asText()).contains("repair");

        repair("applied", 1);
        assertThat(history()).containsExactly("1 applied", "2 applied");
        leaveClaim(UNKNOWN_TRANSACTION);
        repair("reverted", 1);
        repair("reverted", 2);
        assertThat(history()).isEmpty();
    }

    private void repair(String status, int i) {
        ObjectNode body = JSON.createObjectNode().put("status", status);
        body.putArray("versions").add(version(i));
        Http.Answer answer = api.send("POST", path() + "/repair", body.toString());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** The platform database becomes unreachable after the scripts were sent: the commit stands, and is found later. */
    @Test
    void aHistoryThatCannotBeWrittenAfterTheCommitIsCaughtUp() throws Exception {
        applyTwo();
        assertThat(versions(rollBackWithoutHistory("t"))).hasSize(2);
        assertThat(exists("t")).isFalse();
        assertThat(history()).isEmpty();
    }

    @Test
    void anErrorOfTheSqlIsAnsweredWhenTheHistoryCannotBeWritten() throws Exception {
        apply(1, "CREATE TABLE t (id int)", "DROP TABLE absent");
        apply(2, "CREATE TABLE u (id int)", "DROP TABLE u");

        Http.Answer failed = rollBackWithoutHistory("u");

        assertThat(failed.status()).as(failed.toString()).isEqualTo(400);
        assertThat(failed.code()).isEqualTo("sql_error");
        assertThat(history()).containsExactly("1 applied", "2 applied");
    }

    /** Rolls both migrations back; from their claim on, until the answer, the history cannot be read or written. */
    private Http.Answer rollBackWithoutHistory(String droppedTable) throws Exception {
        try (Connection lock = begin();
                var statement = lock.createStatement()) {
            statement.execute(
                    "LOCK TABLE " + project.owner().names().schemaName() + "." + droppedTable + " IN SHARE MODE");
            CompletableFuture<Http.Answer> running = CompletableFuture.supplyAsync(() -> rollBack(1));
            Instant limit = Instant.now().plus(PATIENCE);
            while (claims() < 2) {
                assertThat(running).as("the rollback waits for the lock").isNotDone();
                assertThat(Instant.now()).as("the rollback begins").isBefore(limit);
                Thread.onSpinWait();
            }
            renameHistory("migration", "migration_away");
            try {
                lock.rollback();
                return running.get();
            } finally {
                renameHistory("migration_away", "migration");
            }
        }
    }

    private long claims() {
        return platform.queryOne(
                        SqlFragment.of("SELECT count(*) AS claims FROM svc_platform.migration_rollback AS r"
                                + " JOIN svc_platform.migration AS m ON m.id = r.migration_id WHERE m.project_id = ?"),
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

    @Test
    void theControlPlaneMakesNoClaimWithoutTheFunction() {
        apply(1, "SELECT 1", "SELECT 1");
        assertThatThrownBy(() -> platform.update(
                        SqlFragment.of(
                                "INSERT INTO svc_platform.migration_rollback (migration_id, database_name,"
                                        + " transaction_id, actor, request_id, started_at) SELECT m.id, 'main', '1',"
                                        + " 'service_role', 'r', now() FROM svc_platform.migration AS m WHERE m.project_id = ?"),
                        project.owner().names().projectId()))
                .isInstanceOf(RuntimeException.class);
        assertThat(history()).containsExactly("1 applied");
    }
}
