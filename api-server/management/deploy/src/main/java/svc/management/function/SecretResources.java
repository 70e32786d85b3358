package svc.management.function;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.reference.LocalReference;
import svc.crds.reference.SecretKeyReference;
import svc.crds.secret.FunctionSecret;
import svc.crds.secret.FunctionSecretSpec;
import svc.crds.secret.SecretSource;

/**
 * Reads and writes FunctionSecret resources and the Secrets with their values. A resource never contains a value. Each
 * value has a Secret of its own, which is deleted after its successor is referenced: no process ever starts with half
 * of a change.
 */
@ApplicationScoped
class SecretResources {
    private static final String KEY = "value";
    private static final int SUFFIX_BYTES = 4;

    private final KubernetesClient kubernetes;
    private final SecureRandom random = new SecureRandom();

    SecretResources(KubernetesClient kubernetes) {
        this.kubernetes = kubernetes;
    }

    /** By function and name. */
    List<FunctionSecret> ofProject(Project project) {
        return KubernetesCalls.call(() ->
                kubernetes
                        .resources(FunctionSecret.class)
                        .inNamespace(project.getMetadata().getNamespace())
                        .list()
                        .getItems()
                        .stream()
                        .filter(secret -> secret.getSpec()
                                .projectRef()
                                .name()
                                .equals(project.getMetadata().getName()))
                        .sorted(Comparator.comparing(
                                        (FunctionSecret secret) ->
                                                secret.getSpec().functionName(),
                                        Comparator.nullsFirst(Comparator.naturalOrder()))
                                .thenComparing(secret -> secret.getSpec().key())
                                .thenComparing(secret -> secret.getMetadata().getCreationTimestamp()))
                        .toList());
    }

    List<FunctionSecret> ofFunction(Project project, String function) {
        return of(project, Optional.of(function));
    }

    /** Of one function; without a function those of all functions. */
    List<FunctionSecret> of(Project project, Optional<String> function) {
        return ofProject(project).stream()
                .filter(secret -> Objects.equals(secret.getSpec().functionName(), function.orElse(null)))
                .toList();
    }

    Optional<FunctionSecret> find(Project project, Optional<String> function, String key) {
        return of(project, function).stream()
                .filter(secret -> secret.getSpec().key().equals(key))
                .findFirst();
    }

    /** The current values of a function's environment, without those whose Secret is missing. */
    Map<String, String> values(Project project, String function) {
        Map<String, String> values = new HashMap<>();
        List<FunctionSecret> own = ofFunction(project, function);
        List<FunctionSecret> shared = of(project, Optional.empty());
        for (FunctionSecret secret :
                Stream.concat(own.stream(), shared.stream()).toList()) {
            SecretKeyReference place = secret.getSpec().valueFrom().secretKeyRef();
            Optional.ofNullable(KubernetesCalls.call(() -> kubernetes
                            .secrets()
                            .inNamespace(project.getMetadata().getNamespace())
                            .withName(place.name())
                            .get()))
                    .map(Secret::getData)
                    .map(data -> data.get(place.key()))
                    .map(encoded -> new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8))
                    // The function's own, and the first of two with the same name.
                    .ifPresent(value -> values.putIfAbsent(secret.getSpec().key(), value));
        }
        return values;
    }

    /** Creates or updates a secret; empty after repeated conflicts. */
    Optional<FunctionSecret> put(Project project, Optional<String> function, String key, String value, String tokenId) {
        return KubernetesCalls.retried(() -> find(project, function, key)
                .map(existing -> replaced(existing, value))
                .orElseGet(() -> created(project, function, key, value, tokenId)));
    }

    /** Creates a secret of all functions; empty if there is one with a value. */
    Optional<FunctionSecret> create(Project project, String key, String value, String tokenId) {
        return KubernetesCalls.retried(() -> {
                    Optional<FunctionSecret> existing = find(project, Optional.empty(), key);
                    if (existing.filter(secret -> !isWithoutValue(secret)).isPresent()) {
                        return Optional.<FunctionSecret>empty();
                    }
                    return Optional.of(existing.map(secret -> replaced(secret, value))
                            .orElseGet(() -> created(project, Optional.empty(), key, value, tokenId)));
                })
                .flatMap(created -> created);
    }

    /** Whether the call that created it failed before it stored the value. A manifest may bring its value later. */
    boolean isWithoutValue(FunctionSecret secret) {
        Map<String, String> labels = secret.getMetadata().getLabels();
        return labels != null
                && ApiLabels.API.equals(labels.get(ApiLabels.MANAGED_BY))
                && storedValue(secret).isEmpty();
    }

    private FunctionSecret created(
            Project project, Optional<String> function, String key, String value, String tokenId) {
        String ref = ProjectIdentity.of(project).ref();
        String name = FunctionId.resourceName(ref, function.orElse("") + "/" + key);
        String holder = holderName(name);
        FunctionSecret secret = new FunctionSecret();
        secret.setMetadata(new ObjectMetaBuilder()
                .withNamespace(project.getMetadata().getNamespace())
                .withName(name)
                .withLabels(Map.of(ApiLabels.REF, ref, ApiLabels.MANAGED_BY, ApiLabels.API))
                .withAnnotations(Map.of(ApiLabels.TOKEN, tokenId))
                .build());
        secret.setSpec(new FunctionSecretSpec(
                new LocalReference(project.getMetadata().getName()), function.orElse(null), key, source(holder)));
        // Before its value, which would be orphaned otherwise if the second call failed.
        FunctionSecret stored = kubernetes.resource(secret).create();
        kubernetes.resource(holder(stored, holder, value)).create();
        return stored;
    }

    private FunctionSecret replaced(FunctionSecret existing, String value) {
        String before = existing.getSpec().valueFrom().secretKeyRef().name();
        String holder = holderName(existing.getMetadata().getName());
        kubernetes.resource(holder(existing, holder, value)).create();
        FunctionSecretSpec spec = existing.getSpec();
        existing.setSpec(new FunctionSecretSpec(spec.projectRef(), spec.functionName(), spec.key(), source(holder)));
        FunctionSecret stored;
        try {
            stored = kubernetes.resource(existing).update();
        } catch (RuntimeException e) {
            removeHolder(existing, holder);
            throw e;
        }
        removeHolder(stored, before);
        return stored;
    }

    private static SecretSource source(String holder) {
        return new SecretSource(new SecretKeyReference(holder, KEY));
    }

    private String holderName(String resource) {
        byte[] suffix = new byte[SUFFIX_BYTES];
        random.nextBytes(suffix);
        return resource + "-" + HexFormat.of().formatHex(suffix);
    }

    private static Secret holder(FunctionSecret owner, String name, String value) {
        Map<String, String> labels = new HashMap<>();
        labels.put(ApiLabels.MANAGED_BY, ApiLabels.API);
        // The operator watches this label, to notice a value that is created after its resource.
        labels.put(ApiLabels.PURPOSE, ApiLabels.FUNCTION_SECRET);
        Optional.ofNullable(owner.getMetadata().getLabels())
                .map(known -> known.get(ApiLabels.REF))
                .ifPresent(ref -> labels.put(ApiLabels.REF, ref));
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(owner.getMetadata().getNamespace())
                .withName(name)
                .withLabels(labels)
                .withOwnerReferences(reference(owner))
                .endMetadata()
                .withType("Opaque")
                .withImmutable(true)
                .withData(Map.of(KEY, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))))
                .build();
    }

    private static OwnerReference reference(FunctionSecret owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .build();
    }

    /**
     * A value that this API stored. Each change makes a Secret of its own, so the Secret is as old as the value.
     *
     * @param storedAt in whole seconds, as Kubernetes has it
     */
    record Value(byte[] bytes, Instant storedAt) {}

    /** Empty for a Secret of a manifest, and for one that is being replaced. */
    Optional<Value> storedValue(FunctionSecret secret) {
        SecretKeyReference place = secret.getSpec().valueFrom().secretKeyRef();
        return Optional.ofNullable(KubernetesCalls.call(() -> kubernetes
                        .secrets()
                        .inNamespace(secret.getMetadata().getNamespace())
                        .withName(place.name())
                        .get()))
                .filter(holder -> isOwned(holder, secret))
                .filter(holder -> holder.getData() != null && holder.getData().containsKey(place.key()))
                .map(holder -> new Value(
                        Base64.getDecoder().decode(holder.getData().get(place.key())),
                        Instant.parse(holder.getMetadata().getCreationTimestamp())));
    }

    /** A manifest may reference any Secret of its namespace, those of the platform and of other projects too. */
    private static boolean isOwned(Secret holder, FunctionSecret owner) {
        return holder.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference ->
                        reference.getUid().equals(owner.getMetadata().getUid()));
    }

    /** Only a Secret that the resource owns. */
    private void removeHolder(FunctionSecret owner, String name) {
        var holders = kubernetes.secrets().inNamespace(owner.getMetadata().getNamespace());
        Secret holder = holders.withName(name).get();
        if (holder != null && isOwned(holder, owner)) {
            holders.withName(name).delete();
        }
    }

    /** Its owner reference deletes the Secret, too. */
    void delete(FunctionSecret secret) {
        KubernetesCalls.call(() -> kubernetes.resource(secret).delete());
    }
}
