package svc.chart.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/** A pod has the Secrets of its purposes and no other: no pod has the master key, the data plane never the owner's root. */
class SecretsOfEachPodTest {
    static List<Path> sets() {
        return Chart.valueSets();
    }

    @ParameterizedTest
    @MethodSource("sets")
    void eachIsHandedItsOwn(Path file) {
        Rendering rendering = Chart.render(file);
        JsonNode values = Yaml.read(file);
        String full = values.path("fullnameOverride").asText("svc");
        String database = values.at("/database/existingSecret").asText("svc-db-superuser");

        assertThat(secrets(rendering, "operator", values)).containsExactly(database);
        assertThat(secrets(rendering, "control-plane", values))
                .contains(full + "-control-plane-roots")
                .doesNotContain(full + "-data-plane-roots", database, "svc-mail");
        assertThat(secrets(rendering, "data-plane", values))
                .contains(full + "-data-plane-roots")
                .doesNotContain(full + "-control-plane-roots", full + "-admin-token", database);
    }

    @ParameterizedTest
    @MethodSource("sets")
    void theMasterKeyIsHandedToNoPod(Path file) {
        Rendering rendering = Chart.render(file);

        rendering.podSpecs().forEach(spec -> {
            assertThat(references(spec)).noneMatch(name -> name.matches(".*master-key|svc-keys-from-vault"));
            assertThat(spec.toString()).doesNotContain("SVC_MASTER_KEYS", "SVC_API_KEYS_MASTER");
        });
    }

    /** Without what the values add by themselves, such as certificates. */
    private static Set<String> secrets(Rendering rendering, String component, JsonNode values) {
        Set<String> secrets =
                new TreeSet<>(references(rendering.deployment(component).at("/spec/template/spec")));
        values.findValuesAsText("secretName").forEach(secrets::remove);
        return secrets;
    }

    private static Set<String> references(JsonNode spec) {
        Set<String> names = new TreeSet<>();
        spec.findValues("secretKeyRef")
                .forEach(reference -> names.add(reference.path("name").asText()));
        spec.findValues("secretRef")
                .forEach(reference -> names.add(reference.path("name").asText()));
        spec.findValues("secretName").forEach(name -> names.add(name.asText()));
        return names;
    }
}
