package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi;

/** The scale subresource, and field ownership of replicas. */
class ScaleTest extends ContractTest {
    private static final String TEMPLATE =
            "{metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: b}]}}";

    private String deployments;
    private String scalePath;

    @BeforeEach
    void createDeployment() throws Exception {
        deployments = inNamespace("/apis/apps/v1", "deployments");
        scalePath = deployments + "/web/scale";
        http.post(deployments, """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web},
                 spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: %s}}""".formatted(TEMPLATE));
    }

    @Test
    void everyFormatOfPatchScales() throws Exception {
        JsonNode scale = http.get(scalePath).body();
        assertThat(scale.path("kind").asText()).isEqualTo("Scale");
        assertThat(scale.path("apiVersion").asText()).isEqualTo("autoscaling/v1");
        assertThat(scale.at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(scale.at("/status/selector").asText()).isEqualTo("app=web");
        assertThat(http.patch(scalePath, HttpApi.MERGE, "{spec: {replicas: 3}}")
                        .body()
                        .at("/spec/replicas")
                        .asInt())
                .isEqualTo(3);
        http.patch(scalePath, "application/json-patch+json", "[{op: replace, path: /spec/replicas, value: 4}]");
        assertThat(replicas()).isEqualTo(4);
        http.patch(scalePath, "application/strategic-merge-patch+json", "{spec: {replicas: 0}}");
        assertThat(replicas()).isZero();
        http.apply(scalePath, "gateway", "{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 5}}");
        assertThat(replicas()).isEqualTo(5);
    }

    @Test
    void aStaleScaleIsRefusedAndSoIsOneThatIsNoNumber() throws Exception {
        ObjectNode scale = HttpApi.copy(http.get(scalePath).body());
        http.patch(scalePath, HttpApi.MERGE, "{spec: {replicas: 1}}");
        ((ObjectNode) scale.path("spec")).put("replicas", 9);
        assertThat(http.put(scalePath, scale).code()).isEqualTo(409);
        assertThat(http.patch(scalePath, HttpApi.MERGE, "{spec: {replicas: -1}}")
                        .code())
                .isEqualTo(422);
        assertThat(http.patch(scalePath, HttpApi.MERGE, "{spec: {replicas: many}}")
                        .code())
                .isEqualTo(422);
        assertThat(replicas()).isEqualTo(1);
        assertThat(http.get(configMaps() + "/web/scale").code()).isEqualTo(404);
    }

    @Test
    void anApplyThatLeavesReplicasOutKeepsWhatWasScaled() throws Exception {
        String applied = """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: other},
                 spec: {selector: {matchLabels: {app: web}}, template: %s}}""".formatted(TEMPLATE);
        http.apply(deployments + "/other", "operator", applied);
        http.patch(deployments + "/other/scale", HttpApi.MERGE, "{spec: {replicas: 7}}");
        http.apply(deployments + "/other", "operator", applied);
        assertThat(http.get(deployments + "/other").body().at("/spec/replicas").asInt())
                .isEqualTo(7);
    }

    private int replicas() throws Exception {
        return http.get(deployments + "/web").body().at("/spec/replicas").asInt();
    }
}
