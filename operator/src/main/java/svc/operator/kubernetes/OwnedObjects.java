package svc.operator.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.operator.pod.PodSettings;

/**
 * Reconciles the objects that a resource owns: creates missing ones and applies those that differ. Never changes an object
 * with another owner.
 */
public final class OwnedObjects {
    /** Fields of desired objects whose values are objects of nothing but amounts. */
    private static final Set<String> HOLDING_AMOUNTS = Set.of("requests", "limits", "emptyDir");

    private final KubernetesClient client;

    public OwnedObjects(KubernetesClient client) {
        this.client = client;
    }

    /** The outcome of reconciling an object. */
    public enum Result {
        UNCHANGED,
        WRITTEN,
        /** An object of that name has another owner and was not changed. */
        NOT_OWNED
    }

    /**
     * @param known the object in an informer's cache; a stale cache costs one read
     * @param wanted owned by {@code owner}; fields that it omits belong to others
     */
    public <T extends HasMetadata> Result reconcile(HasMetadata owner, T wanted, Optional<T> known) {
        Optional<T> found =
                known.or(() -> Optional.ofNullable(client.resource(wanted).get()));
        if (found.isPresent() && !Ownership.isOwned(found.get(), owner)) {
            return Result.NOT_OWNED;
        }
        if (found.isPresent() && matches(found.get(), wanted)) {
            return Result.UNCHANGED;
        }
        client.resource(wanted)
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager(Labels.OPERATOR)
                        .withForce(true)
                        .build());
        return Result.WRITTEN;
    }

    /** Deletes an object that the resource owns, with uid and resourceVersion: another object may have this name by now. */
    public void remove(HasMetadata owner, HasMetadata known) {
        if (Ownership.isOwned(known, owner)) {
            client.resource(known).lockResourceVersion().delete();
        }
    }

    /** Whether the object has every wanted field. Ignores fields that others added, but for those of earlier settings. */
    public boolean matches(HasMetadata found, HasMetadata wanted) {
        if (!settings(found).equals(settings(wanted))) {
            return false;
        }
        KubernetesSerialization serialization = client.getKubernetesSerialization();
        return contains(
                serialization.convertValue(found, JsonNode.class), serialization.convertValue(wanted, JsonNode.class));
    }

    private static Optional<String> settings(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(PodSettings.DIGEST));
    }

    private static boolean contains(JsonNode found, JsonNode wanted) {
        if (wanted.isObject()) {
            Iterator<Map.Entry<String, JsonNode>> fields = wanted.fields();
            while (fields.hasNext()) {
                Map.Entry<String, JsonNode> field = fields.next();
                JsonNode other = found.get(field.getKey());
                if (other == null ? !isEmpty(field.getValue()) : !isSame(field.getKey(), other, field.getValue())) {
                    return false;
                }
            }
            return found.isObject();
        }
        if (wanted.isArray()) {
            if (!found.isArray() || found.size() != wanted.size()) {
                return false;
            }
            for (int i = 0; i < wanted.size(); i++) {
                if (!contains(found.get(i), wanted.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return wanted.asText().equals(found.asText());
    }

    private static boolean isSame(String field, JsonNode found, JsonNode wanted) {
        return HOLDING_AMOUNTS.contains(field) && found.isObject() && wanted.isObject()
                ? wanted.properties().stream().allMatch(amount -> isSame(found.get(amount.getKey()), amount.getValue()))
                : contains(found, wanted);
    }

    /** Kubernetes stores an amount in another spelling than it was sent: 500m for 0.5. */
    private static boolean isSame(JsonNode found, JsonNode wanted) {
        return found != null
                && (found.equals(wanted)
                        || found.isTextual()
                                && wanted.isTextual()
                                && new Quantity(found.asText()).equals(new Quantity(wanted.asText())));
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isNull() || value.isContainerNode() && value.isEmpty();
    }
}
