package svc.chart.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The bundle of the Operator Lifecycle Manager (registry+v1), made from the chart with rights in all namespaces: Deployments and
 * rights go into the ClusterServiceVersion, Services and the like are manifests of their own. OLM creates the ServiceAccounts,
 * and knows neither Namespaces nor every release of it NetworkPolicies.
 */
public final class OlmBundle {
    private static final String HEAD = "# Made from the chart by OlmBundleTest (chart-tests). Change the chart.\n";
    private static final List<String> MANIFESTS = List.of("Service", "PodDisruptionBudget", "ClusterRole");
    private static final String CHANNEL = "candidate";
    private static final String PREFIX = "operators.operatorframework.io.bundle.";

    private final ObjectNode chart = Yaml.read(Chart.FOLDER.resolve("Chart.yaml"));
    private final Rendering rendering;

    private OlmBundle() {
        ObjectNode values = Yaml.read(Chart.valueSet("cluster-wide"));
        values.withObject("/crds").put("enabled", false);
        this.rendering = Rendering.of(Chart.withoutHelm(Chart.text(values)));
    }

    /** Its files by their path below {@code config/olm}. */
    public static Map<String, String> files() throws IOException {
        return new OlmBundle().all();
    }

    private Map<String, String> all() throws IOException {
        Map<String, String> files = new TreeMap<>();
        files.put("manifests/svc.clusterserviceversion.yaml", yaml(version()));
        for (Path definition : definitions()) {
            String name = definition.getFileName().toString().replace(".yaml", "");
            files.put("manifests/" + name + ".crd.yaml", yaml(Yaml.read(definition)));
        }
        for (ObjectNode object : rendering.objects()) {
            if (MANIFESTS.contains(Rendering.kind(object)) && !isBound(object)) {
                ObjectNode placed = object.deepCopy();
                placed.withObject("/metadata").remove("namespace");
                files.put(
                        "manifests/" + Rendering.name(object) + "."
                                + Rendering.kind(object).toLowerCase(java.util.Locale.ROOT) + ".yaml",
                        yaml(placed));
            }
        }
        files.put("metadata/annotations.yaml", yaml(Yaml.JSON.createObjectNode().set("annotations", annotations())));
        files.put("Dockerfile", dockerfile());
        return files;
    }

    private static List<Path> definitions() throws IOException {
        try (Stream<Path> files = Files.list(Chart.REPOSITORY.resolve("crds"))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    private ObjectNode annotations() {
        return Yaml.JSON
                .createObjectNode()
                .put(PREFIX + "mediatype.v1", "registry+v1")
                .put(PREFIX + "manifests.v1", "manifests/")
                .put(PREFIX + "metadata.v1", "metadata/")
                .put(PREFIX + "package.v1", "svc")
                .put(PREFIX + "channels.v1", CHANNEL)
                .put(PREFIX + "channel.default.v1", CHANNEL);
    }

    private String dockerfile() {
        var text = new StringBuilder(HEAD).append("FROM scratch\n");
        annotations()
                .properties()
                .forEach(label -> text.append("LABEL ")
                        .append(label.getKey())
                        .append('=')
                        .append(label.getValue().asText())
                        .append('\n'));
        return text.append("COPY manifests /manifests/\nCOPY metadata /metadata/\n")
                .toString();
    }

    private ObjectNode version() {
        String appVersion = chart.path("appVersion").asText();
        ObjectNode version = Yaml.JSON
                .createObjectNode()
                .put("apiVersion", "operators.coreos.com/v1alpha1")
                .put("kind", "ClusterServiceVersion");
        ObjectNode metadata = version.putObject("metadata").put("name", "svc.v" + appVersion);
        metadata.putObject("annotations")
                .put("alm-examples", examples().toPrettyString())
                .put("capabilities", "Seamless Upgrades")
                .put("categories", "Database")
                .put(
                        "containerImage",
                        Rendering.container(rendering.deployment("operator"))
                                .path("image")
                                .asText())
                .put("description", chart.path("description").asText())
                .put("operatorframework.io/suggested-namespace", Chart.NAMESPACE)
                .put("support", "svc");
        ObjectNode spec = version.putObject("spec")
                .put("displayName", "svc")
                .put("description", chart.path("description").asText() + ".")
                .put("version", appVersion)
                .put("maturity", "alpha")
                // A number without the suffix that admits versions of vendors.
                .put(
                        "minKubeVersion",
                        chart.path("kubeVersion").asText().replace(">=", "").replace("-0", ""));
        spec.set("keywords", chart.path("keywords"));
        spec.putArray("maintainers").addObject().put("name", "svc").put("email", "maintainers@svc.example");
        spec.putObject("provider").put("name", "svc");
        spec.putArray("links").addObject().put("name", "Documentation").put("url", "https://svc.example");
        spec.putArray("icon")
                .addObject()
                .put("base64data", chart.path("icon").asText().replace("data:image/svg+xml;base64,", ""))
                .put("mediatype", "image/svg+xml");
        installModes(spec.putArray("installModes"));
        spec.putObject("customresourcedefinitions").set("owned", owned());
        install(spec.putObject("install").put("strategy", "deployment").putObject("spec"));
        return version;
    }

    private static void installModes(ArrayNode modes) {
        for (String mode : List.of("OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces")) {
            modes.addObject().put("type", mode).put("supported", mode.equals("AllNamespaces"));
        }
    }

    private JsonNode examples() {
        return parsed("artifacthub.io/crdsExamples");
    }

    private ArrayNode owned() {
        ArrayNode owned = Yaml.JSON.createArrayNode();
        parsed("artifacthub.io/crds").forEach(owned::add);
        return owned;
    }

    private JsonNode parsed(String annotation) {
        String text = chart.path("annotations").path(annotation).asText();
        return Yaml.JSON.valueToTree(Serialization.unmarshal(text, List.class));
    }

    private void install(ObjectNode strategy) {
        strategy.set("clusterPermissions", permissions("ClusterRoleBinding", "ClusterRole"));
        strategy.set("permissions", permissions("RoleBinding", "Role"));
        ArrayNode deployments = strategy.putArray("deployments");
        for (ObjectNode deployment : rendering.ofKind("Deployment")) {
            ObjectNode one = deployments.addObject().put("name", Rendering.name(deployment));
            one.set("label", deployment.at("/metadata/labels"));
            one.set("spec", deployment.path("spec"));
        }
    }

    /** The rules by account, all that its bindings give it. */
    private ArrayNode permissions(String binding, String role) {
        Map<String, List<JsonNode>> rules = new LinkedHashMap<>();
        for (ObjectNode bound : rendering.ofKind(binding)) {
            String namespace = bound.at("/metadata/namespace").asText(Chart.NAMESPACE);
            if (!namespace.equals(Chart.NAMESPACE)) {
                throw new IllegalStateException("OLM grants rights in its own namespace or in all: " + bound);
            }
            JsonNode granted = rendering.get(role, bound.at("/roleRef/name").asText());
            rules.computeIfAbsent(bound.at("/subjects/0/name").asText(), account -> new ArrayList<>())
                    .addAll(Rendering.list(granted.path("rules")));
        }
        ArrayNode permissions = Yaml.JSON.createArrayNode();
        rules.forEach((account, all) -> permissions
                .addObject()
                .put("serviceAccountName", account)
                .putArray("rules")
                .addAll(all));
        return permissions;
    }

    private boolean isBound(ObjectNode role) {
        return rendering.ofKind("ClusterRoleBinding").stream()
                .anyMatch(binding -> binding.at("/roleRef/name").asText().equals(Rendering.name(role)));
    }

    private static String yaml(JsonNode tree) {
        return HEAD + Serialization.asYaml(tree);
    }
}
