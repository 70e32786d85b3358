package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import svc.embedded.kubernetes.failure.ApiFailure;

/** Pruning, defaults and validation of a kind. Methods never change their arguments. */
public interface ObjectRules {
    /** No pruning, no defaults, no validation. */
    ObjectRules NONE = new ObjectRules() {};

    /** The paths of the fields that {@link #prune} takes out. */
    default List<String> unknownFields(ObjectNode object) {
        return List.of();
    }

    /** The object without fields that its schema does not know. */
    default ObjectNode prune(ObjectNode object) {
        return object;
    }

    /** The object with its defaults, and with what the server derives from it. */
    default ObjectNode complete(ObjectNode object) {
        return object;
    }

    /** The validation errors; empty if the object is valid.
     *
     * @param old the state it would replace */
    default List<ApiFailure.Cause> faults(ObjectNode object, Optional<ObjectNode> old) {
        return List.of();
    }
}
