package svc.operator.project.sidecar.desired;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Deployment of a sidecar: one process at most, so that all sockets of a project meet in one. Omits {@code replicas}: the
 * gateway scales it.
 */
final class SidecarDeployment {
    private static final String CONTAINER = "realtime";

    /** Pod template annotation: changes with what the process is given. */
    private static final String CONFIGURATION_HASH = "svc.platform/config-hash";

    /** The gateway calls a sidecar by {@code <ref>.realtime.internal}, which no public name ends in. */
    private static final String DATA_HOST = "realtime.internal";

    private static final Map<String, Quantity> REQUESTS =
            Map.of("cpu", new Quantity("50m"), "memory", new Quantity("192Mi"));
    private static final Map<String, Quantity> LIMITS =
            Map.of("cpu", new Quantity("1"), "memory", new Quantity("384Mi"));
    private static final Quantity DISK = new Quantity("64Mi");

    private static final long TERMINATION_SECONDS = 20;
    private static final int LIVENESS_FAILURES = 6;

    private SidecarDeployment() {}

    static Deployment of(ObjectMeta metadata, Map<String, String> selector, String digest, SidecarSettings settings) {
        return new DeploymentBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(selector)
                .endSelector()
                .withRevisionHistoryLimit(0)
                .withNewStrategy()
                .withType("Recreate")
                .endStrategy()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(metadata.getLabels())
                .addToAnnotations(CONFIGURATION_HASH, digest)
                .endMetadata()
                .withSpec(settings.pods().settings().applyTo(pod(metadata, settings), selector))
                .endTemplate()
                .endSpec()
                .build();
    }

    private static PodSpec pod(ObjectMeta metadata, SidecarSettings settings) {
        return new PodSpecBuilder()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(TERMINATION_SECONDS)
                .addNewContainer()
                .withName(CONTAINER)
                .withImage(settings.image())
                .addNewPort()
                .withName("http")
                .withContainerPort(SidecarObjects.PORT)
                .withProtocol("TCP")
                .endPort()
                .addNewEnvFrom()
                .withNewSecretRef()
                .withName(metadata.getName())
                .endSecretRef()
                .endEnvFrom()
                .withEnv(environment(settings))
                .withResources(resources(settings))
                .withReadinessProbe(probe("/q/health/ready", 1, 1))
                .withLivenessProbe(probe("/q/health/live", 10, LIVENESS_FAILURES))
                .addNewVolumeMount()
                .withName("tmp")
                .withMountPath("/tmp")
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("tmp")
                .withNewEmptyDir()
                .withSizeLimit(settings.pods().settings().storage().limit().orElse(DISK))
                .endEmptyDir()
                .endVolume()
                .build();
    }

    private static ResourceRequirements resources(SidecarSettings settings) {
        Map<String, Quantity> requests = new TreeMap<>(REQUESTS);
        Map<String, Quantity> limits = new TreeMap<>(LIMITS);
        settings.pods().settings().storage().addTo(requests, limits);
        return new ResourceRequirementsBuilder()
                .withRequests(requests)
                .withLimits(limits)
                .build();
    }

    private static List<EnvVar> environment(SidecarSettings settings) {
        Map<String, String> variables = new TreeMap<>(settings.environment());
        variables.put("SVC_API_ROLES", "realtime-sidecar");
        variables.put("SVC_API_HOSTS_DATA", DATA_HOST);
        // Only the gateway reaches it, which has seen to the limits of each address.
        variables.put("SVC_API_PROXIES_TRUSTED", "0.0.0.0/0,::/0");
        // It has no Redis: its sockets are all that its project has. The client wants an address, and never uses it.
        variables.put("QUARKUS_REDIS_HOSTS", "redis://127.0.0.1:1");
        put(variables, "SVC_PROJECT_SERVERS_NETWORKS", settings.networks().networks());
        if (settings.networks().networks().isEmpty()) {
            // Otherwise they have no effect.
            put(variables, "SVC_PROJECT_SERVERS_CLOSED", settings.networks().closed());
        }
        return variables.entrySet().stream()
                .map(variable -> new EnvVarBuilder()
                        .withName(variable.getKey())
                        .withValue(variable.getValue())
                        .build())
                .toList();
    }

    private static void put(Map<String, String> variables, String name, List<String> values) {
        if (!values.isEmpty()) {
            variables.put(name, String.join(",", values));
        }
    }

    private static Probe probe(String path, int period, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withPort(new IntOrString(SidecarObjects.PORT))
                .endHttpGet()
                .withPeriodSeconds(period)
                .withTimeoutSeconds(3)
                .withFailureThreshold(failures)
                .build();
    }
}
