package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;

/** The defaults of built-in kinds that clients depend on. */
final class BuiltInRules {
    private BuiltInRules() {}

    static ObjectRules of(String resource) {
        return switch (resource) {
            case "secrets" -> completing(BuiltInRules::secret);
            case "namespaces" -> completing(BuiltInRules::namespace);
            case "services" -> completing(BuiltInRules::service);
            case "deployments", "replicasets", "statefulsets" -> completing(BuiltInRules::workload);
            case "pods" -> podRules();
            case BuiltInTypes.CRDS -> new DefinitionRules();
            default -> ObjectRules.NONE;
        };
    }

    private static ObjectRules completing(UnaryOperator<ObjectNode> complete) {
        return new ObjectRules() {
            @Override
            public ObjectNode complete(ObjectNode object) {
                return complete.apply(object.deepCopy());
            }
        };
    }

    /** The part of Pod validation without which no container can run. */
    private static ObjectRules podRules() {
        return new ObjectRules() {
            @Override
            public ObjectNode complete(ObjectNode object) {
                return pod(object.deepCopy());
            }

            @Override
            public List<ApiFailure.Cause> faults(ObjectNode object, Optional<ObjectNode> old) {
                JsonNode containers = object.path("spec").path("containers");
                if (containers.isEmpty()) {
                    return List.of(required("spec.containers"));
                }
                List<ApiFailure.Cause> faults = new ArrayList<>();
                for (int i = 0; i < containers.size(); i++) {
                    for (String field : List.of("name", "image")) {
                        if (containers.get(i).path(field).asText().isEmpty()) {
                            faults.add(required("spec.containers[" + i + "]." + field));
                        }
                    }
                }
                return faults;
            }
        };
    }

    private static ApiFailure.Cause required(String path) {
        return new ApiFailure.Cause("FieldValueRequired", "Required value", path);
    }

    private static ObjectNode secret(ObjectNode secret) {
        if (secret.remove("stringData") instanceof ObjectNode texts) {
            ObjectNode data = Json.child(secret, "data");
            texts.properties()
                    .forEach(e -> data.put(
                            e.getKey(),
                            Base64.getEncoder()
                                    .encodeToString(e.getValue().asText().getBytes(StandardCharsets.UTF_8))));
        }
        return putDefault(secret, "type", "Opaque");
    }

    private static ObjectNode namespace(ObjectNode namespace) {
        ObjectNode spec = Json.child(namespace, "spec");
        if (!spec.has("finalizers") && !Meta.deleting(namespace)) {
            spec.putArray("finalizers").add("kubernetes");
        }
        Json.child(namespace, "status").put("phase", Meta.deleting(namespace) ? "Terminating" : "Active");
        ObjectNode meta = Json.child(namespace, "metadata");
        Json.child(meta, "labels").put("kubernetes.io/metadata.name", Meta.name(namespace));
        return namespace;
    }

    private static ObjectNode service(ObjectNode service) {
        ObjectNode spec = Json.child(service, "spec");
        putDefault(spec, "type", "ClusterIP");
        putDefault(spec, "sessionAffinity", "None");
        for (JsonNode port : spec.path("ports")) {
            ObjectNode entry = (ObjectNode) port;
            putDefault(entry, "protocol", "TCP");
            if (!entry.has("targetPort")) {
                entry.set("targetPort", entry.path("port"));
            }
        }
        return service;
    }

    private static ObjectNode workload(ObjectNode workload) {
        ObjectNode spec = Json.child(workload, "spec");
        if (!spec.has("replicas")) {
            spec.put("replicas", 1);
        }
        return workload;
    }

    private static ObjectNode pod(ObjectNode pod) {
        ObjectNode status = Json.child(pod, "status");
        putDefault(status, "phase", "Pending");
        return pod;
    }

    private static ObjectNode putDefault(ObjectNode object, String field, String value) {
        if (!object.hasNonNull(field)) {
            object.put(field, value);
        }
        return object;
    }
}
