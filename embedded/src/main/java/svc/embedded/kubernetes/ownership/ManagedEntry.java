package svc.embedded.kubernetes.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import svc.embedded.kubernetes.json.Json;

/** One entry of {@code managedFields}: a field manager, its operation and the fields that it owns. */
record ManagedEntry(Owner owner, String time, FieldSet fields) {
    /** An apply and an update under one name are two owners, and so are the object and its status. */
    record Owner(String manager, Operation operation, String apiVersion, String subresource) {
        boolean sameManager(Owner other) {
            return manager.equals(other.manager)
                    && operation == other.operation
                    && subresource.equals(other.subresource);
        }
    }

    enum Operation {
        APPLY("Apply"),
        UPDATE("Update");

        private final String word;

        Operation(String word) {
            this.word = word;
        }
    }

    static ManagedEntry parse(JsonNode entry) {
        Owner owner = new Owner(
                entry.path("manager").asText(""),
                entry.path("operation").asText().equals("Apply") ? Operation.APPLY : Operation.UPDATE,
                entry.path("apiVersion").asText(""),
                entry.path("subresource").asText(""));
        JsonNode fields = entry.path("fieldsV1");
        return new ManagedEntry(
                owner, entry.path("time").asText(""), fields.isObject() ? FieldSet.parse(fields) : FieldSet.EMPTY);
    }

    ObjectNode toJson() {
        ObjectNode entry = Json.object();
        entry.put("manager", owner.manager())
                .put("operation", owner.operation().word)
                .put("apiVersion", owner.apiVersion())
                .put("time", time)
                .put("fieldsType", "FieldsV1")
                .set("fieldsV1", fields.toFieldsV1());
        if (!owner.subresource().isEmpty()) {
            entry.put("subresource", owner.subresource());
        }
        return entry;
    }

    ManagedEntry with(FieldSet changed) {
        return new ManagedEntry(owner, time, changed);
    }
}
