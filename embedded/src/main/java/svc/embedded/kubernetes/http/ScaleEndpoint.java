package svc.embedded.kubernetes.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.StringJoiner;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.ownership.CoreMergeSchema;
import svc.embedded.kubernetes.patch.PatchFormat;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.store.StoredObject;
import svc.embedded.kubernetes.type.Subresource;
import svc.embedded.kubernetes.write.ObjectWrites;
import svc.embedded.kubernetes.write.Part;
import svc.embedded.kubernetes.write.WriteOptions;
import svc.embedded.kubernetes.write.Written;

/** {@code …/deployments/<name>/scale} and its like: how many replicas are wanted, without the rest of the object. */
final class ScaleEndpoint {
    private final ObjectStore store;
    private final ObjectWrites writes;

    ScaleEndpoint(ObjectStore store, ObjectWrites writes) {
        this.store = store;
        this.writes = writes;
    }

    Answer answer(ResourcePath path, ApiRequest request, WriteOptions options) {
        if (!Subresource.isScalable(path.served().type())) {
            throw ApiFailure.noSuchPath();
        }
        return switch (request.method()) {
            case "GET" -> {
                StoredObject found = store.get(path.key()).orElseThrow(() -> ApiFailure.notFound(path.subject()));
                yield Answer.json(200, scaleOf(found.body()));
            }
            case "PUT" -> {
                ObjectNode sent = request.object();
                yield write(path, options, scale -> sent);
            }
            case "PATCH" -> patch(path, request, options);
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    private interface Change {
        ObjectNode of(ObjectNode scale);
    }

    private Answer patch(ResourcePath path, ApiRequest request, WriteOptions options) {
        JsonNode patch = request.tree();
        PatchFormat format = PatchFormat.of(request.contentType());
        // An applied scale is one field: merging it is applying it.
        PatchFormat merging = format == PatchFormat.APPLY ? PatchFormat.MERGE : format;
        return write(path, options, scale -> merging.patch(scale, patch, CoreMergeSchema.ROOT, path.subject()));
    }

    private Answer write(ResourcePath path, WriteOptions options, Change change) {
        Written written = writes.update(
                path.served(),
                path.key(),
                Part.OBJECT,
                current -> scaled(path, current, change.of(scaleOf(current))),
                options);
        return Answer.json(200, scaleOf(written.object()), written.warnings());
    }

    private static ObjectNode scaled(ResourcePath path, ObjectNode current, ObjectNode scale) {
        String version = Meta.resourceVersion(scale);
        if (!version.isEmpty() && !version.equals(Meta.resourceVersion(current))) {
            throw ApiFailure.staleVersion(path.subject());
        }
        JsonNode replicas = scale.path("spec").path("replicas");
        if (!replicas.isMissingNode() && (!replicas.isInt() || replicas.asInt() < 0)) {
            throw ApiFailure.invalid(
                    path.subject(),
                    List.of(new ApiFailure.Cause(
                            "FieldValueInvalid",
                            "Invalid value: %s: must be greater than or equal to 0".formatted(replicas),
                            "spec.replicas")));
        }
        ObjectNode next = current.deepCopy();
        Json.child(next, "spec").put("replicas", replicas.asInt(0));
        return next;
    }

    private static ObjectNode scaleOf(ObjectNode object) {
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            metadata.set(field, Meta.of(object).path(field));
        }
        scale.putObject("spec")
                .put("replicas", object.path("spec").path("replicas").asInt(0));
        var selector = new StringJoiner(",");
        object.path("spec")
                .path("selector")
                .path("matchLabels")
                .properties()
                .forEach(label ->
                        selector.add(label.getKey() + "=" + label.getValue().asText()));
        scale.putObject("status")
                .put("replicas", object.path("status").path("replicas").asInt(0))
                .put("selector", selector.toString());
        return scale;
    }
}
