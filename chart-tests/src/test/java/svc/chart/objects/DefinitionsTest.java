package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/** The chart installs the kinds of the module {@code crds}, to the letter, and leaves them when it goes. */
class DefinitionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"project", "edgefunction", "functionsecret"})
    void theyAreThoseOfTheModule(String kind) throws IOException {
        Path committed = Chart.REPOSITORY.resolve("crds/" + kind + ".yaml");
        Path inChart = Chart.FOLDER.resolve("files/crds/" + kind + ".yaml");
        if (Boolean.getBoolean("crds.write")) {
            Files.copy(committed, inChart, StandardCopyOption.REPLACE_EXISTING);
        }

        assertThat(inChart).as("run ./svc crds").hasSameTextualContentAs(committed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"project", "edgefunction", "functionsecret"})
    void renderingKeepsEveryFieldOfThem(String kind) {
        ObjectNode committed = Yaml.read(Chart.REPOSITORY.resolve("crds/" + kind + ".yaml"));
        ObjectNode rendered = Chart.render(Chart.valueSet("default"))
                .get("CustomResourceDefinition", committed.at("/metadata/name").asText());

        // 60.0 and 60 are one number, and the same to Kubernetes.
        assertThat(rendered.path("spec").equals(DefinitionsTest::compared, committed.path("spec")))
                .as(rendered.path("spec").toPrettyString())
                .isTrue();
        assertThat(rendered.at("/metadata/annotations/helm.sh~1resource-policy").asText())
                .isEqualTo("keep");
    }

    @ParameterizedTest
    @ValueSource(strings = {"project", "edgefunction", "functionsecret"})
    void whoWantsThemGoneHasThemGone(String kind) {
        ObjectNode rendered = Chart.render(Chart.valueSet("own-accounts")).ofKind("CustomResourceDefinition").stream()
                .filter(definition -> Rendering.name(definition).startsWith(kind))
                .findFirst()
                .orElseThrow();

        assertThat(rendered.at("/metadata/annotations").toString())
                .contains("ServerSideApply=true")
                .doesNotContain("keep");
        assertThat(List.of("namespaced"))
                .allSatisfy(set -> assertThat(Chart.render(Chart.valueSet(set)).ofKind("CustomResourceDefinition"))
                        .isEmpty());
    }

    private static int compared(JsonNode one, JsonNode other) {
        boolean same = one.isNumber() && other.isNumber() ? one.asDouble() == other.asDouble() : one.equals(other);
        return same ? 0 : 1;
    }
}
