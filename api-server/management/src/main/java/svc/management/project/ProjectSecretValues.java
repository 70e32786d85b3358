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
 * Secrets that keep what callers of the API gave for a project's settings. Each value has one of its own, which is never
 * written again: the settings name the next one, and the operator hears of it by that. They go with their project.
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

    /** Their names, in the order of the values. */
    List<String> keep(Project project, List<String> values) {
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
            remove(project, names);
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

    /** Removes those that a change has left without use. */
    void forget(Project project, AuthSpec before, AuthSpec after) {
        List<String> used = names(after);
        remove(
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

    /** Only what belongs to the project: a manifest may name any Secret of its namespace. */
    void remove(Project project, Collection<String> names) {
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
                // It goes with the project then; what was asked for is done.
                continue;
            }
        }
    }
}
