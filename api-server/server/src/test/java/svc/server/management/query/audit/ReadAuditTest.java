package svc.server.management.query.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** {@code GET /v1/projects/{ref}/audit}: calls with their caller and result, never the SQL itself. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ReadAuditTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "audited");
    }

    private Http.Answer run(Http caller, String sql) {
        return caller.send(
                "POST",
                project.path(),
                JSON.createObjectNode().put("query", sql).toString());
    }

    private String path(String query) {
        return "/v1/projects/" + project.ref() + "/audit" + query;
    }

    private List<JsonNode> calls(String query) {
        Http.Answer answer = api.get(path(query));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return StreamSupport.stream(answer.json().get("calls").spliterator(), false)
                .toList();
    }

    private List<String> results(String query) {
        return calls(query).stream().map(call -> call.get("result").asText()).toList();
    }

    private Http token(Http by, String permissions) {
        return Http.api(by.send("POST", "/v1/tokens", "{\"name\":\"t\",\"permissions\":{" + permissions + "}}")
                .json()
                .findValue("token")
                .asText());
    }

    @Test
    void tellsEachCallNewestFirst() throws Exception {
        Http denied = token(api, "");
        String sql = "SELECT 'canary-5f1c' AS x";
        run(api.with("X-Request-Id", "my-request").with("X-Forwarded-For", "6.6.6.6"), sql);
        run(api, "SELECT 1/0");
        run(api, "COPY t TO PROGRAM 'canary-5f1c'");
        run(denied, "SELECT 'canary-5f1c'");

        List<JsonNode> calls = calls("");

        assertThat(calls.stream()
                        .map(call -> call.get("result").asText() + " "
                                + call.path("code").asText("-")))
                .containsExactly(
                        "denied pat_database_query_forbidden",
                        "refused sql_forbidden_statement",
                        "failed 22012",
                        "committed -");
        assertThat(calls.get(1).get("statement_kinds").toString()).isEqualTo("[\"CopyStmt\"]");
        assertThat(calls)
                .allSatisfy(call -> assertThat(call.get("count").asInt()).isEqualTo(1));
        JsonNode first = calls.getLast();
        assertThat(first.get("request_id").asText()).isEqualTo("my-request");
        assertThat(first.get("address").asText()).isEqualTo("127.0.0.1");
        assertThat(first.get("actor").asText()).isEqualTo("token");
        assertThat(first.get("token_id").asText()).hasSize(36);
        assertThat(first.get("statement_kinds").toString()).isEqualTo("[\"SelectStmt\"]");
        assertThat(first.get("rows").asInt()).isEqualTo(1);
        assertThat(first.get("duration_ms").isInt()).isTrue();
        assertThat(first.get("text_bytes").asInt()).isEqualTo(sql.length());
        assertThat(first.get("text_sha256").asText())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(sql.getBytes(StandardCharsets.UTF_8))));
        assertThat(Instant.parse(first.get("started_at").asText())).isBefore(Instant.now());
        assertThat(api.get(path("")).text()).doesNotContain("canary");
    }

    @Test
    void theFingerprintLeavesConstantsAndBlanksOut() {
        for (String sql : List.of(
                "CREATE TABLE t (a int)",
                "INSERT INTO t VALUES (1)",
                "insert  into t /* again */ values\n(2)",
                "INSERT INTO t (a) VALUES (1)",
                "COPY t TO PROGRAM 'x'",
                "SELEC 1")) {
            run(api, sql);
        }
        List<String> prints = new ArrayList<>(calls("").stream()
                .map(call -> call.path("fingerprint").asText("-"))
                .toList());
        java.util.Collections.reverse(prints);
        assertThat(prints.get(1)).matches("[0-9a-f]{16}").isEqualTo(prints.get(2));
        assertThat(prints.get(3)).isNotEqualTo(prints.get(1));
        assertThat(prints.get(4)).matches("[0-9a-f]{16}");
        assertThat(prints.get(5)).isEqualTo("-");
    }

    @Test
    void pagesAreStableWhileCallsArrive() {
        for (int i = 0; i < 7; i++) {
            run(api, "SELECT " + i);
        }
        Set<String> seen = new HashSet<>();
        String query = "?limit=3";
        int pages = 0;
        while (query != null) {
            JsonNode page = api.get(path(query)).json();
            for (JsonNode call : page.get("calls")) {
                assertThat(seen.add(call.get("id").asText())).isTrue();
            }
            query = page.has("next_cursor")
                    ? "?limit=3&cursor=" + page.get("next_cursor").asText()
                    : null;
            run(api, "SELECT 'arrives between two pages'");
            pages++;
        }
        assertThat(pages).isEqualTo(3);
        assertThat(seen).hasSize(7);
    }

    @Test
    void anExactPageHasNoNext() {
        run(api, "SELECT 1");
        run(api, "SELECT 2");
        assertThat(api.get(path("?limit=2")).json().has("next_cursor")).isFalse();
        assertThat(api.get(path("?limit=1")).json().has("next_cursor")).isTrue();
    }

    @Test
    void filters() {
        Http other = token(api, "\"database_query\":true");
        run(api, "SELECT 1");
        run(api, "SELECT nope");
        Instant between = Instant.now();
        run(other, "SELECT 2");
        String id = calls("").getFirst().get("token_id").asText();

        assertThat(results("?result=failed")).containsExactly("failed");
        assertThat(results("?actor=" + id)).containsExactly("committed");
        assertThat(results("?actor=token")).hasSize(3);
        assertThat(results("?actor=service_role")).isEmpty();
        assertThat(results("?since=" + between)).containsExactly("committed");
        assertThat(results("?until=" + between)).containsExactly("failed", "committed");
        assertThat(results("?since=" + between + "&result=failed")).isEmpty();
        assertThat(results("?since=2000-01-01T01:00:00%2B01:00")).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=101",
                "limit=x",
                "limit=-1",
                "limit=1&limit=2",
                "cursor=abc",
                "cursor=",
                "cursor=%00",
                "cursor=KzEwMDAwMDAwMDAtMDEtMDFUMDA6MDA6MDBaIDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAwLTAwMDAwMDAwMDAwMA",
                "result=fine",
                "actor=root",
                "actor=%00",
                "since=yesterday",
                "until=+999999999-01-01T00:00:00Z",
                "since=%2B999999999-01-01T00:00:00Z",
                "page=2"
            })
    void refusesParametersThatDoNotFit(String query) {
        Http.Answer answer = api.get(path("?" + query));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("invalid_parameter");
        assertThat(answer.json().path("hint").asText()).isNotEmpty();
    }

    @Test
    void anyTokenOfTheOrganisationReadsAndNoOther() {
        run(api, "SELECT 1");
        assertThat(token(api, "").get(path("")).status()).isEqualTo(200);

        Http stranger = Http.api(api.send("POST", "/v1/organizations", "{\"slug\":\"o" + project.ref() + "\"}")
                .json()
                .findValue("token")
                .findValue("token")
                .asText());
        Http.Answer foreign = stranger.get(path(""));
        assertThat(foreign.status()).as(foreign.toString()).isEqualTo(404);
        assertThat(foreign.code()).isEqualTo("project_not_found");
        assertThat(stranger.get("/v1/projects/nothere1/audit")
                        .text()
                        .replaceAll("\"request_id\":\"[^\"]*\"|nothere1", ""))
                .isEqualTo(foreign.text().replaceAll("\"request_id\":\"[^\"]*\"|" + project.ref(), ""));
        assertThat(api.get("/v1/projects/%00/audit").status()).isEqualTo(404);
        assertThat(Http.host("api.svc.example").get(path("")).status()).isEqualTo(401);
        assertThat(api.get("/api/projects/" + project.ref() + "/audit").status())
                .isEqualTo(200);
    }

    @Test
    void isEmptyBeforeTheFirstCallAndStaysAfterTheProject() {
        assertThat(calls("")).isEmpty();
        run(api, "SELECT 1");
        assertThat(api.send("DELETE", "/v1/projects/" + project.ref()).status()).isEqualTo(200);
        assertThat(results("")).containsExactly("committed", "committed");
        assertThat(calls("").getFirst().get("statement_kinds").toString()).isEqualTo("[\"delete project\"]");
    }
}
