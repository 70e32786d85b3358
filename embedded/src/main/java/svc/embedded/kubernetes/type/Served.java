package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.node.ObjectNode;
import svc.embedded.kubernetes.failure.ApiFailure;

/** A resource in one of its versions, as a request path names it. */
public record Served(ResourceType type, ServedVersion version) {
    public String apiVersion() {
        return type.apiVersion(version);
    }

    public ObjectNode show(ObjectNode stored) {
        return version.view().toServed(stored);
    }

    public ObjectRules rules() {
        return version.rules().get();
    }

    public ApiFailure.Subject subject(String name) {
        return type.subject(name);
    }
}
