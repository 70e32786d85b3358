package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.StrictModel;

/** {@code helm test} runs one pod, as confined as the others, that asks both planes by their Services. */
class HelmTestPodTest {
    @TempDir
    Path scratch;

    @Test
    void itAsksTheServicesThatAreThere() {
        Rendering rendering = Chart.withHooks(Chart.valueSet("monitoring"), scratch);
        ObjectNode pod = rendering.get("Pod", "svc-answers");
        JsonNode container = pod.at("/spec/containers/0");

        assertThat(StrictModel.read(pod)).isPresent();
        assertThat(pod.at("/spec/automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(pod.at("/spec/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(container.path("args").get(0).asText()).contains("the gateway's status");
        for (JsonNode variable : container.path("env")) {
            if (variable.path("name").asText().endsWith("_PLANE")) {
                URI address = URI.create(variable.path("value").asText());
                String service = address.getHost().replace(".svc-system.svc", "");
                assertThat(rendering
                                .get("Service", service)
                                .at("/spec/ports/0/port")
                                .asInt())
                        .isEqualTo(address.getPort());
            }
        }
        assertThat(container.path("env").toString()).contains("svc-admin-token");
    }

    @Test
    void itIsGivenNoTokenUnlessItShallMakeAProject() {
        Rendering rendering = Chart.withHooks(Chart.valueSet("default"), scratch);

        assertThat(rendering.get("Pod", "svc-answers").toString()).doesNotContain("svc-admin-token");
    }
}
