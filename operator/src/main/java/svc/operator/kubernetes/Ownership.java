package svc.operator.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Objects;

/** Controller references: Kubernetes deletes owned objects with their owner, and the operator writes no others. Pure. */
public final class Ownership {
    private Ownership() {}

    /** For {@code metadata.ownerReferences}. */
    public static OwnerReference of(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .build();
    }

    /** By the uid of the owner: users may write labels, and names are reused. */
    public static boolean isOwned(HasMetadata object, HasMetadata owner) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference -> Boolean.TRUE.equals(reference.getController())
                        && Objects.equals(
                                reference.getUid(), owner.getMetadata().getUid()));
    }
}
