package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.functions.artifact.Archive;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ContentHash;
import svc.server.testing.TestingPlatform;
import svc.server.testing.function.FunctionCalls;
import svc.server.testing.function.TestWithFunctionOperator;
import svc.testing.Http;

/** Deployment from the call to the resource that the operator rolls out, and rollback. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class DeployFunctionTest extends TestWithFunctionOperator {
    @Inject
    ArtifactStore artifacts;

    private List<EdgeFunction> resources(FunctionCalls calls) {
        return kubernetes
                .resources(EdgeFunction.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .list()
                .getItems()
                .stream()
                .filter(function -> function.getSpec()
                        .projectRef()
                        .name()
                        .equals(calls.project().ref()))
                .toList();
    }

    /** Deployed code holds the service-role key: the audit says which token put which function there. */
    @Test
    void theAuditNamesTheFunction() {
        FunctionCalls calls = FunctionCalls.ofNewProject("audited");
        calls.deployed("hello", FunctionCalls.handler("hi"));

        JsonNode entries = Http.api(TestingPlatform.ADMIN)
                .get("/v1/projects/" + calls.project().ref() + "/audit")
                .json()
                .get("calls");
        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).get("statement_kinds").get(0).asText()).isEqualTo("deploy function hello");
        assertThat(entries.get(0).get("actor").asText()).isEqualTo("token");
        assertThat(entries.get(0).get("result").asText()).isEqualTo("committed");
    }

    @Test
    void aDeployAnswersWhenTheCodeServes() {
        FunctionCalls calls = FunctionCalls.ofNewProject("deploy");

        Http.Answer answer = calls.deploy(
                "hello",
                "import { text } from '../_shared/text.ts'; export default () => new Response(text);",
                Map.of("files", Map.of("_shared/text.ts", "export const text = 'shared';")));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertThat(answer.header("Location"))
                .contains(
                        "http://api.svc.example/v1/projects/" + calls.project().ref() + "/functions/hello");
        JsonNode function = answer.json();
        assertThat(function.get("name").asText()).isEqualTo("hello");
        assertThat(function.get("slug").asText()).isEqualTo("hello");
        assertThat(function.get("status").asText()).isEqualTo("ACTIVE");
        assertThat(function.get("version").asLong()).isEqualTo(1);
        assertThat(function.get("verify_jwt").asBoolean()).isTrue();
        assertThat(function.get("content_hash")).isEqualTo(function.get("serving_hash"));
        EdgeFunction resource = resources(calls).getFirst();
        assertThat(resource.getSpec().source()).isNull();
        assertThat(resource.getSpec().contentHash())
                .isEqualTo(function.get("content_hash").asText());
        Archive archive = Archive.read(artifacts
                .find(
                        calls.project().identity().projectId(),
                        ContentHash.parse(resource.getSpec().contentHash()).orElseThrow())
                .orElseThrow());
        assertThat(archive.bundle()).contains("shared").doesNotContain("import ");
        assertThat(archive.files()).containsOnlyKeys("_shared/text.ts");
        assertThat(archive.origins().sources()).contains("index.ts", "_shared/text.ts");
        assertThat(archive.origins().mappings()).isNotEmpty();
    }

    @Test
    void listsAndReadsWhatWasDeployed() {
        FunctionCalls calls = FunctionCalls.ofNewProject("list");
        calls.deployed("two", FunctionCalls.handler("2"));
        calls.deployed("one", FunctionCalls.handler("1"));

        JsonNode list = calls.api().get(calls.path("")).json();
        JsonNode one = calls.get("one");

        assertThat(list.findValuesAsText("name")).containsExactly("one", "two");
        assertThat(list.get(0).has("source")).isFalse();
        assertThat(one.get("source").asText()).isEqualTo(FunctionCalls.handler("1"));
        // As Supabase's MCP server reads it: it takes away the folder, whose name it knows, of ref, id and version.
        assertThat(URI.create(one.get("entrypoint_path").asText()).getPath())
                .isEqualTo("/tmp/user_fn_" + calls.path("").split("/")[3] + "_"
                        + one.get("id").asText() + "_" + one.get("version").asInt() + "/source/index.ts");
        assertThat(one.get("created_at").asLong()).isPositive();
        assertThat(calls.api()
                        .get("/api/projects/" + calls.project().ref() + "/functions")
                        .json())
                .hasSize(2);
        assertThat(calls.api().get(calls.path("/nobody")).code()).isEqualTo("function_not_found");
    }

    @Test
    void versionsAreCountedAndCanBeHadBack() {
        FunctionCalls calls = FunctionCalls.ofNewProject("versions");
        String first = calls.deployed("counted", FunctionCalls.handler("first"))
                .get("content_hash")
                .asText();
        Http.Answer second = calls.api()
                .send(
                        "PUT",
                        calls.path("/counted"),
                        FunctionCalls.json(Map.of("source", FunctionCalls.handler("second"))));
        assertThat(second.status()).as(second.toString()).isEqualTo(200);
        assertThat(second.json().get("version").asLong()).isEqualTo(2);

        JsonNode back = calls.api()
                .send("POST", calls.path("/counted/rollback"), "{\"version\":1}")
                .json();

        assertThat(back.get("version").asLong()).isEqualTo(3);
        assertThat(back.get("content_hash").asText()).isEqualTo(first);
        assertThat(calls.get("counted").get("source").asText()).contains("first");
        assertThat(back.get("history")).hasSize(3);
        Http.Answer never = calls.api().send("POST", calls.path("/counted/rollback"), "{\"version\":9}");
        assertThat(never.status()).isEqualTo(404);
        assertThat(never.code()).isEqualTo("function_version_not_found");
        assertThat(never.json().get("hint").asText()).contains("[3, 2, 1]");
        assertThat(calls.api()
                        .send("POST", calls.path("/counted/rollback"), "{}")
                        .code())
                .isEqualTo("invalid_body");
        assertThat(calls.api()
                        .send("POST", calls.path("/nobody/rollback"), "{\"version\":1}")
                        .code())
                .isEqualTo("function_not_found");
    }

    @Test
    void theVersionThatADeployReplacesCanBeNamed() {
        FunctionCalls calls = FunctionCalls.ofNewProject("expected");
        String source = FunctionCalls.handler("x");

        assertThat(calls.deploy("checked", source, Map.of("expected_version", 0))
                        .status())
                .isEqualTo(201);
        Http.Answer late = calls.deploy("checked", source + "//", Map.of("expected_version", 0));

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.code()).isEqualTo("function_version_conflict");
        assertThat(calls.deploy("checked", source + "//", Map.of("expected_version", 1))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void whetherCallsNeedATokenIsKeptUntilItIsChanged() {
        FunctionCalls calls = FunctionCalls.ofNewProject("jwt");
        assertThat(calls.deploy("open", FunctionCalls.handler("1"), Map.of("verify_jwt", false))
                        .json()
                        .get("verify_jwt")
                        .asBoolean())
                .isFalse();
        assertThat(calls.deployed("open", FunctionCalls.handler("2"))
                        .get("verify_jwt")
                        .asBoolean())
                .isFalse();

        JsonNode closed = calls.api()
                .send("PUT", calls.path("/open"), "{\"verify_jwt\":true}")
                .json();

        assertThat(closed.get("verify_jwt").asBoolean()).isTrue();
        assertThat(closed.get("version").asLong()).isEqualTo(2);
        assertThat(calls.api()
                        .send("PUT", calls.path("/nobody"), "{\"verify_jwt\":true}")
                        .code())
                .isEqualTo("function_not_found");
        assertThat(calls.api()
                        .send(
                                "PUT",
                                calls.path("/nobody"),
                                FunctionCalls.json(Map.of("source", FunctionCalls.handler("1"))))
                        .code())
                .isEqualTo("function_not_found");
        assertThat(calls.api()
                        .send("PUT", calls.path("/open"), "{\"name\":\"other\",\"source\":\"1\"}")
                        .code())
                .isEqualTo("invalid_body");
    }

    @Test
    void whatCannotRunIsRefusedByCodeAndChangesNothing() {
        FunctionCalls calls = FunctionCalls.ofNewProject("refused");
        calls.deployed("steady", FunctionCalls.handler("serves"));
        Map<String, String> refused = Map.of(
                "export default (", "function_compile_failed",
                "import './nope.ts'; export default () => 1;", "function_import_failed",
                "import 'file:///etc/passwd';", "function_import_forbidden",
                "import x from 'npm:zod'; export default x;", "function_registry_unreachable",
                "export const a = 1;", "function_no_handler",
                "throw new Error('at once');", "function_boot_failed",
                "while (true);", "function_boot_timeout");

        refused.forEach((source, code) -> {
            Http.Answer answer = calls.deploy("steady", source);
            assertThat(answer.code()).as(answer.toString()).isEqualTo(code);
            assertThat(answer.status()).isBetween(400, 503);
            assertThat(answer.json().at("/faults/0/code").asText()).isEqualTo(code);
        });
        JsonNode syntax =
                calls.deploy("steady", "const a = 1;\nexport default (").json();
        assertThat(syntax.get("file").asText()).isEqualTo("index.ts");
        assertThat(syntax.get("line").asInt()).isEqualTo(2);
        assertThat(syntax.get("column").asInt()).isEqualTo(17);
        JsonNode thrown = calls.deploy(
                        "steady",
                        "import './lib/part.ts'; export default () => 1;",
                        Map.of("files", Map.of("lib/part.ts", "type T = 1;\n\n  throw new Error('here');")))
                .json();
        assertThat(thrown.get("file").asText()).isEqualTo("lib/part.ts");
        assertThat(thrown.get("line").asInt()).isEqualTo(3);
        assertThat(calls.get("steady").get("version").asLong()).isEqualTo(1);
        assertThat(calls.get("steady").get("source").asText()).contains("serves");
    }

    @Test
    void invalidBodiesAreRefusedWithThePlace() {
        FunctionCalls calls = FunctionCalls.ofNewProject("bodies");
        String path = calls.path("/deploy");

        assertThat(calls.api().send("POST", path).code()).isEqualTo("invalid_body");
        assertThat(calls.api()
                        .send("POST", path, "{\"source\":\"1\"}")
                        .json()
                        .at("/errors/0/pointer")
                        .asText())
                .isEqualTo("/name");
        assertThat(calls.api()
                        .send("POST", path, "{\"name\":\"a\"}")
                        .json()
                        .at("/errors/0/pointer")
                        .asText())
                .isEqualTo("/source");
        assertThat(calls.api()
                        .send("POST", path, "{\"name\":\"a\",\"source\":1}")
                        .code())
                .isEqualTo("invalid_body");
        assertThat(calls.api()
                        .send("POST", path, "{\"name\":\"a\",\"source\":\"\",\"file\":{}}")
                        .code())
                .isEqualTo("invalid_body");
        assertThat(calls.api()
                        .send("POST", path, "{\"name\":\"a\",\"source\":\"\",\"files\":[]}")
                        .code())
                .isEqualTo("invalid_body");
        assertThat(calls.api()
                        .send("POST", path, "{\"name\":\"a\",\"source\":\"\",\"files\":{\"a\":{}}}")
                        .code())
                .isEqualTo("invalid_body");
        assertThat(calls.deploy("1bad", "1").code()).isEqualTo("function_name_invalid");
        assertThat(calls.deploy("__proto__", "1").code()).isEqualTo("function_name_invalid");
        assertThat(calls.deploy("secrets", "1").code()).isEqualTo("function_name_invalid");
        assertThat(calls.deploy("a", "1", Map.of("files", Map.of("../../etc/passwd", "")))
                        .code())
                .isEqualTo("function_path_invalid");
        assertThat(calls.deploy("a", "1", Map.of("import_map", "none.json")).code())
                .isEqualTo("function_import_map_invalid");
        assertThat(calls.deploy("a", "x".repeat(11 << 20)).code()).isEqualTo("function_too_large");
        assertThat(calls.deploy("a", "x".repeat(17 << 20)).code()).isEqualTo("body_too_large");
    }

    @Test
    void oneThatIsNotUpInTimeIsAnsweredAsComingUp() {
        FunctionCalls calls = FunctionCalls.ofNewProject("slow");

        Http.Answer answer = calls.deploy("stuck-function", FunctionCalls.handler("x"));

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().get("status").asText()).isEqualTo("COMING_UP");
    }

    @Test
    void oneThatDoesNotStartIsReportedWithTheReason() {
        FunctionCalls calls = FunctionCalls.ofNewProject("broken");

        Http.Answer answer = calls.deploy("broken-function", FunctionCalls.handler("x"));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("function_rollout_failed");
        assertThat(answer.json().get("reason").asText()).isEqualTo("DoesNotStart");
        assertThat(answer.json().get("detail").asText()).contains("ends at once");
    }

    @Test
    void deploysOfOneFunctionFollowEachOther() {
        FunctionCalls calls = FunctionCalls.ofNewProject("parallel");

        List<JsonNode> answers = IntStream.range(0, 4)
                .mapToObj(n -> CompletableFuture.supplyAsync(
                        () -> deployedInTurn(calls, FunctionCalls.handler("text " + n)),
                        task -> Thread.ofVirtual().start(task)))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        // On a busy machine a deployment may answer, and the next one begin, before it is rolled out.
        List<JsonNode> rolledOut = answers.stream()
                .filter(answer -> answer.get("status").asText().equals("ACTIVE"))
                .toList();
        assertThat(rolledOut)
                .extracting(answer -> answer.get("version").asLong())
                .doesNotHaveDuplicates();
        await().until(() -> calls.get("busy").get("status").asText().equals("ACTIVE"));
        JsonNode last = calls.get("busy");
        assertThat(last.get("version").asLong()).isBetween((long) rolledOut.size(), 4L);
        assertThat(answers).extracting(answer -> answer.get("content_hash")).contains(last.get("serving_hash"));
        assertThat(resources(calls)).hasSize(1);
    }

    /** One that has waited too long for its turn is to be sent again. */
    private static JsonNode deployedInTurn(FunctionCalls calls, String source) {
        Http.Answer answer = calls.deploy("busy", source);
        while (answer.status() == 409 && answer.json().path("retryable").asBoolean()) {
            answer = calls.deploy("busy", source);
        }
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.json();
    }

    @Test
    void aProjectHasNoMoreFunctionsThanItMay() {
        FunctionCalls calls = FunctionCalls.ofNewProject("limit");
        kubernetes
                .resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(calls.project().ref())
                .edit(project -> {
                    var functions = new svc.crds.project.service.FunctionsSpec(true, 1, null, null, null);
                    project.setSpec(
                            project.getSpec().toBuilder().functions(functions).build());
                    return project;
                });
        calls.deployed("only", FunctionCalls.handler("1"));

        Http.Answer second = calls.deploy("second", FunctionCalls.handler("2"));

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.code()).isEqualTo("function_limit_reached");
        calls.deployed("only", FunctionCalls.handler("again"));
    }

    @Test
    void aDeletedFunctionTakesItsArchivesAlong() {
        FunctionCalls calls = FunctionCalls.ofNewProject("deleted");
        String source = FunctionCalls.handler("the same in both");
        ContentHash first = hash(calls.deployed("first", source));
        ContentHash changed = hash(calls.deployed("first", FunctionCalls.handler("changed")));
        ContentHash other = hash(calls.deployed("other", source));

        JsonNode gone = calls.api().send("DELETE", calls.path("/first")).json();

        assertThat(gone.get("status").asText()).isEqualTo("REMOVED");
        assertThat(calls.api().get(calls.path("/first")).code()).isEqualTo("function_not_found");
        await().pollInterval(Duration.ofMillis(20)).until(() -> !kept(calls, first) && !kept(calls, changed));
        assertThat(kept(calls, other)).isTrue();
        assertThat(calls.api().send("DELETE", calls.path("/first")).code()).isEqualTo("function_not_found");
        assertThat(calls.deployed("first", source).get("version").asLong()).isEqualTo(1);
    }

    private static ContentHash hash(JsonNode function) {
        return ContentHash.parse(function.get("content_hash").asText()).orElseThrow();
    }

    private boolean kept(FunctionCalls calls, ContentHash hash) {
        return artifacts.contains(calls.project().identity().projectId(), hash);
    }

    @Test
    void oddTextsSurviveTheWay() {
        FunctionCalls calls = FunctionCalls.ofNewProject("odd");
        String source = "/* ünï©ode \u2028 \uD83D\uDE00 ${x} \\u0000 */\n" + FunctionCalls.handler("ä");

        calls.deployed("odd_Name-1", source);

        assertThat(calls.get("odd_Name-1").get("source").asText().getBytes(StandardCharsets.UTF_8))
                .isEqualTo(source.getBytes(StandardCharsets.UTF_8));
    }
}
