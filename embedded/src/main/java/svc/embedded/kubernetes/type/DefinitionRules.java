package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.schema.CustomResourceSchema;
import svc.embedded.kubernetes.schema.InvalidSchemaException;

/** Defaults, conditions and validation of CustomResourceDefinitions. */
final class DefinitionRules implements ObjectRules {
    @Override
    public ObjectNode complete(ObjectNode definition) {
        ObjectNode complete = definition.deepCopy();
        ObjectNode spec = Json.child(complete, "spec");
        ObjectNode names = Json.child(spec, "names");
        String kind = names.path("kind").asText();
        if (!names.hasNonNull("singular")) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (!names.hasNonNull("listKind")) {
            names.put("listKind", kind + "List");
        }
        if (!spec.has("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
        ObjectNode status = Json.child(complete, "status");
        status.set("acceptedNames", names.deepCopy());
        status.set("storedVersions", storedVersions(status, spec));
        condition(status, "NamesAccepted", "NoConflicts", "no conflicts found");
        condition(status, "Established", "InitialNamesAccepted", "the initial names have been accepted");
        return complete;
    }

    @Override
    public List<ApiFailure.Cause> faults(ObjectNode definition, Optional<ObjectNode> old) {
        List<ApiFailure.Cause> faults = new ArrayList<>();
        JsonNode spec = definition.path("spec");
        String name = spec.path("names").path("plural").asText() + "."
                + spec.path("group").asText();
        if (!Meta.name(definition).equals(name)) {
            faults.add(fault(
                    "metadata.name",
                    "Invalid value: \"%s\": must be spec.names.plural+\".\"+spec.group"
                            .formatted(Meta.name(definition))));
        }
        if (!List.of("Namespaced", "Cluster").contains(spec.path("scope").asText())) {
            faults.add(fault("spec.scope", "Unsupported value: supported values: \"Cluster\", \"Namespaced\""));
        }
        long stored = 0;
        for (JsonNode version : spec.path("versions")) {
            stored += version.path("storage").asBoolean() ? 1 : 0;
        }
        if (stored != 1) {
            faults.add(
                    fault("spec.versions", "Invalid value: must have exactly one version marked as storage version"));
        }
        return faults.isEmpty() ? unusable(definition) : faults;
    }

    private static List<ApiFailure.Cause> unusable(ObjectNode definition) {
        try {
            CustomTypes.of(definition)
                    .versions()
                    .forEach(version -> Objects.requireNonNull(version.rules().get()));
            return CustomResourceSchema.faultsOf(definition).stream()
                    .map(fault -> new ApiFailure.Cause(fault.reason(), fault.message(), fault.path()))
                    .toList();
        } catch (IllegalArgumentException | InvalidSchemaException e) {
            return List.of(fault("spec.versions", "Invalid value: " + e.getMessage()));
        }
    }

    private static ApiFailure.Cause fault(String field, String message) {
        return new ApiFailure.Cause("FieldValueInvalid", message, field);
    }

    private static JsonNode storedVersions(ObjectNode status, JsonNode spec) {
        List<String> versions = new ArrayList<>(Json.texts(status.path("storedVersions")));
        for (JsonNode version : spec.path("versions")) {
            String name = version.path("name").asText();
            if (version.path("storage").asBoolean() && !versions.contains(name)) {
                versions.add(name);
            }
        }
        var array = Json.array();
        versions.forEach(array::add);
        return array;
    }

    private static void condition(ObjectNode status, String type, String reason, String message) {
        for (JsonNode condition : status.withArray("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return;
            }
        }
        status.withArray("conditions")
                .addObject()
                .put(
                        "lastTransitionTime",
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("message", message)
                .put("reason", reason)
                .put("status", "True")
                .put("type", type);
    }
}
