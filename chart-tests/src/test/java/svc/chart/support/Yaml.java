package svc.chart.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** YAML as trees. */
public final class Yaml {
    public static final ObjectMapper JSON = new ObjectMapper();

    private Yaml() {}

    public static ObjectNode read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One document. */
    public static ObjectNode parse(String text) {
        Object read = Serialization.unmarshal(text, LinkedHashMap.class);
        return read == null ? JSON.createObjectNode() : JSON.valueToTree(read);
    }

    /** JSON is YAML, too. */
    public static String write(JsonNode tree) {
        return tree.toPrettyString();
    }

    /** {@code over} laid over {@code under}, object by object, as Helm does it. */
    public static ObjectNode merged(ObjectNode under, ObjectNode over) {
        ObjectNode merged = under.deepCopy();
        over.properties().forEach(entry -> {
            JsonNode before = merged.get(entry.getKey());
            boolean objects = before instanceof ObjectNode && entry.getValue() instanceof ObjectNode;
            merged.set(
                    entry.getKey(),
                    objects ? merged((ObjectNode) before, (ObjectNode) entry.getValue()) : entry.getValue());
        });
        return merged;
    }

    /** The leaves of a tree by their paths; an empty object and a list are leaves. */
    public static Map<String, JsonNode> leaves(JsonNode tree) {
        Map<String, JsonNode> leaves = new TreeMap<>();
        leaves(tree, "", leaves);
        return leaves;
    }

    private static void leaves(JsonNode tree, String at, Map<String, JsonNode> into) {
        if (tree.isObject() && !tree.isEmpty()) {
            tree.properties()
                    .forEach(entry ->
                            leaves(entry.getValue(), at.isEmpty() ? entry.getKey() : at + "." + entry.getKey(), into));
        } else {
            into.put(at, tree);
        }
    }
}
