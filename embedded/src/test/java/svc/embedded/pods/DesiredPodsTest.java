package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DesiredPodsTest {
    @Test
    void quantitiesAreReadAsKubernetesWritesThem() {
        assertThat(DesiredPods.quantity("256Mi").orElseThrow().longValue()).isEqualTo(256L << 20);
        assertThat(DesiredPods.quantity("500m").orElseThrow().doubleValue()).isEqualTo(0.5);
        assertThat(DesiredPods.quantity("1.5Gi").orElseThrow().longValue()).isEqualTo(3L << 29);
        assertThat(DesiredPods.quantity("2").orElseThrow().intValue()).isEqualTo(2);
        assertThat(DesiredPods.quantity("many")).isEmpty();
        assertThat(DesiredPods.quantity("")).isEmpty();
    }

    @Test
    void onlyDeploymentsWithAContainerForFunctionsAreOurs() throws Exception {
        assertThat(DesiredPods.of(deployment("web"))).isEmpty();
        DesiredPods wanted = DesiredPods.of(deployment("function")).orElseThrow();
        assertThat(wanted.replicas()).isEqualTo(3);
        assertThat(wanted.variables()).isEqualTo(Map.of("A", "b"));
        assertThat(wanted.secrets()).containsExactly("env");
        assertThat(wanted.memoryBytes()).isEqualTo(64L << 20);
        assertThat(wanted.cpuMillis()).isEqualTo(250);
        assertThat(wanted.grace()).hasSeconds(30);
        assertThat(wanted.leaving()).hasSeconds(3);
    }

    private static ObjectNode deployment(String container) throws Exception {
        return (ObjectNode) new ObjectMapper().readTree("""
                {"metadata": {"name": "x", "namespace": "n"}, "spec": {"replicas": 3, "template": {"spec": {"containers": [
                 {"name": "%s", "envFrom": [{"secretRef": {"name": "env"}}], "env": [{"name": "A", "value": "b"}],
                  "lifecycle": {"preStop": {"sleep": {"seconds": 3}}},
                  "resources": {"limits": {"memory": "64Mi", "cpu": "250m"}}}]}}}}
                """.formatted(container));
    }
}
