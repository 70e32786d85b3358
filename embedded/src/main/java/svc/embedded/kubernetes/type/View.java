package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Conversion between the stored form of an object and a served version. */
public interface View {
    ObjectNode toServed(ObjectNode stored);

    ObjectNode toStored(ObjectNode served);

    /** Versions that differ in nothing but their name, which is all that CRDs without conversion have. */
    static View renaming(String storedApiVersion, String servedApiVersion) {
        return new View() {
            @Override
            public ObjectNode toServed(ObjectNode stored) {
                return renamed(stored, servedApiVersion);
            }

            @Override
            public ObjectNode toStored(ObjectNode served) {
                return renamed(served, storedApiVersion);
            }
        };
    }

    private static ObjectNode renamed(ObjectNode object, String apiVersion) {
        if (object.path("apiVersion").asText().equals(apiVersion)) {
            return object;
        }
        return object.deepCopy().put("apiVersion", apiVersion);
    }
}
