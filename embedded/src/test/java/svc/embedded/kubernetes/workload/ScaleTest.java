package svc.embedded.kubernetes.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.ApiTest;
import svc.embedded.kubernetes.HttpApi;

/** The number of replicas is read and written alone, and who wrote it owns it. */
class ScaleTest extends ApiTest {
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String SCALE = DEPLOYMENTS + "/web/scale";

    @BeforeEach
    void createDeployment() throws Exception {
        http.post(DEPLOYMENTS, """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web},
                 spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {}}}""");
    }

    @Test
    void everyFormatOfPatchScales() throws Exception {
        JsonNode scale = http.get(SCALE).body();
        assertThat(scale.path("kind").asText()).isEqualTo("Scale");
        assertThat(scale.path("apiVersion").asText()).isEqualTo("autoscaling/v1");
        assertThat(scale.at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(scale.at("/status/selector").asText()).isEqualTo("app=web");
        assertThat(http.patch(SCALE, HttpApi.MERGE, "{spec: {replicas: 3}}")
                        .body()
                        .at("/spec/replicas")
                        .asInt())
                .isEqualTo(3);
        http.patch(SCALE, "application/json-patch+json", "[{op: replace, path: /spec/replicas, value: 4}]");
        assertThat(replicas()).isEqualTo(4);
        http.patch(SCALE, "application/strategic-merge-patch+json", "{spec: {replicas: 0}}");
        assertThat(replicas()).isZero();
        http.apply(SCALE, "gateway", "{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 5}}");
        assertThat(replicas()).isEqualTo(5);
    }

    @Test
    void aStaleScaleIsRefusedAndSoIsOneThatIsNoNumber() throws Exception {
        ObjectNode scale = HttpApi.copy(http.get(SCALE).body());
        http.patch(SCALE, HttpApi.MERGE, "{spec: {replicas: 1}}");
        ((ObjectNode) scale.path("spec")).put("replicas", 9);
        assertThat(http.put(SCALE, scale).code()).isEqualTo(409);
        assertThat(http.patch(SCALE, HttpApi.MERGE, "{spec: {replicas: -1}}").code())
                .isEqualTo(422);
        assertThat(http.patch(SCALE, HttpApi.MERGE, "{spec: {replicas: many}}").code())
                .isEqualTo(422);
        assertThat(replicas()).isEqualTo(1);
        assertThat(http.get("/api/v1/namespaces/default/configmaps/web/scale").code())
                .isEqualTo(404);
    }

    @Test
    void anApplyThatLeavesReplicasOutKeepsWhatWasScaled() throws Exception {
        String applied = """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: other},
                 spec: {selector: {matchLabels: {app: other}}, template: {}}}""";
        http.apply(DEPLOYMENTS + "/other", "operator", applied);
        http.patch(DEPLOYMENTS + "/other/scale", HttpApi.MERGE, "{spec: {replicas: 7}}");
        http.apply(DEPLOYMENTS + "/other", "operator", applied);
        assertThat(http.get(DEPLOYMENTS + "/other").body().at("/spec/replicas").asInt())
                .isEqualTo(7);
    }

    private int replicas() throws Exception {
        return http.get(DEPLOYMENTS + "/web").body().at("/spec/replicas").asInt();
    }
}
