package svc.embedded.kubernetes.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads the fields of an object's {@code metadata}. */
public final class Meta {
    public static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private Meta() {}

    public static JsonNode of(JsonNode object) {
        return object.path("metadata");
    }

    public static String name(JsonNode object) {
        return of(object).path("name").asText("");
    }

    public static String namespace(JsonNode object) {
        return of(object).path("namespace").asText("");
    }

    public static String uid(JsonNode object) {
        return of(object).path("uid").asText("");
    }

    public static String resourceVersion(JsonNode object) {
        return of(object).path("resourceVersion").asText("");
    }

    public static List<String> finalizers(JsonNode object) {
        return Json.texts(of(object).path("finalizers"));
    }

    public static boolean deleting(JsonNode object) {
        return of(object).hasNonNull("deletionTimestamp");
    }

    /** Adds or removes one finalizer of a copy that is being written; the field goes with its last entry. */
    public static void setFinalizer(ObjectNode object, String finalizer, boolean wanted) {
        List<String> finalizers = finalizers(object);
        if (finalizers.contains(finalizer) == wanted) {
            return;
        }
        ObjectNode meta = Json.child(object, "metadata");
        meta.remove("finalizers");
        if (wanted) {
            finalizers.add(finalizer);
        } else {
            finalizers.remove(finalizer);
        }
        if (!finalizers.isEmpty()) {
            finalizers.forEach(meta.withArray("finalizers")::add);
        }
    }

    /** The value of a label, if it is set. */
    public static Optional<String> label(JsonNode object, String key) {
        return Optional.ofNullable(of(object).path("labels").get(key)).map(JsonNode::asText);
    }

    /** Whether two states are equal but for resourceVersion and managedFields times. */
    public static boolean sameContent(ObjectNode a, ObjectNode b) {
        return Objects.equals(a, b) || withoutTimes(a).equals(withoutTimes(b));
    }

    private static ObjectNode withoutTimes(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        if (of(copy) instanceof ObjectNode meta) {
            meta.remove("resourceVersion");
            meta.path("managedFields").forEach(entry -> ((ObjectNode) entry).remove("time"));
        }
        return copy;
    }
}
