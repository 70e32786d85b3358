package svc.management.project;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import svc.crds.project.Project;
import svc.crds.project.auth.AuthSpec;
import svc.crds.reference.SecretKeyReference;
import svc.platform.tenancy.ProjectWatch;

/**
 * Secrets for the values that callers of the API send for a project's settings. Each value has an immutable Secret of
 * its own: a change references a new Secret, which the operator notices. They are deleted with their project.
 */
@ApplicationScoped
class ProjectSecretValues {
    static final String KEY = "value";

    private static final int SUFFIX_BYTES = 8;

    private final KubernetesClient kubernetes;
    private final SecureRandom random = new SecureRandom();

    ProjectSecretValues(KubernetesClient kubernetes) {
        this.kubernetes = kubernetes;
    }

    /** Stores the values; returns the names of the Secrets in the same order. */
    List<String> store(Project project, List<String> values) {
        List<String> names = new ArrayList<>();
        try {
            for (String value : values) {
                names.add(kubernetes
                        .resource(holder(project, value))
                        .create()
                        .getMetadata()
                        .getName());
            }
            return names;
        } catch (KubernetesClientException e) {
            delete(project, names);
            throw ProjectResources.problem(e);
        }
    }

    private Secret holder(Project project, String value) {
        byte[] suffix = new byte[SUFFIX_BYTES];
        random.nextBytes(suffix);
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(project.getMetadata().getNamespace())
                .withName(project.getMetadata().getName()
                        + "-auth-"
                        + HexFormat.of().formatHex(suffix))
                .withLabels(Map.of(
                        "app.kubernetes.io/managed-by", "svc-api",
                        "svc.platform/purpose", "auth-secret",
                        "svc.platform/ref", ProjectWatch.refOf(project)))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(project.getApiVersion())
                        .withKind(project.getKind())
                        .withName(project.getMetadata().getName())
                        .withUid(project.getMetadata().getUid())
                        .build())
                .endMetadata()
                .withType("Opaque")
                .withImmutable(true)
                .withData(Map.of(KEY, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))))
                .build();
    }

    /** Deletes the Secrets that a change has made unused. */
    void deleteUnused(Project project, AuthSpec before, AuthSpec after) {
        List<String> used = names(after);
        delete(
                project,
                names(before).stream().filter(name -> !used.contains(name)).toList());
    }

    private static List<String> names(AuthSpec spec) {
        List<String> names = new ArrayList<>(
                spec.secretReferences().stream().map(SecretKeyReference::name).toList());
        spec.jwt().verifyKeys().stream()
                .filter(key -> key.secretKeyRef() != null)
                .forEach(key -> names.add(key.secretKeyRef().name()));
        return names;
    }

    /** Only Secrets that the project owns: a manifest may reference any Secret of its namespace. */
    void delete(Project project, Collection<String> names) {
        var secrets = kubernetes.secrets().inNamespace(project.getMetadata().getNamespace());
        for (String name : names) {
            try {
                Secret secret = secrets.withName(name).get();
                boolean owned = secret != null
                        && secret.getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getUid()
                                        .equals(project.getMetadata().getUid()));
                if (owned) {
                    secrets.withName(name).delete();
                }
            } catch (KubernetesClientException e) {
                // It is deleted with the project then; the change itself succeeded.
                continue;
            }
        }
    }
}
