package svc.server.management.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** The published OpenAPI document and the answers of the running server agree, in both directions. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ContractTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);
    private static final String PROBLEM = "application/problem+json";
    /** Names that another resource could have for something else. */
    private static final Set<String> GENERIC = Set.of(
            "All",
            "Body",
            "Change",
            "Choice",
            "ConditionView",
            "Create",
            "Created",
            "Database",
            "Deleted",
            "Deploy",
            "Detail",
            "Details",
            "Done",
            "DryRun",
            "Entry",
            "Feature",
            "Features",
            "FileView",
            "Folder",
            "Item",
            "JsonArray",
            "JsonNode",
            "JsonObject",
            "Legacy",
            "Listed",
            "Member",
            "Object",
            "Page",
            "Request",
            "Response",
            "Result",
            "Rollback",
            "Rotate",
            "RoutingContext",
            "Schema",
            "Session",
            "Status",
            "User",
            "Versions",
            "View",
            "Work",
            "Wrapped",
            "Written");

    /** Calls that no test here can send with success; those of the reasons' tests do. */
    private static final Set<String> NOT_SENT = Set.of(
            // An operator that makes databases: BranchesTest.
            "POST /v1/projects/{ref}/branches",
            "DELETE /v1/projects/{ref}/branches",
            "GET /v1/projects/{ref}/branches/{name}",
            "GET /v1/branches/{id}",
            "PATCH /v1/branches/{id}",
            "DELETE /v1/branches/{id}",
            "GET /v1/branches/{id}/diff",
            "POST /v1/branches/{id}/merge",
            "POST /v1/branches/{id}/push",
            "POST /v1/branches/{id}/reset",
            // A function that was rolled out: DeployFunctionTest, SupabaseShapesTest, FunctionLogsTest,
            // ProjectLogsTest.
            "POST /v1/projects/{ref}/functions",
            "PUT /v1/projects/{ref}/functions",
            "POST /v1/projects/{ref}/functions/deploy",
            "GET /v1/projects/{ref}/functions/{name}",
            "PUT /v1/projects/{ref}/functions/{name}",
            "PATCH /v1/projects/{ref}/functions/{name}",
            "DELETE /v1/projects/{ref}/functions/{name}",
            "GET /v1/projects/{ref}/functions/{name}/body",
            "GET /v1/projects/{ref}/functions/{name}/logs",
            "POST /v1/projects/{ref}/functions/{name}/rollback",
            "GET /v1/projects/{ref}/analytics/endpoints/functions.combined-stats",
            // Lines or events, which the document has no schema for: ProjectLogsTest.
            "GET /v1/projects/{ref}/logs",
            // An operator that takes its time: PauseProjectTest.
            "POST /v1/projects/{ref}/restore/cancel");

    private static final String GITHUB = "{\"auth\":{\"providers\":[{\"name\":\"github\",\"type\":\"GitHub\","
            + "\"clientId\":\"c\",\"clientSecretRef\":{\"value\":\"hush\"}}]}}";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final ApiDocument document =
            new ApiDocument(API.get("/v1/openapi.json").json());
    private final List<String> differences = new ArrayList<>();
    private final Set<String> seen = new TreeSet<>();

    private JsonNode call(String method, String path, String body) {
        Http.Answer answer = body == null ? API.send(method, path) : API.send(method, path, body);
        String call = document.callOf(method, path);
        String type =
                answer.header("content-type").map(text -> text.split(";")[0]).orElse("");
        boolean empty = answer.text().isEmpty() || !type.equals("application/json");
        if (answer.status() < 300) {
            seen.add(call);
            differences.addAll(document.differences(
                    call, answer.status(), type, empty ? MissingNode.getInstance() : answer.json()));
        } else {
            differences.add(call + " failed: " + answer);
        }
        return empty ? MissingNode.getInstance() : answer.json();
    }

    private JsonNode get(String path) {
        return call("GET", path, null);
    }

    @Test
    void everyAnswerIsAsTheDocumentSays() {
        String ref = TestingProject.create(client, tenants, "contract").ref();
        String path = "/v1/projects/" + ref;
        call("POST", path + "/database/query", "{\"query\":\"create table t (id int primary key); select 1 as one\"}");
        String version = call(
                        "POST",
                        path + "/database/migrations",
                        "{\"name\":\"first\",\"query\":\"create table u (id int)\"}")
                .path("version")
                .asText();
        get(path + "/database/migrations");
        get(path + "/database/migrations/" + version);
        call("PATCH", path + "/database/migrations/" + version, "{\"name\":\"renamed\",\"rollback\":\"drop table u\"}");
        call("DELETE", path + "/database/migrations?gte=" + version, null);
        call("PUT", path + "/database/migrations", "{\"name\":\"known\",\"query\":\"select 2\"}");
        call(
                "POST",
                path + "/database/migrations/repair",
                "{\"status\":\"applied\",\"versions\":[\"20010101000000\"]}");
        call("POST", path + "/migrate/service-role", "{\"name\":\"third\",\"query\":\"create table v (id int)\"}");
        call("POST", path + "/database/query/read-only", "{\"query\":\"select 1 as one\"}");
        call("PUT", path + "/realtime", "{\"published_tables\":[\"t\"]}");
        get(path + "/realtime");
        get(path + "/branches");
        call("POST", path + "/cli/login-role", "{\"read_only\":true}");
        get(path + "/config/database/pooler");
        call("DELETE", path + "/cli/login-role", null);
        get(path + "/analytics/endpoints/logs");
        get(path + "/analytics/endpoints/logs.all");
        get(path + "/audit");
        get(path + "/database/context");
        get(path + "/types/typescript");
        get(path + "/types/go");
        get(path + "/types/swift");
        get(path + "/types/python");
        get(path + "/advisors/security");
        get(path + "/advisors/performance");
        get(path + "/analytics/endpoints/usage.api-counts?interval=15min");
        get(path + "/analytics/endpoints/usage.api-requests-count");
        get(path + "/health");
        get(path + "/storage/buckets");

        String other = "/v1/projects/"
                + call("POST", "/v1/projects", "{\"name\":\"contract\",\"region\":\"x\"}")
                        .at("/project/ref")
                        .asText();
        get("/v1/projects?limit=5");
        get("/v1/projects/available-regions");
        get(other + "?wait=ready&timeout_ms=1000");
        call("PATCH", other, "{\"name\":\"contracted\",\"rest\":{\"maxRows\":5}}");
        call("PATCH", other, GITHUB);
        get(other);
        call("POST", other + "/keys/rotate", "{}");
        get(other + "/api-keys?reveal=true");
        get(other + "/api-keys/anon");
        get(other + "/api-keys/legacy");
        call("PUT", other + "/api-keys/legacy?enabled=false", null);
        get(other + "/billing/addons");
        for (String config : List.of("/config/auth", "/config/realtime", "/config/storage", "/postgrest")) {
            get(other + config);
            call("PATCH", other + config, "{}");
        }
        call("POST", other + "/secrets", "[{\"name\":\"WORD\",\"value\":\"x\"}]");
        get(other + "/secrets");
        call("DELETE", other + "/secrets", "[\"WORD\"]");
        call("PUT", other + "/functions/secrets", "{\"functionName\":\"f\",\"key\":\"WORD\",\"value\":\"x\"}");
        get(other + "/functions/secrets");
        call("DELETE", other + "/functions/secrets/f/WORD", null);
        get(other + "/functions");
        String key = call("POST", other + "/storage/s3-keys", "{\"name\":\"contract\"}")
                .path("id")
                .asText();
        get(other + "/storage/s3-keys");
        call("DELETE", other + "/storage/s3-keys/" + key, null);
        call("POST", other + "/pause", null);
        get(other + "/restore");
        call("POST", other + "/restore", null);
        call("DELETE", other, null);

        get("/v1/organizations");
        get("/v1/organizations/default");
        get("/v1/organizations/default/members");
        get("/v1/organizations/default/projects?limit=2");
        get("/v1/organizations/default/audit?limit=20");
        call("POST", "/v1/organizations", "{\"slug\":\"o-" + Long.toString(System.nanoTime(), 36) + "\"}");
        String token = call("POST", "/v1/tokens", "{\"name\":\"contract\",\"expires_at\":\"2090-01-01T00:00:00Z\"}")
                .path("id")
                .asText();
        get("/v1/tokens");
        get("/v1/profile");
        get("/v1/tokens/" + token);
        call("PATCH", "/v1/tokens/" + token, "{\"permissions\":{\"database_query\":true}}");
        call("POST", "/v1/tokens/" + token + "/prepare-for-ci", null);
        call("DELETE", "/v1/tokens/" + token, null);
        String mcp = call("POST", "/v1/tokens/mcp", "{\"name\":\"contract\"}")
                .path("id")
                .asText();
        get("/v1/tokens/mcp");
        call("DELETE", "/v1/tokens/mcp/" + mcp, null);

        assertThat(differences).isEmpty();
        Set<String> notSent = new TreeSet<>(document.calls());
        notSent.removeAll(seen);
        assertThat(notSent).isEqualTo(new TreeSet<>(NOT_SENT));
    }

    @Test
    void everyErrorIsAProblemAndEveryCallNeedsAToken() {
        assertThat(document.errorsOfAnotherForm()).isEmpty();
        assertThat(document.json()
                        .at("/components/securitySchemes/token/scheme")
                        .asText())
                .isEqualTo("bearer");
        assertThat(document.json().at("/security/0/token").isArray()).isTrue();
        String ref = ProjectForTests.create("errors").ref();
        Http plain = Http.api(API.send("POST", "/v1/tokens", "{\"name\":\"plain\"}")
                .json()
                .get("token")
                .asText());
        assertThat(document.differences(
                        "GET /v1/projects",
                        401,
                        PROBLEM,
                        Http.api("svc_pat_nothing").get("/v1/projects").json()))
                .isEmpty();
        assertThat(document.differences(
                        "PATCH /v1/projects/{ref}",
                        400,
                        PROBLEM,
                        API.send("PATCH", "/v1/projects/" + ref, "{\"nmae\":1}").json()))
                .isEmpty();
        assertThat(document.differences(
                        "POST /v1/projects/{ref}/pause",
                        403,
                        PROBLEM,
                        plain.send("POST", "/v1/projects/" + ref + "/pause").json()))
                .isEmpty();
        assertThat(document.differences(
                        "GET /v1/projects",
                        401,
                        PROBLEM,
                        API.get("/v1/projects/available-regions").json()))
                .as("another form is found")
                .isNotEmpty();
    }

    @Test
    void everyCallOfTheServerIsInTheDocumentAndNoOther() {
        Set<String> calls = new TreeSet<>();
        for (JavaClass resource : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("svc.management")) {
            for (JavaMethod method : resource.getMethods()) {
                for (Class<? extends Annotation> verb :
                        List.of(GET.class, PUT.class, POST.class, DELETE.class, PATCH.class)) {
                    boolean hidden = method.tryGetAnnotationOfType(Operation.class)
                            .filter(Operation::hidden)
                            .isPresent();
                    if (method.isAnnotatedWith(verb) && !hidden) {
                        calls.add(verb.getSimpleName() + " " + path(resource, method));
                    }
                }
            }
        }

        assertThat(document.calls()).isEqualTo(calls);
        assertThat(document.callsWithoutSuccess()).isEmpty();
    }

    @Test
    void everySchemaHasANameThatSaysWhatItIs() {
        Set<String> names = document.schemas();
        assertThat(names).hasSizeGreaterThan(60);
        assertThat(names).noneMatch(name -> name.matches(".*\\d") || GENERIC.contains(name));
        assertThat(names).as("no schema but those of bodies").isEqualTo(document.schemasOfCalls());
        assertThat(document.calls().stream().filter(call -> call.startsWith("GET ")))
                .noneMatch(document::takesABody);
        assertThat(names)
                .as("names of Supabase's document, for what is the same")
                .contains(
                        "BranchResponse",
                        "CreateBranchBody",
                        "ApiKeyResponse",
                        "SecretResponse",
                        "FunctionResponse",
                        "GeneratedTypesResponse",
                        "AnalyticsResponse");
    }

    @Test
    void everyCallThatChangesSomethingTakesAnIdempotencyKey() {
        assertThat(document.calls().stream().filter(call -> !call.startsWith("GET ")))
                .isNotEmpty()
                .allMatch(call -> document.headersOf(call).contains("Idempotency-Key"));
        assertThat(document.calls().stream().filter(call -> call.startsWith("GET ")))
                .noneMatch(call -> document.headersOf(call).contains("Idempotency-Key"));
    }

    private static String path(JavaClass resource, JavaMethod method) {
        String base =
                resource.tryGetAnnotationOfType(Path.class).map(Path::value).orElse("");
        String rest = method.tryGetAnnotationOfType(Path.class).map(Path::value).orElse("");
        String path = (base + (rest.isEmpty() || rest.startsWith("/") ? rest : "/" + rest)).replaceAll("/$", "");
        // The document leaves out the expressions of parameters.
        return path.replaceAll("\\{\\s*(\\w+)\\s*:[^/]*}", "{$1}");
    }

    @Test
    void problemsHaveOneForm() {
        String ref = ProjectForTests.create("problems").ref();
        for (Http.Answer refused : List.of(
                Http.api("svc_pat_nothing").get("/v1/projects"),
                API.get("/v1/projects/nothere1"),
                API.send("PATCH", "/v1/projects/" + ref, "{\"nmae\":1}"),
                API.send("POST", "/v1/organizations/default", "{}"))) {
            assertThat(refused.header("content-type").orElseThrow()).startsWith("application/problem+json");
            assertThat(refused.json().properties())
                    .extracting(java.util.Map.Entry::getKey)
                    .contains("type", "title", "status", "detail", "message", "code", "request_id");
        }
    }
}
