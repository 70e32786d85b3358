package svc.chart.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/** Reloader restarts the pods of a component when a Secret changes that they read only at their start. */
class ReloaderTest {
    private static final String ANNOTATION = "/metadata/annotations/secret.reloader.stakater.com~1reload";

    @ParameterizedTest
    @ValueSource(strings = {"control-plane", "data-plane"})
    void itsAnnotationNamesTheSecretsOfThePods(String component) {
        ObjectNode values = Yaml.read(Chart.valueSet("ha"));
        values.withObject("/secrets").put("reloader", true);
        ObjectNode deployment = Rendering.of(Chart.text(values)).deployment(component);
        Set<String> wanted = new TreeSet<>();
        for (JsonNode reference : deployment.findValues("secretKeyRef")) {
            wanted.add(reference.path("name").asText());
        }
        wanted.add("s3-ca");

        assertThat(wanted).contains("svc-redis", "svc-s3");
        assertThat(deployment.at(ANNOTATION).asText().split(",")).containsExactlyElementsOf(wanted);
    }

    /** Its password is a file that it reads for each new connection. */
    @Test
    void theOperatorNeedsNoRestart() {
        assertThat(Chart.render(Chart.valueSet("postgres-endpoint"))
                        .deployment("operator")
                        .at(ANNOTATION)
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void thereIsNoneByDefault() {
        assertThat(Chart.text(Chart.valueSet("ha"))).doesNotContain("reloader");
    }
}
