package svc.chart.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/** A release has what docs/release.md says, and Artifact Hub shows what the chart contains. */
class ReleaseWorkflowTest {
    private static final JsonNode WORKFLOW = Yaml.read(Chart.REPOSITORY.resolve(".github/workflows/release.yaml"));
    private static final JsonNode CHART = Yaml.read(Chart.FOLDER.resolve("Chart.yaml"));
    private static final Pattern EXACT = Pattern.compile("[a-z0-9-]+/[a-z0-9-]+@(v\\d+\\.\\d+\\.\\d+|[0-9a-f]{40})");
    private static final List<String> IMAGES = List.of("operator", "api-server", "function-runtime");

    private static List<JsonNode> steps() {
        List<JsonNode> steps = new ArrayList<>();
        WORKFLOW.path("jobs").forEach(job -> job.path("steps").forEach(steps::add));
        return steps;
    }

    private static String commands() {
        StringBuilder commands = new StringBuilder();
        steps().forEach(step -> commands.append(step.path("run").asText()).append('\n'));
        return commands.toString();
    }

    private static JsonNode annotation(String name) {
        return CHART.path("annotations").path("artifacthub.io/" + name);
    }

    private static List<JsonNode> listed(String name) {
        return Rendering.list(
                Yaml.JSON.valueToTree(Serialization.unmarshal(annotation(name).asText(), List.class)));
    }

    /** A tag of an action that moves would run whatever its owner, or a thief of its account, puts there. */
    @Test
    void actionsHaveOneExactVersion() {
        List<String> used = steps().stream()
                .filter(step -> step.has("uses"))
                .map(step -> step.path("uses").asText())
                .toList();

        assertThat(used)
                .hasSizeGreaterThan(5)
                .allSatisfy(action -> assertThat(action).matches(EXACT));
    }

    @Test
    void itHasNoRightThatItDoesNotNeed() {
        assertThat(WORKFLOW.path("permissions")).isEmpty();
        WORKFLOW.path("jobs").forEach(job -> {
            Set<String> rights = new TreeSet<>();
            job.path("permissions").fieldNames().forEachRemaining(rights::add);
            assertThat(rights).containsExactly("attestations", "contents", "id-token", "packages");
        });
        assertThat(WORKFLOW.toString())
                .contains("\"persist-credentials\":false")
                .doesNotContain("pull_request");
    }

    @Test
    void everyImageOfTheChartIsSignedWithItsPartsAndItsOrigin() {
        List<String> images = listed("images").stream()
                .map(image -> image.path("image").asText())
                .toList();
        assertThat(images)
                .containsExactlyElementsOf(IMAGES.stream()
                        .map(image ->
                                "svc/" + image + ":" + CHART.path("appVersion").asText())
                        .toList());

        List<String> loops = Pattern.compile("for image in ([a-z -]+); do")
                .matcher(commands())
                .results()
                .map(loop -> loop.group(1))
                .toList();
        assertThat(loops)
                .hasSize(4)
                .allSatisfy(loop -> assertThat(loop.split(" ")).containsExactlyElementsOf(IMAGES));
        assertThat(commands()).as("every architecture").contains("skopeo copy --all", "cosign sign --yes --recursive");
        assertThat(commands())
                .contains("cosign sign --yes", "cosign attest --yes --type cyclonedx", "cosign sign-blob --yes");
        Set<String> attested = new TreeSet<>();
        steps().stream()
                .filter(step -> step.path("uses").asText().startsWith("actions/attest-build-provenance@"))
                .forEach(step -> attested.add(step.at("/with/subject-name")
                        .asText(step.at("/with/subject-path").asText())
                        .replaceFirst(".*/svc/", "")));
        assertThat(attested).containsAll(IMAGES).anyMatch(subject -> subject.contains("crds.yaml"));
    }

    @Test
    void theTestsRunBeforeAnythingIsPublished() {
        String commands = commands();

        assertThat(commands.indexOf(".ci/run")).isPositive().isLessThan(commands.indexOf("skopeo copy"));
    }

    @Test
    void theChartIsAnnotatedForArtifactHub() {
        Rendering rendering = Chart.render(Chart.valueSet("default"));

        assertThat(listed("crds"))
                .extracting(kind -> kind.path("name").asText())
                .containsExactlyInAnyOrderElementsOf(rendering.ofKind("CustomResourceDefinition").stream()
                        .map(Rendering::name)
                        .toList());
        assertThat(listed("crdsExamples"))
                .extracting(Rendering::kind)
                .containsExactly("Project", "EdgeFunction", "FunctionSecret");
        for (String name :
                List.of("license", "category", "operator", "operatorCapabilities", "prerelease", "changes")) {
            assertThat(annotation(name).asText()).as(name).isNotEmpty();
        }
        assertThat(listed("changes"))
                .allSatisfy(change -> assertThat(change.path("kind").asText())
                        .isIn("added", "changed", "deprecated", "removed", "fixed", "security"));
    }

    @Test
    void theDocumentNamesTheFilesOfTheRelease() throws IOException {
        String document = Files.readString(Chart.REPOSITORY.resolve("docs/release.md"));

        assertThat(document).contains("SHA256SUMS.sigstore.json", "crds.yaml", "/usr/share/sbom/svc.cdx.json");
    }
}
