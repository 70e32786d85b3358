package svc.chart.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/**
 * {@code helm upgrade} from an earlier chart: with what docs/install.md says under "Upgrading" its values still render, and
 * what Kubernetes will not change, or what data and clients depend on, is as it was. For a release the folder
 * {@code released/<version>} is made by {@code -Dchart.release=<version>} and never changed again.
 */
class ReleasedValuesTest {
    private static final Path RELEASED = Path.of("src/test/resources/released");

    static List<Path> released() throws IOException {
        String release = System.getProperty("chart.release");
        if (release != null) {
            write(RELEASED.resolve(release));
        }
        try (Stream<Path> files = Files.walk(RELEASED)) {
            return files.filter(file -> file.toString().endsWith("-values.yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("released")
    void valuesOfAReleaseKeepWhatCannotChange(Path values) {
        JsonNode before = Yaml.read(identity(values));

        assertThat(lasting(Rendering.of(Chart.text(upgraded(Yaml.read(values))))))
                .as("what an upgrade could not change, or would lose")
                .isEqualTo(before);
    }

    /** The steps of the upgrade notes: what was implied, or missing, is said. */
    private static ObjectNode upgraded(ObjectNode values) {
        ObjectNode said = Yaml.JSON.createObjectNode();
        if (values.at("/platform/watchNamespaces").isEmpty()) {
            said.putObject("platform").put("clusterWide", true);
        }
        if (values.at("/exposure/ingress/enabled").asBoolean()
                || values.at("/exposure/gateway/enabled").asBoolean()) {
            said.withObject("/platform").putArray("trustedProxies").add("10.42.0.0/16");
        }
        if (values.at("/metrics/serviceMonitor/enabled").asBoolean()) {
            said.putObject("network").putArray("metricsFrom").addObject().putObject("namespaceSelector");
        }
        return Yaml.merged(values, said);
    }

    private static Path identity(Path values) {
        return values.resolveSibling(values.getFileName().toString().replace("-values.yaml", "-lasting.json"));
    }

    /** Selectors, which are immutable; names, by which clients call and data is kept; and where Secrets are looked for. */
    private static ObjectNode lasting(Rendering rendering) {
        ObjectNode lasting = Yaml.JSON.createObjectNode();
        rendering.objects().forEach(object -> {
            JsonNode part = switch (Rendering.kind(object)) {
                case "Deployment" -> object.at("/spec/selector");
                case "Service" -> object.at("/spec/selector");
                case "ClusterRoleBinding", "RoleBinding" -> object.path("roleRef");
                case "Namespace", "Cluster", "CustomResourceDefinition" ->
                    object.at("/metadata/annotations/helm.sh~1resource-policy");
                default -> null;
            };
            if (part != null) {
                lasting.set(Rendering.id(object), part);
            }
        });
        rendering
                .podSpecs()
                .forEach(spec -> Rendering.list(spec.at("/containers/0/env")).stream()
                        .filter(variable ->
                                variable.path("name").asText().matches("SVC_INSTALLATION_.*|SVC_API_KEYS_ROOTS"))
                        .forEach(variable -> lasting.set(
                                spec.at("/containers/0/name").asText() + "/"
                                        + variable.path("name").asText(),
                                variable.has("value") ? variable.path("value") : variable.path("valueFrom"))));
        return Yaml.parse(lasting.toString());
    }

    private static void write(Path folder) {
        try {
            Files.createDirectories(folder);
            for (Path set : Chart.valueSets()) {
                Path values = folder.resolve(set.getFileName().toString());
                Files.copy(set, values);
                Files.writeString(identity(values), lasting(Chart.render(set)).toPrettyString() + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
