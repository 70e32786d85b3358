package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.ownership.StructuralMergeSchema;
import svc.embedded.kubernetes.schema.CustomResourceSchema;
import svc.embedded.kubernetes.table.TableLayout;

/** Reads resources from CustomResourceDefinitions. */
final class CustomTypes {
    private CustomTypes() {}

    /** The resource of a definition.
     *
     * @throws IllegalArgumentException when a printer column cannot be understood */
    static ResourceType of(ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        String group = spec.path("group").asText();
        JsonNode named = spec.path("names");
        String kind = named.path("kind").asText();
        ResourceType.Names names = new ResourceType.Names(
                named.path("plural").asText(),
                named.path("singular").asText(),
                kind,
                named.path("listKind").asText(kind + "List"),
                Json.texts(named.path("shortNames")),
                Json.texts(named.path("categories")));
        return new ResourceType(
                group, names, spec.path("scope").asText().equals("Namespaced"), group, versions(definition, group));
    }

    private static List<ServedVersion> versions(ObjectNode definition, String group) {
        String storage = "";
        for (JsonNode version : definition.path("spec").path("versions")) {
            storage = version.path("storage").asBoolean() ? version.path("name").asText() : storage;
        }
        List<ServedVersion> versions = new ArrayList<>();
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (version.path("served").asBoolean(true)) {
                String name = version.path("name").asText();
                versions.add(name.equals(storage) ? 0 : versions.size(), version(definition, version, group, storage));
            }
        }
        return List.copyOf(versions);
    }

    private static ServedVersion version(ObjectNode definition, JsonNode version, String group, String storage) {
        String name = version.path("name").asText();
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        return new ServedVersion(
                name,
                version.path("subresources").has("status"),
                TableLayout.declared(version.path("additionalPrinterColumns")),
                StructuralMergeSchema.of(schema),
                schema,
                View.renaming(group + "/" + storage, group + "/" + name),
                new Lazy(() -> new CustomRules(CustomResourceSchema.of(definition, name))));
    }
}
