package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A script in the role of a caller sees and may what a request of that caller sees and may. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ScriptAsCallerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String USER = "00000000-0000-4000-8000-000000000001";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "as-caller");
    }

    private static ObjectNode body(String sql) {
        return JSON.createObjectNode().put("query", sql);
    }

    private Http.Answer send(String query, ObjectNode body) {
        return api.send("POST", project.path() + query, body.toString());
    }

    private JsonNode rows(String query, ObjectNode body) {
        Http.Answer answer = send(query, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.json();
    }

    private static ObjectNode asUser(String sql) {
        ObjectNode body = body(sql);
        body.putObject("claims").put("sub", USER);
        return body;
    }

    @Test
    void policiesAreInForce() {
        rows("", body("""
                CREATE TABLE notes (id int PRIMARY KEY, owner uuid DEFAULT auth.uid());
                ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON notes TO authenticated USING (owner = auth.uid()) WITH CHECK (owner = auth.uid());
                INSERT INTO notes VALUES (1, '%s'), (2, '00000000-0000-4000-8000-000000000002')""".formatted(USER)));
        assertThat(rows("?as=authenticated", asUser("SELECT id FROM notes")).toString())
                .isEqualTo("[{\"id\":1}]");
        assertThat(rows("?as=authenticated", body("SELECT id FROM notes"))).isEmpty();
        assertThat(rows("?as=anon", asUser("SELECT id FROM notes"))).isEmpty();
        assertThat(rows("", body("SELECT id FROM notes"))).hasSize(2);
        // With a parameter, with all results, read-only.
        ObjectNode one = asUser("SELECT count(*) FROM notes WHERE id < $1");
        one.putArray("parameters").add(10);
        assertThat(rows("?as=authenticated", one).at("/0/count").asInt()).isEqualTo(1);
        assertThat(rows(
                                "?as=authenticated&results=all",
                                asUser("INSERT INTO notes (id) VALUES (3); SELECT id FROM notes"))
                        .at("/1/rows"))
                .hasSize(2);
        assertThat(send(
                                "?as=authenticated",
                                asUser("INSERT INTO notes (id) VALUES (4)").put("read_only", true))
                        .json()
                        .path("sqlstate")
                        .asText())
                .isEqualTo("25006");
        Http.Answer foreign = send("?as=authenticated", asUser("INSERT INTO notes VALUES (5, gen_random_uuid())"));
        assertThat(foreign.json().path("sqlstate").asText()).isEqualTo("42501");
    }

    @Test
    void theTransactionIsThatOfARequest() {
        JsonNode seen = rows("?as=authenticated", asUser("""
                        SELECT current_user::text AS who, auth.uid() AS uid, auth.role() AS role,
                               current_setting('request.jwt.claims')::json AS claims,
                               current_setting('search_path') AS path""")).get(0);
        String schema = project.owner().names().schemaName();
        assertThat(seen.path("who").asText()).isEqualTo(schema + "_authenticated");
        assertThat(seen.path("uid").asText()).isEqualTo(USER);
        assertThat(seen.path("role").asText()).isEqualTo("authenticated");
        assertThat(seen.path("claims").toString()).isEqualTo("{\"role\":\"authenticated\",\"sub\":\"" + USER + "\"}");
        assertThat(seen.path("path").asText()).isEqualTo(schema + ", svc_views, pg_catalog, extensions");
        assertThat(rows("?as=anon", body("SELECT auth.jwt() AS claims"))
                        .at("/0/claims")
                        .toString())
                .isEqualTo("{\"role\": \"anon\"}".replace(" ", ""));
        // Numbers keep their digits, and the next call is the owner's again.
        ObjectNode exact = body("SELECT current_setting('request.jwt.claims') AS claims");
        exact.putObject("claims").put("n", new java.math.BigDecimal("1.10")).put("role", "anon");
        assertThat(rows("?as=anon", exact).at("/0/claims").asText()).contains("1.10");
        assertThat(rows("", body("SELECT current_user::text AS who, auth.uid() AS uid"))
                        .toString())
                .isEqualTo("[{\"who\":\"" + schema + "_owner\",\"uid\":null}]");
    }

    @Test
    void anAnswerIsWrittenWithTheTypesOfTheProject() {
        rows(
                "",
                body("CREATE TYPE mood AS ENUM ('ok'); CREATE TYPE pair AS (a int, b mood);"
                        + " CREATE TABLE kept (p pair); INSERT INTO kept VALUES (ROW(1, 'ok'))"));
        assertThat(rows("?as=anon", body("SELECT p FROM kept")).toString())
                .isEqualTo("[{\"p\":{\"a\":1,\"b\":\"ok\"}}]");
        assertThat(rows("", body("SET ROLE anon; SELECT p FROM kept")).toString())
                .isEqualTo("[{\"p\":{\"a\":1,\"b\":\"ok\"}}]");
    }

    @Test
    void faultsOfTheRequestAreReported() {
        Http.Answer unknown = send("?as=service_role", body("SELECT 1"));
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.code()).isEqualTo("invalid_parameter");
        assertThat(send("?as=", body("SELECT 1")).code()).isEqualTo("invalid_parameter");
        assertThat(send("?as", body("SELECT 1")).code()).isEqualTo("invalid_parameter");
        assertThat(send("?as=anon&as=authenticated", body("SELECT 1")).code()).isEqualTo("invalid_parameter");
        Http.Answer alone = send("", asUser("SELECT 1"));
        assertThat(alone.status()).isEqualTo(400);
        assertThat(alone.code()).isEqualTo("invalid_body");
        assertThat(alone.json().at("/errors/0/pointer").asText()).isEqualTo("/claims");
        ObjectNode list = body("SELECT 1");
        list.putArray("claims").add(1);
        assertThat(send("?as=anon", list).code()).isEqualTo("invalid_body");
        ObjectNode other = body("SELECT 1");
        other.putObject("claims").put("role", "service_role");
        assertThat(send("?as=anon", other).json().at("/errors/0/pointer").asText())
                .isEqualTo("/claims/role");
        ObjectNode long_ = body("SELECT 1");
        long_.putObject("claims").put("x", "x".repeat(40_000));
        assertThat(send("?as=anon", long_).code()).isEqualTo("invalid_body");
        assertThat(send("?as=anon", body("SELECT 1").putNull("claims")).status())
                .isEqualTo(201);
        assertThat(send("?as=anon", body("VACUUM")).status()).isEqualTo(400);
        assertThat(send("?as=anon", body("RESET ROLE; SELECT 1"))
                        .json()
                        .path("hint")
                        .asText())
                .contains("SET ROLE");
    }

    @Test
    void theAuditSaysTheRole() {
        send("?as=anon", body("SELECT 1"));
        send("?as=authenticated", body("SELECT nope"));
        send("", body("SELECT 1"));
        JsonNode calls =
                api.get("/v1/projects/" + project.ref() + "/audit").json().path("calls");
        assertThat(calls.get(0).has("run_as")).isFalse();
        assertThat(calls.get(1).path("run_as").asText()).isEqualTo("authenticated");
        assertThat(calls.get(1).path("result").asText()).isEqualTo("failed");
        assertThat(calls.get(2).path("run_as").asText()).isEqualTo("anon");
    }
}
