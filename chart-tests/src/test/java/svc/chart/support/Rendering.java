package svc.chart.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The objects that a rendering consists of. */
public record Rendering(List<ObjectNode> objects) {
    private static final Pattern DOCUMENTS = Pattern.compile("(?m)^---\\s*$");
    private static final Pattern COMMENTS = Pattern.compile("(?m)^#.*$");

    public static Rendering of(String text) {
        return new Rendering(documents(text).stream().map(Yaml::parse).toList());
    }

    /** The documents that have content. */
    public static List<String> documents(String text) {
        return Arrays.stream(DOCUMENTS.split(text))
                .filter(document -> !COMMENTS.matcher(document).replaceAll("").isBlank())
                .toList();
    }

    public List<ObjectNode> ofKind(String kind) {
        return objects.stream().filter(object -> kind(object).equals(kind)).toList();
    }

    public ObjectNode get(String kind, String name) {
        return find(object -> kind(object).equals(kind) && name(object).equals(name), kind + " " + name);
    }

    public boolean has(String kind, String name) {
        return ofKind(kind).stream().anyMatch(object -> name(object).equals(name));
    }

    private ObjectNode find(Predicate<ObjectNode> which, String what) {
        return objects.stream()
                .filter(which)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the chart makes no " + what + "; it makes " + names()));
    }

    public Set<String> names() {
        return objects.stream().map(Rendering::id).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The Deployment of a component. */
    public ObjectNode deployment(String component) {
        return find(
                object -> kind(object).equals("Deployment")
                        && component.equals(object.at("/metadata/labels/app.kubernetes.io~1component")
                                .asText()),
                "Deployment of " + component);
    }

    /** The pod specs: of Deployments and of Pods. */
    public List<JsonNode> podSpecs() {
        return objects.stream()
                .map(object -> kind(object).equals("Pod") ? object.path("spec") : object.at("/spec/template/spec"))
                .filter(spec -> spec.has("containers"))
                .toList();
    }

    public static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    public static JsonNode container(JsonNode deployment) {
        return deployment.at("/spec/template/spec/containers/0");
    }

    public static String kind(JsonNode object) {
        return object.path("kind").asText();
    }

    public static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    public static String id(JsonNode object) {
        return kind(object) + "/" + object.at("/metadata/namespace").asText() + "/" + name(object);
    }
}
