package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.key.ApiKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.sql.SqlFragment;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;
import svc.testing.TestingKeys;

/** The SQL endpoint from an agent's point of view. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class RunSqlTest {
    private static final ObjectMapper JSON = new ObjectMapper();

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
        project = TestingProject.create(client, tenants, "sql");
    }

    private Http.Answer run(String sql) {
        return run(api, project.path(), sql);
    }

    private static Http.Answer run(Http caller, String path, String sql) {
        return caller.send(
                "POST", path, JSON.createObjectNode().put("query", sql).toString());
    }

    private List<String> audit() {
        return platform.query(
                SqlFragment.of("SELECT actor || ' ' || result || ' ' || coalesce(code, '-') || ' '"
                        + " || array_to_string(statement_kinds, ',') AS row FROM svc_platform.sql_call WHERE ref = ?"
                        + " ORDER BY started_at"),
                row -> row.text("row"),
                project.ref());
    }

    private String token(String permission) {
        return api.send("POST", "/v1/tokens", "{\"name\":\"t\",\"permissions\":{\"" + permission + "\":true}}")
                .json()
                .findValue("token")
                .asText();
    }

    private static void renameAudit(String from, String to) {
        String url = ConfigProvider.getConfig().getValue("svc.api.platform.url", String.class);
        try (var operator = EmbeddedPostgres.shared().connect(url.substring(url.lastIndexOf('/') + 1));
                var statement = operator.createStatement()) {
            statement.execute("ALTER TABLE svc_platform." + from + " RENAME TO " + to);
        } catch (SQLException e) {
            throw new IllegalStateException("while renaming the audit", e);
        }
    }

    @Test
    void runsAMigrationAndAnswersRows() {
        Http.Answer made = run("CREATE TABLE todos (id int PRIMARY KEY, title text, doc jsonb);\n"
                + "INSERT INTO todos VALUES (1, 'a', '{\"x\": [1]}'), (2, NULL, NULL) RETURNING *;\n"
                + "NOTIFY pgrst, 'reload schema';");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        assertThat(made.text())
                .isEqualTo("[{\"id\":1,\"title\":\"a\",\"doc\":{\"x\": [1]}},{\"id\":2,\"title\":null,\"doc\":null}]");
        assertThat(made.header("ratelimit-limit")).hasValue("30");
        assertThat(made.header("ratelimit-remaining")).hasValue("29");
        assertThat(run("SELECT current_user::text AS who, count(*) FROM todos")
                        .json()
                        .get(0))
                .isEqualTo(JSON.createObjectNode()
                        .put("who", project.owner().login())
                        .put("count", 2));
        assertThat(run("CREATE INDEX ON todos (title)").text()).isEqualTo("[]");
        assertThat(audit())
                .containsExactly(
                        "token committed - CreateStmt,InsertStmt,NotifyStmt",
                        "token committed - SelectStmt",
                        "token committed - IndexStmt");
    }

    @Test
    void tellsAgentsWhereAnErrorIsAndAppliesNothing() {
        Http.Answer answer = run("CREATE TABLE half (id int);\nSELECT 'ä😀',\n  nope FROM half");
        assertThat(answer.status()).isEqualTo(400);
        JsonNode body = answer.json();
        assertThat(body.get("code").asText()).isEqualTo("sql_error");
        assertThat(body.get("sqlstate").asText()).isEqualTo("42703");
        assertThat(body.get("line").asInt()).isEqualTo(3);
        assertThat(body.get("column").asInt()).isEqualTo(3);
        assertThat(body.get("message").asText()).contains("nope");
        assertThat(body.get("request_id").asText()).isNotEmpty();
        assertThat(run("SELECT to_regclass('half') AS half")
                        .json()
                        .get(0)
                        .get("half")
                        .isNull())
                .isTrue();
        assertThat(audit().getFirst()).isEqualTo("token failed 42703 CreateStmt,SelectStmt");
    }

    @Test
    void refusesWithStatementPlaceAndRemedy() {
        Http.Answer answer = run("SELECT 1;\n  COPY t TO PROGRAM 'x'");
        assertThat(answer.status()).isEqualTo(400);
        JsonNode body = answer.json();
        assertThat(body.get("code").asText()).isEqualTo("sql_forbidden_statement");
        assertThat(body.get("statement").asInt()).isEqualTo(2);
        assertThat(body.get("line").asInt()).isEqualTo(2);
        assertThat(body.get("column").asInt()).isEqualTo(3);
        assertThat(body.get("what").asText()).isEqualTo("COPY");
        assertThat(body.get("hint").asText()).contains("INSERT");
        assertThat(run("SELEC 1").code()).isEqualTo("sql_unparseable");
        assertThat(run("SELECT pg_read_file('x')").code()).isEqualTo("sql_forbidden_object");
        assertThat(run("SELECT '\0'").code()).isEqualTo("sql_unparseable");
        assertThat(audit())
                .containsExactly(
                        "token refused sql_forbidden_statement SelectStmt,CopyStmt",
                        "token refused sql_unparseable ",
                        "token refused sql_forbidden_object SelectStmt",
                        "token refused sql_unparseable ");
    }

    @Test
    void refusesFieldsItDoesNotKnow() {
        for (String body : List.of(
                "{\"query\":\"SELECT 1\",\"readonly\":true}",
                "{\"query\":\"SELECT 1\",\"readOnly\":true}",
                "{\"query\":\"SELECT 1\",\"read_only\":\"yes\"}",
                "{\"query\":\"SELECT 1\",\"parameters\":{}}",
                "{\"query\":\"SELECT 1\",\"timeout_seconds\":0}",
                "{\"query\":\"SELECT 1\",\"timeout_seconds\":301}",
                "{\"query\":\"SELECT 1\",\"timeout_seconds\":1.5}",
                "{\"sql\":\"SELECT 1\"}",
                "{}",
                "{\"query\":null}",
                "{\"query\":1}",
                "[]",
                "")) {
            Http.Answer answer = api.send("POST", project.path(), body);
            assertThat(answer.status()).as(body + " → " + answer).isEqualTo(400);
            assertThat(answer.json().path("request_id").asText())
                    .as(body + " → " + answer)
                    .isNotEmpty();
        }
        assertThat(run("SELECT 1").header("ratelimit-remaining")).hasValue("29");
    }

    @Test
    void refusesTextThatIsNotUnicode() {
        for (String sql : List.of("\\ud800", "SELECT 'é\\udc00'", "SELECT '\\u0000'")) {
            Http.Answer answer = api.send("POST", project.path(), "{\"query\":\"" + sql + "\"}");
            assertThat(answer.status()).as(sql + " → " + answer).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("sql_unparseable");
        }
    }

    @Test
    void needsThePermission() {
        Http.Answer answer = run(Http.api(token("projects_create")), project.path(), "SELECT 1");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo("pat_database_query_forbidden");
        assertThat(run(Http.api(token("database_query")), project.path(), "SELECT 1")
                        .status())
                .isEqualTo(201);
        assertThat(run(Http.host("api.svc.example"), project.path(), "SELECT 1").status())
                .isEqualTo(401);
        assertThat(run(api, "/v1/projects/nothere1/database/query", "SELECT 1").status())
                .isEqualTo(404);
        assertThat(audit())
                .containsExactly("token denied pat_database_query_forbidden ", "token committed - SelectStmt");
    }

    @Test
    void stopsAfterThirtyCallsOfAMinute() {
        for (int i = 0; i < 30; i++) {
            assertThat(run("SELECT " + i).status()).isEqualTo(201);
        }
        Http.Answer answer = run("SELECT 1");
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.code()).isEqualTo("rate_limit_exceeded");
        assertThat(answer.header("retry-after").map(Integer::valueOf).orElse(0)).isBetween(1, 60);
        assertThat(answer.header("ratelimit-remaining")).hasValue("0");
        assertThat(audit().getLast()).isEqualTo("token throttled rate_limit_exceeded ");
        // Repeated calls are counted in one row.
        for (int i = 0; i < 5; i++) {
            assertThat(run("SELECT " + i).status()).isEqualTo(429);
        }
        assertThat(audit()).hasSize(31);
        assertThat(api.send("GET", "/v1/projects/" + project.ref() + "/audit?result=throttled")
                        .json()
                        .path("calls")
                        .findValuesAsText("count"))
                .containsExactly("6");
    }

    @Test
    void runsNothingWithoutAnAuditRow() {
        renameAudit("sql_call", "sql_call_away");
        try {
            Http.Answer answer = run("CREATE TABLE unseen (id int)");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("audit_unavailable");
        } finally {
            renameAudit("sql_call_away", "sql_call");
        }
        assertThat(run("SELECT to_regclass('unseen') AS unseen")
                        .json()
                        .get(0)
                        .get("unseen")
                        .isNull())
                .isTrue();
    }

    @Test
    void migratesWithTheServiceRoleKeyOrAToken() {
        UUID id = project.owner().names().projectId();
        String key = ApiKey.of(TestingKeys.master()
                .root(Purpose.SERVICE_KEY)
                .leaf(new ProjectKeyScope(id, TestingKeys.INCARNATION, 1)));
        String path = "/api/projects/" + project.ref() + "/migrate/service-role";
        Http.Answer answer = run(Http.api(key), path, "CREATE TABLE migrated (id int)");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertThat(run(api, path, "SELECT * FROM migrated").status()).isEqualTo(201);
        assertThat(run(Http.api(key), path, "COMMIT").code()).isEqualTo("sql_forbidden_statement");
        TestingProject other = TestingProject.create(client, tenants, "other");
        assertThat(run(Http.api(key), "/api/projects/" + other.ref() + "/migrate/service-role", "SELECT 1")
                        .code())
                .isEqualTo("service_key_invalid");
        assertThat(audit().getFirst()).isEqualTo("service_role committed - CreateStmt");
    }
}
