package svc.crds.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;
import svc.crds.Api;
import svc.embedded.kubernetes.schema.CustomResourceSchema;

/** What an API server says to the spec of one kind, on creation and on update. */
final class Refusals {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private final String kind;
    private final CustomResourceSchema schema;

    Refusals(CustomResourceDefinition definition) {
        this.kind = definition.getSpec().getNames().getKind();
        this.schema = CustomResourceSchema.of(definition, Api.VERSION);
    }

    List<String> onCreation(String spec) {
        return said(stored(spec), Optional.empty());
    }

    List<String> onUpdate(String from, String to) {
        return said(stored(to), Optional.of(stored(from)));
    }

    /** The object as it would be stored: pruned and with defaults. */
    JsonNode stored(String spec) {
        String yaml = "---\napiVersion: svc.platform/v1alpha1\nkind: " + kind
                + "\nmetadata: {name: shop, namespace: default}\nspec: " + spec;
        return schema.applyDefaults(schema.prune(YAML.unmarshal(yaml, JsonNode.class)));
    }

    private List<String> said(JsonNode object, Optional<JsonNode> old) {
        return schema.validate(object, old).stream().map(Object::toString).toList();
    }
}
