package svc.operator.config;

import io.smallrye.config.WithDefault;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the pods that the operator makes, of functions and of realtime sidecars. Structured values are JSON of the
 * Kubernetes type that has the field. A change restarts all of these pods.
 */
public interface ManagedPodsConfig {
    /** Names of Secrets with registry credentials, which must exist in each namespace of projects. */
    Optional<List<String>> imagePullSecrets();

    /** The RuntimeClass, such as that of gVisor or Kata Containers. */
    Optional<String> runtimeClass();

    Optional<String> priorityClass();

    /** An object of texts. */
    Optional<String> nodeSelector();

    /** A list of Toleration. */
    Optional<String> tolerations();

    /** An Affinity. */
    Optional<String> affinity();

    /** A list of TopologySpreadConstraint; one without labelSelector counts the pods of its own Deployment. */
    Optional<String> topologySpreadConstraints();

    /** A PodSecurityContext in place of the default; without runAsUser the cluster chooses the user, as OpenShift does. */
    Optional<String> podSecurityContext();

    /** A SecurityContext in place of the default. */
    Optional<String> containerSecurityContext();

    /**
     * A list of NetworkPolicyPeer: the cluster's name servers. Default: the pods of kube-system for functions, any address for
     * sidecars.
     */
    Optional<String> dnsTo();

    /** The port on which the name servers' pods listen: 5353 on OpenShift. */
    @WithDefault("53")
    int dnsPort();

    /** The ephemeral-storage request; default: the limit. */
    Optional<String> ephemeralStorageRequest();

    /** The ephemeral-storage limit, and the size of {@code /tmp}. Default: 64Mi for functions, none for sidecars. */
    Optional<String> ephemeralStorageLimit();

    /** Maximum CPU in {@code spec.resources} of an EdgeFunction. */
    Optional<String> maxCpu();

    /** Maximum memory in {@code spec.resources} of an EdgeFunction. */
    Optional<String> maxMemory();
}
