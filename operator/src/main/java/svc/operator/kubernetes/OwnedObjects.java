package svc.operator.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the objects of one resource as they should be: creates what is missing, applies what differs, leaves alone what
 * is in order and what is somebody else's.
 */
public final class OwnedObjects {
    private final KubernetesClient client;

    public OwnedObjects(KubernetesClient client) {
        this.client = client;
    }

    /** What became of a wish. */
    public enum Kept {
        IN_ORDER,
        WRITTEN,
        /** An object of that name belongs to somebody else and was left alone. */
        NOT_OWNED
    }

    /**
     * @param known the object as an informer has it; may be behind, which costs one read
     * @param wanted owned by {@code owner}; a field that it leaves out is not ours
     */
    public <T extends HasMetadata> Kept keep(HasMetadata owner, T wanted, Optional<T> known) {
        Optional<T> found =
                known.or(() -> Optional.ofNullable(client.resource(wanted).get()));
        if (found.isPresent() && !Ownership.isOwned(found.get(), owner)) {
            return Kept.NOT_OWNED;
        }
        if (found.isPresent() && isSettled(found.get(), wanted)) {
            return Kept.IN_ORDER;
        }
        client.resource(wanted)
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager(Labels.OPERATOR)
                        .withForce(true)
                        .build());
        return Kept.WRITTEN;
    }

    /** Removes an object if it is the owner's. By uid and version: what now stands under this name may be another's. */
    public void remove(HasMetadata owner, HasMetadata known) {
        if (Ownership.isOwned(known, owner)) {
            client.resource(known).lockResourceVersion().delete();
        }
    }

    /** Whether everything we want of it is there; what others added to it is theirs and does not count. */
    public boolean isSettled(HasMetadata found, HasMetadata wanted) {
        KubernetesSerialization serialization = client.getKubernetesSerialization();
        return contains(
                serialization.convertValue(found, JsonNode.class), serialization.convertValue(wanted, JsonNode.class));
    }

    private static boolean contains(JsonNode found, JsonNode wanted) {
        if (wanted.isObject()) {
            Iterator<Map.Entry<String, JsonNode>> fields = wanted.fields();
            while (fields.hasNext()) {
                Map.Entry<String, JsonNode> field = fields.next();
                JsonNode other = found.get(field.getKey());
                if (other == null ? !isNothing(field.getValue()) : !contains(other, field.getValue())) {
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

    private static boolean isNothing(JsonNode value) {
        return value.isNull() || value.isContainerNode() && value.isEmpty();
    }
}
