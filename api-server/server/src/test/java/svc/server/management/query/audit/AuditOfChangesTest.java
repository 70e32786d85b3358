package svc.server.management.query.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** The audit has what tokens changed, in words without values, and what they were refused. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class AuditOfChangesTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    private static void done(Http caller, String method, String path, String body) {
        Http.Answer answer = body == null ? caller.send(method, path) : caller.send(method, path, body);
        assertThat(answer.status()).as(answer.toString()).isLessThan(300);
    }

    /** Oldest first. */
    private static List<JsonNode> calls(Http reader, String path) {
        Http.Answer answer = reader.get(path + "/audit?limit=100");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return StreamSupport.stream(answer.json().get("calls").spliterator(), false)
                .toList()
                .reversed();
    }

    private static List<String> summaries(Http reader, String path) {
        return calls(reader, path).stream()
                .map(call -> call.get("statement_kinds").path(0).asText() + " "
                        + call.get("result").asText() + " " + call.path("code").asText("-") + " "
                        + call.get("count").asText())
                .toList();
    }

    private static JsonNode token(String permissions) {
        return ADMIN.send("POST", "/v1/tokens", "{\"name\":\"t\",\"permissions\":{" + permissions + "}}")
                .json();
    }

    @Test
    void whatWasDoneWithAProjectStandsInItsAudit() {
        ProjectForTests project = ProjectForTests.create("changed");
        String path = "/v1/projects/" + project.ref();
        done(ADMIN, "PATCH", path, "{\"name\":\"canary\",\"rest\":{\"maxRows\":5}}");
        done(ADMIN, "PATCH", path + "/config/auth", "{\"site_url\":\"https://canary.example\"}");
        done(ADMIN, "PATCH", path + "/config/realtime", "{}");
        done(ADMIN, "PATCH", path + "/config/storage", "{}");
        done(ADMIN, "PATCH", path + "/postgrest", "{}");
        done(ADMIN, "GET", path + "/api-keys", null);
        done(ADMIN, "GET", path + "/api-keys?reveal=true", null);
        done(ADMIN, "GET", path + "/api-keys/service_role?reveal=true", null);
        done(ADMIN, "GET", path + "/api-keys/anon?reveal=true", null);
        done(ADMIN, "POST", path + "/keys/rotate", "{\"keys\":[\"signing\",\"anon\"]}");
        done(ADMIN, "POST", path + "/pause", null);
        done(ADMIN, "POST", path + "/restore", null);
        done(ADMIN, "POST", path + "/secrets", "[{\"name\":\"WORD\",\"value\":\"canary\"}]");
        done(ADMIN, "DELETE", path + "/secrets", "[\"WORD\",\"NEVER_SET\"]");
        done(ADMIN, "POST", path + "/secrets", "[{\"name\":\"A\",\"value\":\"1\"},{\"name\":\"B\",\"value\":\"2\"}]");
        done(ADMIN, "DELETE", path + "/secrets", "[\"B\",\"A\",\"A\"]");
        done(
                ADMIN,
                "PUT",
                path + "/functions/secrets",
                "{\"functionName\":\"f\",\"key\":\"WORD\",\"value\":\"canary\"}");
        done(ADMIN, "DELETE", path + "/functions/secrets/f/WORD", null);
        done(ADMIN, "DELETE", path, null);

        assertThat(summaries(ADMIN, path))
                .containsExactly(
                        "change project: name, rest committed - 1",
                        "change project: auth committed - 1",
                        "change project: realtime committed - 1",
                        "change project: storage committed - 1",
                        "change project: rest committed - 1",
                        "reveal service_role key committed - 2",
                        "rotate keys: anon, signing committed - 1",
                        "pause project committed - 1",
                        "restore project committed - 1",
                        "set secret WORD committed - 1",
                        "delete secret WORD committed - 1",
                        "set secrets A, B committed - 1",
                        "delete secrets A, B committed - 1",
                        "set secret f/WORD committed - 1",
                        "delete secret f/WORD committed - 1",
                        "delete project committed - 1");
        assertThat(ADMIN.get(path + "/audit?limit=100").text())
                .doesNotContain("canary", project.serviceKey(), project.anonKey());
    }

    @Test
    void aCallSetsEachSecretOnceAndNoMoreThanAProjectMayHave() {
        String path = "/v1/projects/" + ProjectForTests.create("secrets").ref() + "/secrets";

        Http.Answer twice =
                ADMIN.send("POST", path, "[{\"name\":\"A\",\"value\":\"1\"},{\"name\":\"A\",\"value\":\"2\"}]");
        Http.Answer many = ADMIN.send(
                "POST",
                path,
                IntStream.range(0, 101)
                        .mapToObj(i -> "{\"name\":\"A" + i + "\",\"value\":\"1\"}")
                        .collect(Collectors.joining(",", "[", "]")));

        assertThat(twice.status()).as(twice.toString()).isEqualTo(400);
        assertThat(twice.text()).contains("/1/name", "comes twice");
        assertThat(many.status()).as(many.toString()).isEqualTo(400);
        assertThat(ADMIN.get(path).json()).isEmpty();
    }

    @Test
    void whatWasRefusedStandsThereTooAndRepetitionsAreCounted() {
        String path = "/v1/projects/" + ProjectForTests.create("refused").ref();
        JsonNode plain = token("");
        Http poor = Http.api(plain.get("token").asText());
        for (int i = 0; i < 3; i++) {
            assertThat(poor.send("POST", path + "/pause").status()).isEqualTo(403);
        }
        assertThat(poor.get(path + "/secrets").status()).isEqualTo(403);
        assertThat(poor.get(path + "/api-keys?reveal=true").status()).isEqualTo(403);
        Http.Answer late = ADMIN.with("If-Match", "\"other\"").send("PATCH", path, "{\"name\":\"late\"}");
        assertThat(late.code()).as(late.toString()).isEqualTo("etag_mismatch");

        assertThat(summaries(ADMIN, path))
                .containsExactly(
                        "call v1-pause-a-project denied pat_projects_create_forbidden 3",
                        "reveal service_role key denied pat_database_query_forbidden 1",
                        "change project: name failed etag_mismatch 1");
        JsonNode first = calls(ADMIN, path).getFirst();
        assertThat(first.get("token_id")).isEqualTo(plain.get("id"));
        assertThat(first.get("address").asText()).isEqualTo("127.0.0.1");
    }

    @Test
    void whatIsAboutNoProjectStandsInTheAuditOfTheOrganisation() {
        String slug = "audited-" + Long.toString(System.nanoTime(), 36);
        JsonNode made = ADMIN.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\"}")
                .json();
        Http owner = Http.api(made.at("/token/token").asText());
        JsonNode token = owner.send(
                        "POST",
                        "/v1/tokens",
                        "{\"name\":\"canary\",\"permissions\":{\"database_query\":true,\"tokens_manage\":false}}")
                .json();
        String id = token.get("id").asText();
        done(
                owner,
                "PATCH",
                "/v1/tokens/" + id,
                "{\"permissions\":{\"edge_functions\":true,\"database_query\":false}}");
        done(owner, "POST", "/v1/tokens/" + id + "/prepare-for-ci", null);
        Http worker = Http.api(token.get("token").asText());
        assertThat(worker.send("POST", "/v1/tokens", "{\"name\":\"x\"}").status())
                .isEqualTo(403);
        done(owner, "DELETE", "/v1/tokens/" + id, null);
        assertThat(owner.send("PATCH", "/v1/tokens/" + id, "{\"name\":\"y\"}").code())
                .isEqualTo("token_not_active");
        String ref = ProjectForTests.create(made.at("/token/token").asText(), "canary")
                .ref();
        Http.Answer listed = owner.with("Content-Type", "application/json")
                .with("Accept", "application/json, text/event-stream")
                .send(
                        "POST",
                        "/v1/mcp",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                                + "\"params\":{\"name\":\"list_projects\",\"arguments\":{}}}");
        assertThat(listed.text()).contains(ref);

        JsonNode client =
                owner.send("POST", "/v1/tokens/mcp", "{\"name\":\"canary\"}").json();
        String clientId = client.get("id").asText();
        done(owner, "DELETE", "/v1/tokens/mcp/" + clientId, null);

        String path = "/v1/organizations/" + slug;
        assertThat(summaries(owner, path))
                .containsExactly(
                        "create token " + id + ": database_query committed - 1",
                        "change token " + id + ": database_query off, edge_functions on committed - 1",
                        "change token " + id + ": database_query, edge_functions, projects_create committed - 1",
                        "call createToken denied pat_tokens_manage_forbidden 1",
                        "revoke token " + id + " committed - 1",
                        "change token failed token_not_active 1",
                        "create project " + ref + " committed - 1",
                        "mcp list_projects committed - 1",
                        "create MCP token " + clientId + " committed - 1",
                        "revoke MCP token " + clientId + " committed - 1");
        assertThat(calls(owner, path)).noneMatch(call -> call.has("ref") || call.has("project_id"));
        assertThat(owner.get(path + "/audit").text())
                .doesNotContain(
                        "canary",
                        token.get("token").asText(),
                        client.get("token").asText());
        assertThat(summaries(ADMIN, "/v1/organizations/default"))
                .contains("create organization " + slug + " committed - 1");
        assertThat(ADMIN.get(path + "/audit").code()).isEqualTo("not_found");
        assertThat(Http.api(token("\"database_query\":true").get("token").asText())
                        .get("/v1/organizations/default/audit")
                        .code())
                .isEqualTo("pat_tokens_manage_forbidden");
    }

    @Test
    void theAuditOfTheOrganisationHasThoseOfItsProjectsPageByPage() {
        JsonNode made = ADMIN.send(
                        "POST",
                        "/v1/organizations",
                        "{\"slug\":\"paged-" + Long.toString(System.nanoTime(), 36) + "\"}")
                .json();
        Http owner = Http.api(made.at("/token/token").asText());
        String path = "/v1/organizations/" + made.at("/organization/slug").asText() + "/audit";
        String ref = ProjectForTests.create(made.at("/token/token").asText(), "paged")
                .ref();
        for (int i = 0; i < 4; i++) {
            done(owner, "PATCH", "/v1/projects/" + ref, "{\"name\":\"n" + i + "\"}");
        }
        Set<String> seen = new HashSet<>();
        String query = "?limit=2";
        int pages = 0;
        while (query != null) {
            JsonNode page = owner.get(path + query).json();
            for (JsonNode call : page.get("calls")) {
                assertThat(seen.add(call.get("id").asText())).isTrue();
            }
            query = page.has("next_cursor")
                    ? "?limit=2&cursor=" + page.get("next_cursor").asText()
                    : null;
            pages++;
        }
        assertThat(pages).isEqualTo(3);
        assertThat(seen).hasSize(5);
        assertThat(owner.get(path + "?result=failed").json().get("calls")).isEmpty();
        assertThat(owner.get(path + "?page=2").code()).isEqualTo("invalid_parameter");
    }

    /** A change of a project must not depend on the audit; a key that reaches all its rows does. */
    @Test
    void whileTheAuditIsAwayAProjectCanBeChangedAndNoKeyIsShown() {
        String path = "/v1/projects/" + ProjectForTests.create("unaudited").ref();
        rename("sql_call", "sql_call_away");
        try {
            done(ADMIN, "PATCH", path, "{\"name\":\"changed\"}");
            Http.Answer refused = ADMIN.get(path + "/api-keys?reveal=true");
            assertThat(refused.status()).as(refused.toString()).isEqualTo(503);
            assertThat(refused.text()).doesNotContain("svc_service_");
            done(ADMIN, "GET", path + "/api-keys", null);
        } finally {
            rename("sql_call_away", "sql_call");
        }
        assertThat(ADMIN.get(path).json().get("name").asText()).isEqualTo("changed");
        done(ADMIN, "GET", path + "/api-keys?reveal=true", null);
    }

    private static void rename(String from, String to) {
        String url = ConfigProvider.getConfig().getValue("svc.api.platform.url", String.class);
        try (var operator = EmbeddedPostgres.shared().connect(url.substring(url.lastIndexOf('/') + 1));
                var statement = operator.createStatement()) {
            statement.execute("ALTER TABLE svc_platform." + from + " RENAME TO " + to);
        } catch (SQLException e) {
            throw new IllegalStateException("while renaming the audit", e);
        }
    }
}
