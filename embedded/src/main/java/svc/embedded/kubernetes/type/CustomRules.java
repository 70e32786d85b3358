package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the schema of a CustomResourceDefinition demands. */
final class CustomRules {
    private CustomRules() {}

    static ObjectRules of(ObjectNode definition, String version) {
        return ObjectRules.NONE;
    }
}
