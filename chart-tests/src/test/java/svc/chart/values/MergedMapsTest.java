package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/**
 * What the values add to maps and lists of the chart is merged, so that no key and no name of a list is there twice: Kustomize
 * and server-side apply refuse that. Labels by which objects are found belong to the chart.
 */
class MergedMapsTest {
    private static final String PART_OF = "app.kubernetes.io/part-of";

    static List<Path> sets() {
        return Chart.valueSets();
    }

    /** With every label and variable that the chart sets and the values may set as well. */
    private static ObjectNode crowded(Path set) {
        ObjectNode values = Yaml.read(set);
        values.withObject("/global/commonLabels").put(PART_OF, "shop").put("release", "common");
        values.withObject("/global/commonAnnotations").put("helm.sh/resource-policy", "keep");
        values.withObject("/metrics/serviceMonitor/labels").put(PART_OF, "prometheus");
        for (String component : List.of("operator", "controlPlane", "dataPlane")) {
            values.withObject("/" + component + "/podLabels")
                    .put(PART_OF, "pods")
                    .put("release", "pods");
            values.withObject("/" + component)
                    .withArray("extraEnv")
                    .addObject()
                    .put("name", "QUARKUS_LOG_LEVEL")
                    .put("value", "TRACE");
        }
        if (values.at("/database/mode").asText().equals("cnpg")) {
            values.withObject("/database/cnpg/spec").put("instances", 5);
            values.withObject("/database/cnpg/spec/storage").put("resizeInUseVolumes", false);
            values.withObject("/database/cnpg/spec/postgresql")
                    .putArray("pg_hba")
                    .add("host all all all scram-sha-256");
        }
        return values;
    }

    @ParameterizedTest
    @MethodSource("sets")
    void noKeyIsThereTwice(Path set) {
        for (String document : Rendering.documents(Chart.text(crowded(set)))) {
            assertThatCode(() -> new Load(LoadSettings.builder()
                                    .setAllowDuplicateKeys(false)
                                    .build())
                            .loadFromString(document))
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @MethodSource("sets")
    void noNameOfAListIsThereTwice(Path set) {
        Rendering.of(Chart.text(crowded(set))).podSpecs().forEach(spec -> {
            for (String list : List.of("/containers/0/env", "/containers/0/volumeMounts", "/volumes")) {
                Set<String> names = new HashSet<>();
                for (JsonNode item : spec.at(list)) {
                    String name = item.path(list.endsWith("Mounts") ? "mountPath" : "name")
                            .asText();
                    assertThat(names.add(name)).as("%s in %s", name, list).isTrue();
                }
            }
        });
    }

    @Test
    void ofTwoValuesTheMoreSpecificOneHolds() {
        Rendering rendering = Rendering.of(Chart.text(crowded(Chart.valueSet("monitoring"))));
        ObjectNode operator = rendering.deployment("operator");

        assertThat(label(operator.path("metadata"), PART_OF)).isEqualTo("shop");
        assertThat(label(operator.at("/spec/template/metadata"), PART_OF)).isEqualTo("pods");
        assertThat(label(operator.at("/spec/template/metadata"), "release")).isEqualTo("pods");
        ObjectNode monitor = rendering.get("ServiceMonitor", "svc-operator");
        assertThat(label(monitor.path("metadata"), PART_OF)).isEqualTo("prometheus");
        assertThat(label(monitor.path("metadata"), "release")).isEqualTo("prometheus");
        assertThat(Rendering.list(Rendering.container(operator).path("env")))
                .filteredOn(variable -> variable.path("name").asText().equals("QUARKUS_LOG_LEVEL"))
                .extracting(variable -> variable.path("value").asText())
                .containsExactly("TRACE");
    }

    @Test
    void fieldsOfTheClusterAreLaidOverThoseOfTheChart() {
        JsonNode spec = Rendering.of(Chart.text(crowded(Chart.valueSet("cnpg"))))
                .get("Cluster", "svc-db")
                .path("spec");

        assertThat(spec.path("instances").asInt()).isEqualTo(5);
        assertThat(spec.at("/storage/size").asText()).isEqualTo("100Gi");
        assertThat(spec.at("/storage/resizeInUseVolumes").asBoolean(true)).isFalse();
        assertThat(spec.at("/postgresql/parameters/max_connections").asText()).isEqualTo("400");
        assertThat(spec.at("/postgresql/pg_hba")).hasSize(1);
    }

    private static String label(JsonNode metadata, String key) {
        return metadata.path("labels").path(key).asText();
    }

    @ParameterizedTest
    @CsvSource({
        "/global/commonLabels, app.kubernetes.io/name",
        "/global/commonLabels, app.kubernetes.io/instance",
        "/global/commonLabels, app.kubernetes.io/component",
        "/global/commonLabels, app.kubernetes.io/version",
        "/global/commonLabels, app.kubernetes.io/managed-by",
        "/global/commonLabels, helm.sh/chart",
        "/metrics/dashboards/labels, helm.sh/chart",
        "/operator/podLabels, app.kubernetes.io/name",
        "/controlPlane/podLabels, app.kubernetes.io/instance",
        "/dataPlane/podLabels, app.kubernetes.io/component"
    })
    void aLabelByWhichObjectsAreFoundIsRefused(String map, String key) {
        ObjectNode values = Yaml.read(Chart.valueSet("default"));
        values.withObject(map).put(key, "mine");

        assertThatThrownBy(() -> Chart.text(values))
                .hasMessageContaining(map.substring(1).replace('/', '.') + ": has " + key);
    }
}
