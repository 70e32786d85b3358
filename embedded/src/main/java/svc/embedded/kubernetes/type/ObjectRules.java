package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import svc.embedded.kubernetes.failure.ApiFailure;

/** What a kind does with an object on its way in. Methods never change their arguments. */
public interface ObjectRules {
    /** Accepts objects as they come. */
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

    /** Why the object may not be stored; empty when it may.
     *
     * @param old the state it would replace */
    default List<ApiFailure.Cause> faults(ObjectNode object, Optional<ObjectNode> old) {
        return List.of();
    }
}
