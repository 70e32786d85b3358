package svc.embedded.kubernetes.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes the API's documents. Parsed trees are the storage model: one that is stored is never changed. */
public final class Json {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final ObjectMapper YAML = YAMLMapper.builder().build();

    private Json() {}

    public static ObjectNode object() {
        return JSON.createObjectNode();
    }

    public static ArrayNode array() {
        return JSON.createArrayNode();
    }

    /** Parses JSON.
     *
     * @throws IOException when the text is not JSON; the message says where */
    public static JsonNode parse(byte[] text) throws IOException {
        return JSON.readTree(text);
    }

    /** Parses JSON that this server wrote itself. */
    public static JsonNode parseOwn(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("while reading a document of our own", e);
        }
    }

    /** Parses YAML, of which JSON is a part.
     *
     * @throws IOException when the text is neither; the message says where */
    public static JsonNode parseYaml(byte[] text) throws IOException {
        return looksLikeJson(text) ? JSON.readTree(text) : YAML.readTree(text);
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("while writing a document", e);
        }
    }

    /** The object below {@code field}, made and attached when it is missing or no object. */
    public static ObjectNode child(ObjectNode parent, String field) {
        return parent.get(field) instanceof ObjectNode child ? child : parent.putObject(field);
    }

    /** The texts of an array of strings; empty when there is no array. */
    public static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    private static boolean looksLikeJson(byte[] text) {
        for (byte b : text) {
            if (!Character.isWhitespace(b)) {
                return b == '{' || b == '[';
            }
        }
        return false;
    }
}
