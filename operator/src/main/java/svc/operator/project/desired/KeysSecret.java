package svc.operator.project.desired;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import svc.operator.kubernetes.Labels;

/** The Secret that {@code spec.keysSecret} asks for. */
public final class KeysSecret {
    /** The value of {@link Labels#PURPOSE} on these Secrets. */
    public static final String PURPOSE = "keys";

    private KeysSecret() {}

    /** The desired Secret, owned by the project, so that Kubernetes deletes it together with the project. */
    public static Secret of(HasMetadata project, String name, ProjectAccess access) {
        Map<String, String> data = new LinkedHashMap<>();
        access.variables().forEach((variable, value) -> data.put(variable, base64(value)));
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(project.getMetadata().getNamespace())
                .withLabels(Labels.of(access.ref(), PURPOSE))
                .withOwnerReferences(owner(project))
                .endMetadata()
                .withType("Opaque")
                .withData(data)
                .build();
    }

    /**
     * Whether the project owns the Secret, by the uid of the owner: users may write labels, and names are reused.
     */
    public static boolean isOwned(Secret secret, HasMetadata project) {
        return secret.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                        && Objects.equals(owner.getUid(), project.getMetadata().getUid()));
    }

    /** Whether the Secret has every wanted value. Ignores entries that others added. */
    public static boolean matches(Secret found, Secret wanted) {
        return Objects.equals(found.getType(), wanted.getType())
                && contains(found.getData(), wanted.getData())
                && contains(
                        found.getMetadata().getLabels(), wanted.getMetadata().getLabels());
    }

    private static boolean contains(Map<String, String> found, Map<String, String> wanted) {
        return found != null && found.entrySet().containsAll(wanted.entrySet());
    }

    private static OwnerReference owner(HasMetadata project) {
        return new OwnerReferenceBuilder()
                .withApiVersion(project.getApiVersion())
                .withKind(project.getKind())
                .withName(project.getMetadata().getName())
                .withUid(project.getMetadata().getUid())
                .withController(true)
                .build();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
