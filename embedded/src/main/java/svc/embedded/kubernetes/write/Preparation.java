package svc.embedded.kubernetes.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.type.ObjectRules;
import svc.embedded.kubernetes.type.Served;

/**
 * Turns what a writer sent into what may be stored: the server's own fields are the server's, a status is written
 * through its subresource only, defaults are in, the schema holds. Pure.
 */
record Preparation(Served served, Part part, WriteOptions options) {
    private static final Set<String> KEPT_METADATA = Set.of(
            "creationTimestamp",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "generation",
            "uid",
            "name",
            "namespace");
    private static final Set<String> NOT_WANTED = Set.of("metadata", "status", "apiVersion", "kind");

    /** An object ready to store, or to take the record of its field owners first. */
    record Prepared(ObjectNode object, List<String> warnings) {}

    /** A new object from the request body.
     *
     * @throws ApiFailure 422 when the schema does not hold */
    Prepared create(ObjectNode sent, String uid, String now) {
        ObjectNode object = sent.deepCopy();
        ObjectNode meta = Json.child(object, "metadata");
        meta.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion"));
        meta.put("uid", uid).put("creationTimestamp", now);
        if (served.type().countsGenerations()) {
            meta.put("generation", 1);
        } else {
            meta.remove("generation");
        }
        if (served.version().status()) {
            object.remove("status");
        }
        return finish(object, Optional.empty());
    }

    /** The next state of an object from the proposed one.
     *
     * @throws ApiFailure 409 for a stale version or another uid, 422 when the schema does not hold */
    Prepared update(ObjectNode current, ObjectNode proposed) {
        String name = Meta.name(current);
        checkSameObject(current, proposed, name);
        ObjectNode object = part == Part.STATUS ? withStatusOf(proposed, current) : withStatusOf(current, proposed);
        ObjectNode meta = Json.child(object, "metadata");
        JsonNode currentMeta = Meta.of(current);
        for (String field : KEPT_METADATA) {
            copy(currentMeta, meta, field);
        }
        meta.remove("selfLink");
        if (part == Part.STATUS && Meta.of(proposed).has("managedFields")) {
            copy(Meta.of(proposed), meta, "managedFields");
        }
        meta.set("resourceVersion", currentMeta.path("resourceVersion"));
        Prepared prepared = finish(object, Optional.of(current));
        checkFinalizers(current, prepared.object(), name);
        if (served.type().countsGenerations() && wantsOther(current, prepared.object())) {
            Json.child(prepared.object(), "metadata")
                    .put("generation", currentMeta.path("generation").asInt() + 1);
        }
        return prepared;
    }

    private void checkSameObject(ObjectNode current, ObjectNode proposed, String name) {
        String version = Meta.resourceVersion(proposed);
        if (version.isEmpty()
                && served.type().group().contains(".")
                && !served.version().schema().isMissingNode()) {
            throw ApiFailure.invalid(
                    served.subject(name),
                    List.of(new ApiFailure.Cause(
                            "FieldValueInvalid",
                            "Invalid value: 0: must be specified for an update",
                            "metadata.resourceVersion")));
        }
        if (!version.isEmpty() && !version.equals(Meta.resourceVersion(current))) {
            throw ApiFailure.staleVersion(served.subject(name));
        }
        String uid = Meta.uid(proposed);
        if (!uid.isEmpty() && !uid.equals(Meta.uid(current))) {
            throw ApiFailure.conflict(
                    served.subject(name),
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                            .formatted(uid, Meta.uid(current)));
        }
    }

    private ObjectNode withStatusOf(ObjectNode status, ObjectNode rest) {
        ObjectNode object = rest.deepCopy();
        if (part == Part.STATUS || served.version().status()) {
            copy(status, object, "status");
        }
        return object;
    }

    private Prepared finish(ObjectNode object, Optional<ObjectNode> old) {
        ObjectRules rules = served.rules();
        ObjectNode pruned = rules.prune(object);
        List<String> warnings =
                options.unknownFields().judge(rules.unknownFields(object), old.isEmpty() ? cannotBeHandled() : "");
        ObjectNode complete = rules.complete(pruned);
        Json.child(complete, "metadata");
        List<ApiFailure.Cause> faults = Stream.concat(
                        metadataFaults(complete).stream(), rules.faults(complete, old).stream())
                .toList();
        if (!faults.isEmpty()) {
            throw ApiFailure.invalid(served.subject(Meta.name(complete)), faults);
        }
        return new Prepared(complete, warnings);
    }

    private String cannotBeHandled() {
        String kind = served.type().names().kind();
        return "%s in version \"%s\" cannot be handled as a %s: "
                .formatted(kind, served.version().name(), kind);
    }

    private static List<ApiFailure.Cause> metadataFaults(ObjectNode object) {
        return Stream.of("labels", "annotations")
                .flatMap(field -> Meta.of(object).path(field).properties().stream()
                        .filter(e -> !e.getValue().isTextual())
                        .map(e -> new ApiFailure.Cause(
                                "FieldValueTypeInvalid",
                                "Invalid value: must be a string",
                                "metadata." + field + "." + e.getKey())))
                .toList();
    }

    private void checkFinalizers(ObjectNode current, ObjectNode next, String name) {
        if (!Meta.deleting(current)) {
            return;
        }
        Set<String> before = Set.copyOf(Meta.finalizers(current));
        Set<String> added = Meta.finalizers(next).stream()
                .filter(finalizer -> !before.contains(finalizer))
                .collect(Collectors.toSet());
        if (!added.isEmpty()) {
            throw ApiFailure.invalid(
                    served.subject(name),
                    List.of(new ApiFailure.Cause(
                            "FieldValueForbidden",
                            "Forbidden: no new finalizers can be added if the object is being deleted, found new"
                                    + " finalizers "
                                    + added,
                            "metadata.finalizers")));
        }
    }

    // Kubernetes counts everything but metadata, and but status where status is a subresource.
    private boolean wantsOther(ObjectNode before, ObjectNode after) {
        Set<String> fields = Stream.concat(before.propertyStream(), after.propertyStream())
                .map(java.util.Map.Entry::getKey)
                .filter(field -> !NOT_WANTED.contains(field)
                        || field.equals("status") && !served.version().status())
                .collect(Collectors.toSet());
        return fields.stream().anyMatch(field -> !Objects.equals(before.get(field), after.get(field)));
    }

    private static void copy(JsonNode from, ObjectNode to, String field) {
        if (from.has(field)) {
            to.set(field, from.get(field));
        } else {
            to.remove(field);
        }
    }
}
