package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.PlatformTables;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Tokens of MCP clients: what they reach, and what ends them. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class McpTokensTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PlatformDatabase database;

    private static JsonNode create(Http by, String body) {
        Http.Answer answer = by.send("POST", "/v1/tokens/mcp", body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.json();
    }

    private static JsonNode pat(String permissions) {
        return ADMIN.send("POST", "/v1/tokens", "{\"name\":\"parent\",\"permissions\":" + permissions + "}")
                .json();
    }

    private static String secret(JsonNode token) {
        return token.get("token").asText();
    }

    private static int status(String token) {
        return McpClient.of(token).send("ping", McpClient.params()).status();
    }

    @Test
    void theSecretIsShownOnceKeptAsAHashAndForMcpAlone() {
        JsonNode token = create(ADMIN, "{\"name\":\"editor\"}");
        String secret = secret(token);
        assertThat(secret).startsWith("svc_mcp_");
        assertThat(token.get("permissions").toString())
                .contains("database_query")
                .doesNotContain("tokens_manage");
        assertThat(ADMIN.get("/v1/tokens/mcp").text())
                .contains(token.get("id").asText())
                .doesNotContain(secret);
        List<String> rows = database.query(
                SqlFragment.of("SELECT t::text AS whole FROM svc_platform.mcp_token AS t"), row -> row.text("whole"));
        assertThat(rows).isNotEmpty().noneMatch(row -> row.contains(secret.substring(8)));
        assertThat(status(secret)).isEqualTo(200);
        assertThat(Http.api(secret).get("/v1/projects").code()).isEqualTo("token_malformed");
        assertThat(Http.api(secret)
                        .send("POST", "/v1/projects", "{\"name\":\"x\"}")
                        .status())
                .isEqualTo(401);
        assertThat(status("svc_mcp_nonsense")).isEqualTo(401);
        Http.Answer none = Http.host("api.svc.example").send("POST", "/v1/mcp", "{}");
        assertThat(none.status()).isEqualTo(401);
        assertThat(none.header("www-authenticate")).isPresent();
    }

    @Test
    void aTokenOfAProjectReachesNoOther() {
        String mine = TestingProject.create(client, tenants, "mine").ref();
        String other = TestingProject.create(client, tenants, "other").ref();
        String token = secret(create(ADMIN, "{\"name\":\"one\",\"project_ref\":\"" + mine + "\"}"));
        McpClient mcp = McpClient.of(token);
        assertThat(mcp.text("execute_sql", Map.of("query", "SELECT 1 AS one"))).contains("\"one\":1");
        assertThat(mcp.error("execute_sql", Map.of("query", "SELECT 1", "project_id", other)))
                .contains("no parameter project_id");
        Http.Answer elsewhere = mcp.at("project_ref=" + other).send("tools/list", McpClient.params());
        assertThat(elsewhere.status()).isEqualTo(403);
        assertThat(elsewhere.code()).isEqualTo("mcp_project_forbidden");
        assertThat(mcp.request("tools/list", McpClient.params()).toString())
                .doesNotContain("\"name\":\"list_projects\"");
        assertThat(ADMIN.send("POST", "/v1/tokens/mcp", "{\"name\":\"x\",\"project_ref\":\"nothere1\"}")
                        .code())
                .isEqualTo("project_not_found");
    }

    @Test
    void aReadOnlyTokenStaysReadOnlyWhateverTheAddressSays() {
        String ref = TestingProject.create(client, tenants, "read").ref();
        String token = secret(create(ADMIN, "{\"name\":\"reader\",\"read_only\":true}"));
        McpClient mcp = McpClient.of(token).at("read_only=false&project_ref=" + ref);
        assertThat(mcp.error("execute_sql", Map.of("query", "CREATE TABLE t (id int)")))
                .contains("25006");
        assertThat(mcp.request("tools/list", McpClient.params()).toString())
                .doesNotContain("\"name\":\"apply_migration\"");
    }

    @Test
    void aTokenHasTheRightsOfItsParentOrFewer() {
        String ref = TestingProject.create(client, tenants, "rights").ref();
        JsonNode parent = pat("{\"database_query\":true}");
        Http by = Http.api(secret(parent));
        assertThat(by.send("POST", "/v1/tokens/mcp", "{\"name\":\"x\",\"permissions\":{\"edge_functions\":true}}")
                        .code())
                .isEqualTo("pat_edge_functions_forbidden");
        assertThat(by.send("POST", "/v1/tokens/mcp", "{\"name\":\"x\",\"permissions\":{\"tokens_manage\":true}}")
                        .code())
                .isEqualTo("invalid_body");
        McpClient mcp = McpClient.of(secret(create(by, "{\"name\":\"child\"}"))).at("project_ref=" + ref);
        assertThat(mcp.text("execute_sql", Map.of("query", "SELECT 1"))).contains("untrusted-data");
        assertThat(mcp.error("list_edge_functions", Map.of())).contains("pat_edge_functions_forbidden");

        String path = "/v1/tokens/" + parent.get("id").asText();
        ADMIN.send("PATCH", path, "{\"permissions\":{\"database_query\":false}}");
        assertThat(mcp.error("execute_sql", Map.of("query", "SELECT 1"))).contains("pat_database_query_forbidden");
        assertThat(mcp.error("get_advisors", Map.of("type", "security"))).contains("pat_database_query_forbidden");
        assertThat(mcp.error("list_tables", Map.of())).contains("pat_database_query_forbidden");

        ADMIN.send("DELETE", path);
        assertThat(mcp.send("tools/list", McpClient.params()).code()).isEqualTo("token_revoked");
    }

    @Test
    void aTokenEndsByItsTimeAndByRevocation() {
        JsonNode token = create(ADMIN, "{\"name\":\"ending\"}");
        assertThat(token.get("expires_at").asText()).isNotEmpty();
        String path = "/v1/tokens/mcp/" + token.get("id").asText();
        Http stranger = Http.api(secret(pat("{}")));
        assertThat(stranger.send("DELETE", path).code()).isEqualTo("token_not_found");
        assertThat(stranger.get("/v1/tokens/mcp").text()).isEqualTo("[]");
        assertThat(ADMIN.send("DELETE", path).json().has("revoked_at")).isTrue();
        assertThat(status(secret(token))).isEqualTo(401);
        assertThat(ADMIN.send("DELETE", "/v1/tokens/mcp/nonsense").code()).isEqualTo("token_not_found");

        for (String end : List.of("2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z")) {
            assertThat(ADMIN.send("POST", "/v1/tokens/mcp", "{\"name\":\"x\",\"expires_at\":\"" + end + "\"}")
                            .code())
                    .isEqualTo("invalid_body");
        }
    }

    @Test
    void anExpiredTokenIsRefused() throws SQLException {
        var end = Instant.now().plus(Duration.ofHours(1));
        JsonNode made = create(ADMIN, "{\"name\":\"short\",\"expires_at\":\"" + end + "\"}");
        String token = secret(made);
        assertThat(status(token)).isEqualTo(200);
        PlatformTables.execute(
                "UPDATE svc_platform.mcp_token SET expires_at = expires_at - interval '1 hour' WHERE id = '"
                        + made.get("id").asText() + "'");
        assertThat(McpClient.of(token).send("ping", McpClient.params()).code()).isEqualTo("token_expired");
    }

    @Test
    void aTokenGetsItsOwnOrganisationBySlugAndNoOther() {
        assertThat(ADMIN.get("/v1/organizations/default").json().get("slug").asText())
                .isEqualTo("default");
        assertThat(ADMIN.get("/v1/organizations/nothere").code()).isEqualTo("not_found");
        assertThat(McpClient.of(TestingPlatform.ADMIN).text("get_organization", Map.of("id", "default")))
                .contains("\"slug\":\"default\"");
    }
}
