package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A definition with one field for each feature of a schema. */
final class WidgetDefinition {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private WidgetDefinition() {}

    static JsonNode json() {
        try (InputStream yaml = WidgetDefinition.class.getResourceAsStream("widgets.yaml")) {
            return YAML.unmarshal(yaml, JsonNode.class);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading widgets.yaml", e);
        }
    }

    static CustomResourceSchema schema() {
        return CustomResourceSchema.of(json(), "v1");
    }

    static ObjectNode widget(String spec) {
        String yaml =
                "---\napiVersion: example.org/v1\nkind: Widget\nmetadata: {name: one, labels: {a: b}}\nspec: " + spec;
        return YAML.unmarshal(yaml, ObjectNode.class);
    }
}
