package svc.operator.function.desired;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.project.service.FunctionsSpec;
import svc.operator.pod.ManagedPods;
import svc.operator.project.desired.ProjectAccess;

/**
 * The pod of a function in an installation that sets nothing. A difference restarts every function of every installation at
 * an upgrade: change the file only for a change that is worth it.
 */
class DefaultPodTest {
    @Test
    void itIsTheOneOfEarlierVersions() {
        FunctionObjects objects = objects();

        JsonNode pod = json(objects.deployment().getSpec().getTemplate().getSpec());
        assertThat(pod).isEqualTo(resource("function-pod.yaml"));
        assertThat(objects.deployment().getMetadata().getAnnotations()).isNullOrEmpty();
        assertThat(json(objects.policy().getSpec().getEgress().getFirst())).isEqualTo(resource("function-dns.yaml"));
        assertThat(objects.policy().getMetadata().getAnnotations()).isNullOrEmpty();
    }

    private static FunctionObjects objects() {
        var function = new EdgeFunction();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace("default")
                .withName("hello")
                .withUid(UUID.randomUUID().toString())
                .build());
        function.setSpec(Serialization.unmarshal("projectRef: {name: shop}\nname: hello", EdgeFunctionSpec.class));
        var project = new ServedProject(
                new ProjectAccess("abcdefg2", "https://abcdefg2.data.example.com", "proj_abcdefg2_public", "a", "s"),
                UUID.randomUUID(),
                null,
                Serialization.unmarshal("{}", FunctionsSpec.class),
                false);
        return FunctionObjects.of(new DesiredFunction(
                function,
                project,
                "sha256:" + "1".repeat(64),
                new FunctionEnvironment(Map.of(), "digest"),
                new RuntimeSettings(
                        "svc/function-runtime:0.1.0",
                        "https://{ref}.data.example.com",
                        "svc-system",
                        List.of(),
                        ManagedPods.DEFAULTS)));
    }

    private static JsonNode json(Object model) {
        return Serialization.unmarshal(Serialization.asJson(model), JsonNode.class);
    }

    private static JsonNode resource(String file) {
        InputStream yaml = DefaultPodTest.class.getResourceAsStream("/svc/operator/pod/" + file);
        return Serialization.unmarshal(yaml, JsonNode.class);
    }
}
