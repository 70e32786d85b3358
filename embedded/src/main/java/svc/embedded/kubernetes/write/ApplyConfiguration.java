package svc.embedded.kubernetes.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.ownership.FieldOwnership;
import svc.embedded.kubernetes.type.Served;

/** What a server-side apply really asks for, once all that is not the applier's to say is taken out. Pure. */
final class ApplyConfiguration {
    private static final List<String> SERVER_METADATA = List.of(
            "creationTimestamp",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "generation",
            "managedFields",
            "resourceVersion",
            "selfLink",
            "uid");

    private ApplyConfiguration() {}

    /** The part of a configuration that its sender may decide.
     *
     * @throws ApiFailure 400 when it carries field owners itself */
    static ObjectNode of(ObjectNode sent, Served served, Part part) {
        if (!Meta.of(sent).path("managedFields").isEmpty()) {
            throw ApiFailure.badRequest("metadata.managedFields must be nil");
        }
        ObjectNode configuration = (ObjectNode) withoutNulls(sent);
        if (part == Part.STATUS) {
            JsonNode status = configuration.path("status");
            configuration = Json.object();
            configuration.setAll((ObjectNode) sent.deepCopy());
            configuration.retain("apiVersion", "kind");
            if (!status.isMissingNode()) {
                configuration.set("status", status);
            }
        } else if (served.version().status()) {
            configuration.remove("status");
        }
        if (Meta.of(configuration) instanceof ObjectNode meta) {
            meta.remove(SERVER_METADATA);
        }
        return configuration;
    }

    /** The conflict that names the other field managers. */
    static ApiFailure collision(Served served, String name, List<FieldOwnership.Conflict> conflicts) {
        List<ApiFailure.Cause> causes = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (FieldOwnership.Conflict conflict : conflicts) {
            String manager = shown(conflict);
            lines.add("conflicts with " + manager + ":");
            for (String place : conflict.places().paths()) {
                causes.add(new ApiFailure.Cause("FieldManagerConflict", "conflict with " + manager, place));
                lines.add("- " + place);
            }
        }
        ApiFailure.Cause first = causes.getFirst();
        String message = causes.size() == 1
                ? "Apply failed with 1 conflict: %s: %s".formatted(first.message(), first.field())
                : "Apply failed with %d conflicts: %s".formatted(causes.size(), String.join("\n", lines));
        return ApiFailure.ownedByOthers(served.subject(name), message, causes);
    }

    // As kube-apiserver: an apply is known by its manager, an update by its version too.
    private static String shown(FieldOwnership.Conflict conflict) {
        String manager = "\"" + conflict.manager() + "\"";
        return conflict.operation().equals("APPLY") ? manager : manager + " using " + conflict.apiVersion();
    }

    private static JsonNode withoutNulls(JsonNode node) {
        if (node.isObject()) {
            ObjectNode copy = Json.object();
            node.properties().forEach(e -> {
                if (!e.getValue().isNull()) {
                    copy.set(e.getKey(), withoutNulls(e.getValue()));
                }
            });
            return copy;
        }
        if (node.isArray()) {
            ArrayNode copy = Json.array();
            node.forEach(item -> copy.add(withoutNulls(item)));
            return copy;
        }
        return node;
    }
}
