package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** The options of a call of the SQL endpoint, and its errors if the database rejects the SQL. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class SqlFieldsTest {
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
        project = TestingProject.create(client, tenants, "fields");
    }

    private Http.Answer send(String body) {
        return api.send("POST", project.path(), body);
    }

    private Http.Answer run(String sql) {
        return send(JSON.createObjectNode().put("query", sql).toString());
    }

    private boolean exists(String relation) {
        return project.owner()
                        .ask("SELECT to_regclass('" + project.owner().names().schemaName() + "." + relation + "')")
                != null;
    }

    @Test
    void putsParametersIntoAStatement() {
        run("CREATE TABLE notes (id int, body text, tags text[], doc jsonb, price numeric)");
        Http.Answer answer = send("{\"query\":\"INSERT INTO notes VALUES ($1, $2, $3, $4, $5) RETURNING *\","
                + "\"parameters\":[1, \"it's; DROP TABLE notes\", [\"a\",null,\"b,c\"], {\"k\":[1.50,\"x\"]},"
                + " 123456789012345678901234567890.10]}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertThat(answer.text())
                .isEqualTo("[{\"id\":1,\"body\":\"it's; DROP TABLE notes\",\"tags\":[\"a\",null,\"b,c\"],"
                        + "\"doc\":{\"k\": [1.50, \"x\"]},\"price\":123456789012345678901234567890.10}]");
        assertThat(send("{\"query\":\"SELECT $1::int AS a\",\"parameters\":[null]}")
                        .text())
                .isEqualTo("[{\"a\":null}]");
        assertThat(send("{\"query\":\"SELECT 1 AS a\",\"parameters\":[]}").text())
                .isEqualTo("[{\"a\":1}]");
    }

    @Test
    void tellsParametersThatDoNotFit() {
        for (String body : List.of(
                "{\"query\":\"SELECT 1; SELECT $1::int\",\"parameters\":[1]}",
                "{\"query\":\"SELECT $1::int\",\"parameters\":[1,2]}",
                "{\"query\":\"SELECT 1\",\"parameters\":[1]}")) {
            Http.Answer answer = send(body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("sql_parameters_invalid");
            assertThat(answer.json().at("/errors/0/pointer").asText()).isEqualTo("/parameters");
        }
        JsonNode wrong =
                send("{\"query\":\"SELECT $1::int\",\"parameters\":[\"x\"]}").json();
        assertThat(wrong.path("sqlstate").asText()).isEqualTo("22P02");
        assertThat(send("{\"query\":\"SELECT $1::text\",\"parameters\":[\"\\u0000\"]}")
                        .json()
                        .path("sqlstate")
                        .asText())
                .isEqualTo("22021");
        assertThat(send("{\"query\":\"SELECT $1::text\",\"parameters\":[\"\\ud800\"]}")
                        .code())
                .isEqualTo("invalid_body");
        assertThat(run("SELECT $1::int").json().path("sqlstate").asText()).isEqualTo("42P02");
    }

    @Test
    void readsOnly() {
        run("CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)");
        assertThat(send("{\"query\":\"SELECT id FROM kept\",\"read_only\":true}")
                        .text())
                .isEqualTo("[{\"id\":1}]");
        for (String sql : List.of(
                "DELETE FROM kept",
                "DO $$ BEGIN EXECUTE 'SET TRANSACTION ' || 'READ WRITE'; DELETE FROM kept; END $$",
                "CREATE INDEX CONCURRENTLY ON kept (id)")) {
            Http.Answer answer = send(JSON.createObjectNode()
                    .put("query", sql)
                    .put("read_only", true)
                    .toString());
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        }
        assertThat(run("SELECT count(*) AS n FROM kept").text()).isEqualTo("[{\"n\":1}]");
    }

    @Test
    void endsAfterTheTimeThatWasAskedFor() {
        Http.Answer answer =
                send("{\"query\":\"CREATE TABLE slow (id int); SELECT pg_sleep(60)\",\"timeout_seconds\":1}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("sql_timeout");
        assertThat(answer.text()).contains("longer than 1 seconds");
        assertThat(exists("slow")).isFalse();
        assertThat(send("{\"query\":\"SELECT 1 AS a\",\"timeout_seconds\":300}").status())
                .isEqualTo(201);
        Http.Answer tooLong = send("{\"query\":\"SELECT 1\",\"timeout_seconds\":301}");
        assertThat(tooLong.json().at("/errors/0/message").asText()).isEqualTo("must be between 1 and 300");
    }

    @Test
    void answersEveryStatementWhenAsked() {
        String body = JSON.createObjectNode()
                .put("query", "CREATE TABLE a (id int); INSERT INTO a VALUES (1), (2); SELECT id FROM a")
                .toString();
        Http.Answer answer = api.send("POST", project.path() + "?results=all", body);
        assertThat(answer.text())
                .isEqualTo("[{\"command\":\"CREATE TABLE\",\"rowCount\":null},{\"command\":\"INSERT\",\"rowCount\":2},"
                        + "{\"command\":\"SELECT\",\"rowCount\":2,\"rows\":[{\"id\":1},{\"id\":2}],\"cut\":false}]");
        assertThat(api.send("POST", project.path() + "?results=some", body).code())
                .isEqualTo("invalid_parameter");
    }

    @Test
    void statesWhatIsMissingFromAnAnswer() {
        Http.Answer cut = run("SELECT generate_series(1, 10001) AS i");
        assertThat(cut.header("svc-result-cut")).hasValue("rows=10000");
        assertThat(cut.json()).hasSize(10_000);
        assertThat(run("SELECT generate_series(1, 10000) AS i").header("svc-result-cut"))
                .isEmpty();
    }

    @Test
    void tellsEverythingThatTheServerSaysOfAnError() {
        JsonNode body = run("CREATE TABLE p (id int PRIMARY KEY);\nINSERT INTO p VALUES (1);\nINSERT INTO p VALUES (1)")
                .json();
        assertThat(body.path("sqlstate").asText()).isEqualTo("23505");
        assertThat(body.path("sql_detail").asText()).contains("(id)=(1)");
        assertThat(body.path("hint").asText()).contains("No part of the script was applied");
        assertThat(exists("p")).isFalse();
        JsonNode raised = run("CREATE TABLE t (id int);"
                        + " CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not here'"
                        + " USING HINT = 'elsewhere', DETAIL = 'because', ERRCODE = 'P0077'; END $$;"
                        + " CREATE TRIGGER no BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION no();"
                        + " INSERT INTO t VALUES (1)")
                .json();
        assertThat(raised.path("message").asText()).isEqualTo("not here");
        assertThat(raised.path("sqlstate").asText()).isEqualTo("P0077");
        assertThat(raised.path("hint").asText()).isEqualTo("elsewhere");
        assertThat(raised.path("sql_detail").asText()).isEqualTo("because");
        assertThat(raised.path("where").asText()).contains("function no()");
        assertThat(exists("t")).isFalse();
        JsonNode deferred = run("CREATE TABLE a (id int PRIMARY KEY);"
                        + " CREATE TABLE b (id int REFERENCES a DEFERRABLE INITIALLY DEFERRED); INSERT INTO b VALUES (7)")
                .json();
        assertThat(deferred.path("sqlstate").asText()).isEqualTo("23503");
        assertThat(deferred.has("line")).isFalse();
        assertThat(exists("b")).isFalse();
        JsonNode placed =
                run("SELECT 1;\n\n  SELECT 'ä', no_such FROM (SELECT 1) x").json();
        assertThat(placed.path("line").asInt()).isEqualTo(3);
        assertThat(placed.path("column").asInt()).isEqualTo(15);
        assertThat(placed.path("position").asInt()).isEqualTo(26);
    }

    @Test
    void endsTheScriptOfACallerWhoHangsUp() throws IOException, InterruptedException {
        String body = "{\"query\":\"CREATE TABLE unseen (id int); SELECT pg_sleep(100)\",\"timeout_seconds\":200}";
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream()
                    .write(("POST " + project.path() + " HTTP/1.1\r\nHost: api.svc.example\r\nAuthorization: Bearer "
                                    + TestingPlatform.ADMIN + "\r\nContent-Type: application/json\r\nContent-Length: "
                                    + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            awaitBackends(1);
        }
        awaitBackends(0);
        assertThat(exists("unseen")).isFalse();
        // The audit is completed after the session has ended.
        await().untilAsserted(() -> assertThat(platform.query(
                        SqlFragment.of("SELECT code FROM svc_platform.sql_call WHERE ref = ?"),
                        row -> row.text("code"),
                        project.ref()))
                .containsExactly("caller_left"));
    }

    private void awaitBackends(int number) throws InterruptedException {
        Instant limit = Instant.now().plus(Duration.ofSeconds(30));
        String count = "SELECT count(*) FROM pg_stat_activity WHERE usename = '"
                + project.owner().login() + "'";
        while (Integer.parseInt(project.owner().ask(count)) != number) {
            assertThat(Instant.now()).isBefore(limit);
            Thread.sleep(20);
        }
    }

    @Test
    void isDescribedByTheOpenApiDocument() {
        JsonNode document =
                api.with("Accept", "application/json").get("/v1/openapi.json").json();
        JsonNode call =
                document.path("paths").path("/v1/projects/{ref}/database/query").path("post");
        assertThat(call.path("responses").properties())
                .extracting(java.util.Map.Entry::getKey)
                .contains("201", "400", "401", "403", "404", "413", "429", "502", "503");
        assertThat(call.path("parameters").findValuesAsText("name")).contains("ref", "results", "as");
        assertThat(document.at("/components/schemas/RunQueryBody/properties").properties())
                .extracting(java.util.Map.Entry::getKey)
                .containsExactlyInAnyOrder("query", "parameters", "read_only", "timeout_seconds", "claims");
        // openapi-typescript would require a member with a default of every caller.
        JsonNode timeout = document.at("/components/schemas/RunQueryBody/properties/timeout_seconds");
        assertThat(timeout.path("description").asText()).endsWith("Default: 30.");
        assertThat(timeout.has("default")).isFalse();
    }
}
