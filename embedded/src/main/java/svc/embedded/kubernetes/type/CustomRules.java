package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.schema.CustomResourceSchema;

/** Pruning, defaults and validation by the schema of a CustomResourceDefinition. */
record CustomRules(CustomResourceSchema schema) implements ObjectRules {
    @Override
    public List<String> unknownFields(ObjectNode object) {
        return schema.unknownFields(object);
    }

    @Override
    public ObjectNode prune(ObjectNode object) {
        return (ObjectNode) schema.prune(object);
    }

    @Override
    public ObjectNode complete(ObjectNode object) {
        return (ObjectNode) schema.applyDefaults(object);
    }

    @Override
    public List<ApiFailure.Cause> faults(ObjectNode object, Optional<ObjectNode> old) {
        return schema.validate(object, old.map(JsonNode.class::cast)).stream()
                .map(violation -> new ApiFailure.Cause(violation.reason(), violation.message(), violation.path()))
                .toList();
    }
}
