package svc.operator.pod;

import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.database.sql.TextHash;

/**
 * Settings of all pods that the operator makes. They are the installation's: a tenant chooses none of them, because they
 * decide where untrusted code runs and what confines it. The defaults leave existing objects unchanged.
 *
 * @param imagePullSecrets names of Secrets, which must exist in each namespace of projects
 * @param runtimeClass such as gVisor's
 */
public record PodSettings(
        List<String> imagePullSecrets,
        Optional<String> runtimeClass,
        Optional<String> priorityClass,
        Placement placement,
        Confinement confinement,
        EphemeralStorage storage) {
    /** The settings of an installation that sets none. */
    public static final PodSettings DEFAULTS = new PodSettings(
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Placement.ANY,
            Confinement.RESTRICTED,
            EphemeralStorage.USUAL);

    /**
     * Annotation of an object with settings that differ from the defaults. Objects are compared by the fields that they
     * should have; a setting that is removed from the configuration would stay in them without it.
     */
    public static final String DIGEST = "svc.platform/settings-hash";

    public PodSettings {
        imagePullSecrets = List.copyOf(imagePullSecrets);
    }

    /**
     * The pod with these settings.
     *
     * @param pod without a security context
     * @param selector the labels of the pods of its Deployment
     */
    public PodSpec applyTo(PodSpec pod, Map<String, String> selector) {
        return new PodSpecBuilder(pod)
                .withImagePullSecrets(
                        imagePullSecrets.stream().map(LocalObjectReference::new).toList())
                .withRuntimeClassName(runtimeClass.orElse(null))
                .withPriorityClassName(priorityClass.orElse(null))
                .withNodeSelector(placement.nodeSelector().isEmpty() ? null : placement.nodeSelector())
                .withTolerations(placement.tolerations())
                .withAffinity(placement.affinity().orElse(null))
                .withTopologySpreadConstraints(placement.constraintsFor(selector))
                .withSecurityContext(confinement.pod())
                .editFirstContainer()
                .withSecurityContext(confinement.container())
                .endContainer()
                .build();
    }

    /** See {@link #DIGEST}; empty for the defaults. */
    public Optional<String> digest() {
        return equals(DEFAULTS) ? Optional.empty() : Optional.of(digest(this));
    }

    /** The annotations of an object with these settings. */
    public static Map<String, String> annotations(Optional<String> digest) {
        return digest.map(hash -> Map.of(DIGEST, hash)).orElse(Map.of());
    }

    static String digest(Record settings) {
        return TextHash.of(settings.toString());
    }
}
