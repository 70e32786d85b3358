package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.crds.project.service.FunctionsSpec;
import svc.platform.tenancy.ProjectWatch;
import svc.server.testing.TestingPlatform;
import svc.server.testing.function.FunctionCalls;
import svc.server.testing.function.TestWithFunctionOperator;
import svc.testing.Http;

/** Several functions become active together, as Supabase's command line deploys them: bundled first, then activated. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class BatchDeploymentTest extends TestWithFunctionOperator {
    @Inject
    ProjectWatch projects;

    private static ObjectNode bundled(FunctionCalls calls, String name, String text) {
        Http.Answer answer = bundle(calls, name, text);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return (ObjectNode) answer.json();
    }

    private static Http.Answer bundle(FunctionCalls calls, String name, String text) {
        return SupabaseShapesTest.form(
                calls, "?slug=" + name + "&bundleOnly=true", null, Map.of("index.ts", FunctionCalls.handler(text)));
    }

    private static Http.Answer activate(FunctionCalls calls, Object... bundles) {
        return calls.api().send("PUT", calls.path(""), FunctionCalls.json(List.of(bundles)));
    }

    @Test
    void nothingChangesBeforeTheyAreActivated() {
        FunctionCalls calls = FunctionCalls.ofNewProject("ahead");
        calls.deployed("one", FunctionCalls.handler("before"));

        ObjectNode one = bundled(calls, "one", "after");
        ObjectNode two = bundled(calls, "two", "new");

        assertThat(calls.get("one").get("source").asText()).contains("before");
        assertThat(calls.api().get(calls.path("")).json()).hasSize(1);
        assertThat(two.get("status").asText()).isEqualTo("ACTIVE");
        two.put("verify_jwt", false);
        Http.Answer active = activate(calls, one, two);
        assertThat(active.status()).as(active.toString()).isEqualTo(200);
        assertThat(active.json().get("functions").findValuesAsText("slug")).containsExactly("one", "two");
        assertThat(calls.get("one").get("source").asText()).contains("after");
        assertThat(calls.get("one").get("version").asLong()).isEqualTo(2);
        assertThat(calls.get("one").get("verify_jwt").asBoolean()).isTrue();
        assertThat(calls.get("two").get("verify_jwt").asBoolean()).isFalse();

        assertThat(activate(calls, one, two).status()).isEqualTo(200);

        assertThat(calls.get("one").get("version").asLong()).isEqualTo(2);
    }

    @Test
    void allOrNoneAreActivated() {
        FunctionCalls calls = FunctionCalls.ofNewProject("none");
        FunctionCalls neighbour = FunctionCalls.ofNewProject("neighbour");
        JsonNode good = bundled(calls, "good", "good");
        String foreign =
                bundled(neighbour, "foreign", "foreign").get("ezbr_sha256").asText();
        String hash = good.get("ezbr_sha256").asText();

        for (Map<String, ?> bad : List.<Map<String, ?>>of(
                Map.of("slug", "foreign", "ezbr_sha256", foreign),
                Map.of("slug", "other", "ezbr_sha256", hash),
                Map.of("slug", "good", "ezbr_sha256", hash),
                Map.of("slug", "new", "ezbr_sha256", "0".repeat(64)),
                Map.of("slug", "new", "ezbr_sha256", "../../x"),
                Map.of("slug", "new"),
                Map.of("ezbr_sha256", hash),
                Map.of("slug", "new", "ezbr_sha256", hash, "status", "REMOVED"))) {
            Http.Answer refused = activate(calls, good, bad);
            assertThat(refused.status()).as(bad + refused.toString()).isEqualTo(400);
            assertThat(refused.code()).as(bad.toString()).isEqualTo("invalid_body");
            assertThat(refused.json().at("/errors/0/pointer").asText()).startsWith("/1/");
        }
        for (String body : List.of("[null]", "{}", "null", "[1]", "")) {
            assertThat(calls.api().send("PUT", calls.path(""), body).code())
                    .as(body)
                    .isEqualTo("invalid_body");
        }
        assertThat(calls.api().send("PUT", calls.path(""), "[]").status()).isEqualTo(200);
        assertThat(calls.api().get(calls.path("")).json()).isEmpty();
        assertThat(bundle(calls, "broken", "');(").code()).isEqualTo("function_compile_failed");
    }

    @Test
    void aProjectKeepsNoMoreThanItMayHaveFunctions() {
        FunctionCalls calls = FunctionCalls.ofNewProject("full");
        kubernetes
                .resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(calls.project().ref())
                .edit(project -> {
                    var functions = new FunctionsSpec(true, 2, null, null, null);
                    project.setSpec(
                            project.getSpec().toBuilder().functions(functions).build());
                    return project;
                });
        await().until(() -> projects.byRef(calls.project().ref()).stream()
                .anyMatch(project -> project.getSpec().functions().maxFunctions() == 2));
        bundled(calls, "a", "1");
        bundled(calls, "a", "2");

        Http.Answer full = bundle(calls, "a", "3");

        assertThat(full.code()).as(full.toString()).isEqualTo("function_limit_reached");
        assertThat(bundle(calls, "a", "2").status()).isEqualTo(201);
        assertThat(bundle(FunctionCalls.ofNewProject("empty"), "a", "1").status())
                .isEqualTo(201);
    }
}
