package svc.chart.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.OlmBundle;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/** {@code config/olm} is the chart as a bundle of the Operator Lifecycle Manager. {@code -Dchart.write=true} writes it. */
class OlmBundleTest {
    private static final Path FOLDER = Chart.REPOSITORY.resolve("config/olm");
    private static final Pattern NAMED_VARIABLE = Pattern.compile("\\{name: ([A-Z_]+), value:");

    @Test
    void itIsMadeFromTheChart() throws IOException {
        Map<String, String> files = OlmBundle.files();
        if (Boolean.getBoolean("chart.write")) {
            for (var file : files.entrySet()) {
                Path path = FOLDER.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
        }

        assertThat(committed())
                .as("write it: ./svc test -pl chart-tests -Dtest=OlmBundleTest -Dchart.write=true")
                .isEqualTo(files);
    }

    @Test
    void itsPartsBelongTogether() throws IOException {
        Map<String, ObjectNode> manifests = new TreeMap<>();
        committed().forEach((path, text) -> {
            if (path.startsWith("manifests/")) {
                manifests.put(path, Yaml.parse(text));
            }
        });
        JsonNode version = only(manifests, "ClusterServiceVersion");
        JsonNode strategy = version.at("/spec/install/spec");

        assertThat(manifests.values())
                .allMatch(object -> object.at("/metadata/namespace").isMissingNode());
        assertThat(manifests.values())
                .noneMatch(object -> Rendering.kind(object).equals("ServiceAccount"));
        assertThat(all(
                        version.at("/spec/customresourcedefinitions/owned"),
                        owned -> owned.path("name").asText()))
                .isEqualTo(manifests.values().stream()
                        .filter(object -> Rendering.kind(object).equals("CustomResourceDefinition"))
                        .map(Rendering::name)
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(all(
                        strategy.path("deployments"),
                        deployment -> deployment
                                .at("/spec/template/spec/serviceAccountName")
                                .asText()))
                .isEqualTo(all(
                        strategy.path("clusterPermissions"),
                        one -> one.path("serviceAccountName").asText()));
        assertThat(Rendering.list(strategy.path("deployments"))).hasSize(3);
    }

    /** OLM puts the variables of a Subscription into every container; one that none has would be without effect. */
    @Test
    void theSubscriptionOfTheDocumentSetsVariablesOfTheBundle() throws IOException {
        String document = Files.readString(Chart.REPOSITORY.resolve("docs/install.md"));
        String section = document.substring(document.indexOf("## By OLM"));
        Set<String> named = NAMED_VARIABLE
                .matcher(section.substring(0, section.indexOf("\n## ")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        String version = Files.readString(FOLDER.resolve("manifests/svc.clusterserviceversion.yaml"));

        assertThat(named)
                .hasSizeGreaterThan(4)
                .allMatch(name -> version.contains("name: " + name) || version.contains("name: \"" + name + "\""));
    }

    private static JsonNode only(Map<String, ObjectNode> manifests, String kind) {
        List<ObjectNode> found = manifests.values().stream()
                .filter(object -> Rendering.kind(object).equals(kind))
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private static Set<String> all(JsonNode array, Function<JsonNode, String> text) {
        return Rendering.list(array).stream().map(text).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, String> committed() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(FOLDER)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                files.put(FOLDER.relativize(path).toString(), Files.readString(path));
            }
        }
        return files;
    }
}
