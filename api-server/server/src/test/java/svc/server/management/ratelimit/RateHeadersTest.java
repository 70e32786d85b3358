package svc.server.management.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Each answer whose call counts against a limit says what is left of it, and scripts of other origins can read that. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class RateHeadersTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN).with("Origin", "https://app.example");

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private static void assertLimit(Http.Answer answer, int limit, int remaining) {
        assertThat(answer.header("x-ratelimit-limit")).as(answer.toString()).hasValue(Integer.toString(limit));
        assertThat(answer.header("x-ratelimit-remaining")).hasValue(Integer.toString(remaining));
        assertThat(Integer.parseInt(answer.header("x-ratelimit-reset").orElseThrow()))
                .isBetween(1, 3600);
        assertThat(answer.header("ratelimit-remaining")).hasValue(Integer.toString(remaining));
        assertThat(answer.header("access-control-expose-headers").orElseThrow().split(", "))
                .contains("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after");
    }

    @Test
    void everyCallThatCountsSaysWhatIsLeftAndNoOther() {
        TestingProject project = TestingProject.create(client, tenants, "counted");
        String path = "/v1/projects/" + project.ref();

        assertLimit(API.send("POST", project.path(), "{\"query\":\"select 1\"}"), 30, 29);
        assertLimit(API.send("POST", project.path(), "{\"query\":\"selec 1\"}"), 30, 28);
        assertLimit(
                API.send("POST", path + "/database/migrations", "{\"name\":\"m\",\"query\":\"create table t ()\"}"),
                60,
                59);
        assertLimit(API.get(path + "/realtime"), 60, 58);
        assertLimit(API.send("POST", project.path(), "{\"query\":\"select 1\"}"), 30, 27);
        for (Http.Answer uncounted : List.of(API.get(path), API.get("/v1/projects/nothere1"))) {
            assertThat(uncounted.header("x-ratelimit-limit"))
                    .as(uncounted.toString())
                    .isEmpty();
        }
    }

    @Test
    void aCallOfSeveralLimitsShowsTheOneThatEndsFirst() {
        TestingProject project = TestingProject.create(client, tenants, "both");
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
                + "\"arguments\":{%s}}}";
        Http mcp = API.with("Accept", "application/json, text/event-stream")
                .with("Content-Type", "application/json")
                .with("MCP-Protocol-Version", "2025-06-18");

        Http.Answer tool =
                mcp.send("POST", "/v1/mcp?project_ref=" + project.ref(), call.formatted("get_project_url", ""));
        assertThat(tool.header("x-ratelimit-limit")).as(tool.toString()).hasValue("240");
        Http.Answer sql = mcp.send(
                "POST",
                "/v1/mcp?project_ref=" + project.ref(),
                call.formatted("execute_sql", "\"query\":\"select 1\""));
        assertThat(sql.header("x-ratelimit-limit")).as(sql.toString()).hasValue("30");
        assertThat(sql.header("x-ratelimit-remaining")).hasValue("29");
    }

    @Test
    void strangersSeeTheLimitOfTheirNetwork() {
        Http.Answer registered = Http.host("api.svc.example")
                .with("Content-Type", "application/json")
                .send("POST", "/v1/oauth/register", "{\"redirect_uris\":[\"http://127.0.0.1/cb\"]}");

        assertThat(registered.status()).as(registered.toString()).isEqualTo(201);
        assertThat(registered.header("x-ratelimit-limit")).hasValue("60");
    }
}
