package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.ParentReference;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.DocumentedValue;
import svc.chart.support.Yaml;

/** The schema describes every value, in the words of values.yaml, and knows the fields of Kubernetes' types that values have. */
class ValuesSchemaTest {
    private static final ObjectNode SCHEMA = Yaml.read(Chart.FOLDER.resolve("values.schema.json"));

    private static final Map<String, Class<?>> KUBERNETES = Map.ofEntries(
            Map.entry("affinity", Affinity.class),
            Map.entry("containerSecurityContext", SecurityContext.class),
            Map.entry("egressRule", NetworkPolicyEgressRule.class),
            Map.entry("ingressRule", NetworkPolicyIngressRule.class),
            Map.entry("nameReference", LocalObjectReference.class),
            Map.entry("networkPort", NetworkPolicyPort.class),
            Map.entry("parentRef", ParentReference.class),
            Map.entry("peer", NetworkPolicyPeer.class),
            Map.entry("podSecurityContext", PodSecurityContext.class),
            Map.entry("requirement", LabelSelectorRequirement.class),
            Map.entry("resources", ResourceRequirements.class),
            Map.entry("selector", LabelSelector.class),
            Map.entry("spread", TopologySpreadConstraint.class),
            Map.entry("toleration", Toleration.class),
            Map.entry("variable", EnvVar.class),
            Map.entry("volumeMount", VolumeMount.class));

    @Test
    void everyPropertyIsDescribedAsInTheValues() throws IOException {
        Map<String, String> described = new TreeMap<>();
        collect(SCHEMA.path("properties"), "", described);
        Map<String, String> wanted = new TreeMap<>();
        // The components share one definition, and their comments but for one are the same.
        DocumentedValue.all().stream()
                .filter(value -> !value.path().matches("(controlPlane|dataPlane)\\..*"))
                .forEach(value ->
                        wanted.put(value.path().replaceFirst("^operator\\.", "component."), value.description()));

        assertThat(wanted).hasSizeGreaterThan(150);
        assertThat(described).containsAllEntriesOf(wanted);
        assertThat(described)
                .allSatisfy((path, text) -> assertThat(text).as(path).endsWith("."));
    }

    private static void collect(JsonNode properties, String at, Map<String, String> into) {
        properties.properties().forEach(entry -> {
            String path = at.isEmpty() ? entry.getKey() : at + "." + entry.getKey();
            into.put(path, entry.getValue().path("description").asText());
            collect(entry.getValue().path("properties"), path, into);
        });
        if (at.isEmpty()) {
            collect(SCHEMA.at("/definitions/component/properties"), "component", into);
        }
    }

    @Test
    void everyValueHasAProperty() {
        Map<String, String> properties = new TreeMap<>();
        collect(SCHEMA.path("properties"), "", properties);
        List<String> missing = new ArrayList<>();
        Yaml.leaves(Yaml.read(Chart.FOLDER.resolve("values.yaml"))).keySet().forEach(leaf -> {
            String path = leaf.replaceFirst("^(operator|controlPlane|dataPlane)\\.", "component.");
            if (properties.keySet().stream().noneMatch(known -> path.equals(known) || path.startsWith(known + "."))) {
                missing.add(leaf);
            }
        });

        assertThat(missing).isEmpty();
    }

    @Test
    void typesOfKubernetesHaveTheFieldsOfTheirModel() {
        KUBERNETES.forEach((name, type) -> {
            List<String> fields =
                    Yaml.JSON
                            .getSerializationConfig()
                            .introspect(Yaml.JSON.constructType(type))
                            .findProperties()
                            .stream()
                            .map(BeanPropertyDefinition::getName)
                            .filter(field -> !field.equals("additionalProperties"))
                            .toList();
            List<String> known = new ArrayList<>();
            SCHEMA.at("/definitions/" + name + "/properties").fieldNames().forEachRemaining(known::add);

            assertThat(new TreeSet<>(known)).as(name).isEqualTo(new TreeSet<>(fields));
        });
    }
}
