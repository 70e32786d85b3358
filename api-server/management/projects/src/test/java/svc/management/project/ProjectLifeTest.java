package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ProjectLifeTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);

    @Inject
    KubernetesClient kubernetes;

    private Project resource(String ref) {
        return kubernetes
                .resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(ref)
                .get();
    }

    @Test
    void aProjectIsAResourceNamedByItsRef() {
        ProjectForTests project = ProjectForTests.create("resource");

        Project resource = resource(project.ref());
        assertThat(resource.getSpec().ref()).isEqualTo(project.ref());
        assertThat(resource.getSpec().projectId())
                .isEqualTo(project.identity().projectId().toString());
        assertThat(resource.getSpec().organization()).isEqualTo("default");
        assertThat(resource.getSpec().deletionPolicy()).isEqualTo(DeletionPolicy.RETAIN);
    }

    @Test
    void oneThatIsNotUpInTimeIsAnsweredAsComingUp() {
        JsonNode project =
                API.send("POST", "/v1/projects", "{\"name\":\"stuck\"}").json().get("project");

        assertThat(project.get("status").asText()).isEqualTo("COMING_UP");
        assertThat(project.has("anon_key")).isFalse();
        assertThat(project.get("schema").asText()).startsWith("proj_");
        Http.Answer host = Http.project(project.get("ref").asText()).get("/realtime/v1/echo");
        assertThat(host.status()).isEqualTo(404);
    }

    @Test
    void aChangeOfAnotherVersionIsRefused() {
        String path = "/v1/projects/" + ProjectForTests.create("tagged").ref();
        String tag = API.get(path).header("etag").orElseThrow();
        assertThat(API.with("If-None-Match", tag).get(path).status()).isEqualTo(304);

        Http.Answer changed = API.with("If-Match", tag).send("PATCH", path, "{\"name\":\"first\"}");
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        assertThat(changed.header("etag").orElseThrow()).isNotEqualTo(tag);
        Http.Answer late = API.with("If-Match", tag).send("PATCH", path, "{\"name\":\"second\"}");
        assertThat(late.status()).as(late.toString()).isEqualTo(412);
        assertThat(late.code()).isEqualTo("etag_mismatch");
        assertThat(API.with("If-Match", tag).send("DELETE", path).status()).isEqualTo(412);
        assertThat(API.get(path).json().get("name").asText()).isEqualTo("first");
        assertThat(API.with("If-Match", "*")
                        .send("PATCH", path, "{\"name\":\"third\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void thereIsOneRegion() {
        JsonNode regions = API.get("/v1/projects/available-regions").json();
        assertThat(regions.at("/all/specific")).hasSize(1);
        assertThat(regions.at("/recommendations/smartGroup/code").asText()).isEqualTo("local");
    }

    @Test
    void oneThatLostItsRefFailsAndIsNotServed() {
        JsonNode project =
                API.send("POST", "/v1/projects", "{\"name\":\"lost\"}").json().get("project");

        assertThat(project.get("status").asText()).isEqualTo("INIT_FAILED");
        assertThat(project.at("/conditions/0/reason").asText()).isEqualTo("RefConflict");
        assertThat(Http.project(project.get("ref").asText())
                        .get("/realtime/v1/echo")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aRepeatedCallWithItsKeyMakesOneProject() {
        Http once = API.with("Idempotency-Key", UUID.randomUUID().toString());

        JsonNode first =
                once.send("POST", "/v1/projects", "{\"name\":\"once\"}").json();
        Http.Answer second = once.send("POST", "/v1/projects", "{\"name\":\"once\"}");
        Http.Answer other = once.send("POST", "/v1/projects", "{\"name\":\"twice\"}");

        assertThat(second.status()).isEqualTo(201);
        assertThat(second.json().at("/project/ref")).isEqualTo(first.at("/project/ref"));
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.code()).isEqualTo("idempotency_key_reused");
        assertThat(API.with("Idempotency-Key", "x".repeat(256))
                        .send("POST", "/v1/projects", "{\"name\":\"a\"}")
                        .code())
                .isEqualTo("invalid_parameter");
    }

    @Test
    void whatSupabasesClientsSendIsAcceptedAndNamed() {
        Http.Answer answer = API.send(
                "POST",
                "/v1/projects",
                "{\"name\":\"mcp\",\"organization_id\":\"default\",\"db_pass\":\"x\",\"region\":\"eu\",\"plan\":\"free\"}");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertThat(answer.json().get("ignored"))
                .extracting(JsonNode::asText)
                .containsExactly("db_pass", "region", "plan");
    }

    @Test
    void nameAndSettingsCanBeChanged() {
        String path = "/v1/projects/" + ProjectForTests.create("before").ref();

        JsonNode changed = API.send("PATCH", path, "{\"name\":\"after\",\"deletion_policy\":\"Delete\"}")
                .json();

        assertThat(changed.get("name").asText()).isEqualTo("after");
        assertThat(changed.get("deletion_policy").asText()).isEqualTo("Delete");
        assertThat(API.send("PATCH", path, "{\"name\":\"a\\u0001\"}").code()).isEqualTo("invalid_body");
        assertThat(API.send("PATCH", path, "{\"ref\":\"abcdefgh\"}").code()).isEqualTo("invalid_body");
        assertThat(API.send("PATCH", path, "{\"paused\":\"no\"}").code()).isEqualTo("invalid_body");
        assertThat(API.send("PATCH", path).code()).isEqualTo("invalid_body");
    }

    @Test
    void aDeletedProjectIsGoneFromItsHost() {
        ProjectForTests project = ProjectForTests.create("deleted");
        Http keyed = project.http().with("apikey", project.anonKey());
        assertThat(keyed.get("/realtime/v1/echo").status()).isEqualTo(200);

        assertThat(API.send("DELETE", "/v1/projects/" + project.ref()).status()).isEqualTo(200);

        assertThat(resource(project.ref())).isNull();
        await().pollInterval(Duration.ofMillis(20))
                .until(() -> keyed.get("/realtime/v1/echo").status() == 404);
        assertThat(keyed.get("/realtime/v1/echo").code()).isEqualTo("project_not_found");
        assertThat(API.get("/v1/projects/" + project.ref()).code()).isEqualTo("project_not_found");
    }

    @Test
    void rotationTakesOnlyWhatItKnows() {
        String path = "/v1/projects/" + ProjectForTests.create("rotation").ref() + "/keys/rotate";

        assertThat(API.send("POST", path, "{\"keys\":[\"root\"]}")
                        .json()
                        .at("/errors/0/pointer")
                        .asText())
                .isEqualTo("/keys/0");
        assertThat(API.send("POST", path, "{\"overlap_seconds\":-1}").code()).isEqualTo("invalid_body");
        assertThat(API.send("POST", path, "{\"overlap_seconds\":99999999}").code())
                .isEqualTo("invalid_body");
        assertThat(API.send("POST", path, "{\"overlap_seconds\":1.5}").code()).isEqualTo("invalid_body");
        assertThat(API.send("POST", path, "{\"keys\":\"anon\"}").code()).isEqualTo("invalid_body");
    }
}
