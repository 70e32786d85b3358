package svc.operator.function.desired;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
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
import svc.crds.project.database.ResourceAmounts;
import svc.crds.project.database.ResourcesSpec;
import svc.crds.project.service.FunctionsSpec;
import svc.operator.pod.EphemeralStorage;

/**
 * The Deployment of a function. A new version starts beside the old one, which serves until the new one is ready. Omits
 * {@code replicas}, so that an apply does not override the scaling of the gateway.
 */
public final class FunctionDeployment {
    /** The name of a function's container. */
    public static final String CONTAINER = "function";

    static final int PORT = 8080;

    private static final int MILLISECONDS = 1_000;
    private static final int MEBIBYTE = 1 << 20;

    /** preStop delay: a terminating pod accepts calls until all gateways have noticed. */
    private static final long PRE_STOP_SECONDS = 3;

    private static final int DRAIN_SECONDS = 10;

    /** Reserved for flushing the log. */
    private static final int LOG_FLUSH_SECONDS = 2;

    private static final int HEALTH_FAILURES = 3;

    private static final Map<String, Quantity> REQUESTS =
            Map.of("cpu", new Quantity("50m"), "memory", new Quantity("64Mi"));
    private static final Map<String, Quantity> LIMITS =
            Map.of("cpu", new Quantity("1"), "memory", new Quantity("256Mi"));
    private static final Quantity DISK = new Quantity("64Mi");

    private FunctionDeployment() {}

    static Deployment of(DesiredFunction function) {
        return new DeploymentBuilder()
                .withMetadata(function.metadata(
                        function.objectName(),
                        DesiredFunction.PURPOSE,
                        function.runtime().pods().settings().digest()))
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(function.selector())
                .endSelector()
                .withRevisionHistoryLimit(0)
                .withNewStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxUnavailable(new IntOrString(0))
                .withMaxSurge(new IntOrString(1))
                .endRollingUpdate()
                .endStrategy()
                .withTemplate(template(function))
                .endSpec()
                .build();
    }

    private static PodTemplateSpec template(DesiredFunction function) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(function.labels(DesiredFunction.PURPOSE))
                .addToAnnotations(DesiredFunction.BUNDLE_HASH, function.contentHash())
                .addToAnnotations(
                        DesiredFunction.ENVIRONMENT_HASH, function.environment().digest())
                .endMetadata()
                .withSpec(function.runtime().pods().settings().applyTo(pod(function), function.selector()))
                .build();
    }

    private static PodSpec pod(DesiredFunction function) {
        return new PodSpecBuilder()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(PRE_STOP_SECONDS + terminationSeconds(function))
                .withContainers(container(function))
                .addNewVolume()
                .withName("tmp")
                .withNewEmptyDir()
                .withSizeLimit(storage(function).limit().orElseThrow())
                .endEmptyDir()
                .endVolume()
                .build();
    }

    private static Container container(DesiredFunction function) {
        return new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(function.runtime().image())
                .addNewPort()
                .withName("http")
                .withContainerPort(PORT)
                .withProtocol("TCP")
                .endPort()
                .addNewEnvFrom()
                .withNewSecretRef()
                .withName(function.secretName())
                .endSecretRef()
                .endEnvFrom()
                .withEnv(settings(function))
                .withResources(resources(function))
                .withReadinessProbe(readiness())
                .withNewLifecycle()
                .withNewPreStop()
                .withNewSleep()
                .withSeconds(PRE_STOP_SECONDS)
                .endSleep()
                .endPreStop()
                .endLifecycle()
                .addNewVolumeMount()
                .withName("tmp")
                .withMountPath("/tmp")
                .endVolumeMount()
                .build();
    }

    private static List<EnvVar> settings(DesiredFunction function) {
        FunctionsSpec limits = function.project().functions();
        String name = function.function().getSpec().name();
        String ours = function.runtime().gatewayOf(function.project().access().ref()) + "/functions/v1/_runtime";
        String hash = function.contentHash().substring(function.contentHash().indexOf(':') + 1);
        return List.of(
                variable("SVC_RUNTIME_FUNCTION", name),
                variable("SVC_RUNTIME_LISTEN", "tcp:0.0.0.0:" + PORT),
                variable("SVC_RUNTIME_BUNDLE", ours + "/archives/" + hash),
                variable("SVC_RUNTIME_LOGS", ours + "/logs/" + name),
                variable("SVC_RUNTIME_WALL_CLOCK_MS", Long.toString((long) limits.wallClockSeconds() * MILLISECONDS)),
                variable("SVC_RUNTIME_RESPONSE_LIMIT", Long.toString((long) limits.responseSizeLimitMB() * MEBIBYTE)),
                variable("SVC_RUNTIME_DRAIN_MS", Long.toString(drainMilliseconds(function))));
    }

    /** The termination grace period. */
    private static long terminationSeconds(DesiredFunction function) {
        return (long) function.project().functions().wallClockSeconds() + DRAIN_SECONDS;
    }

    /** Half of the grace period for requests, half for background work after their responses. */
    private static long drainMilliseconds(DesiredFunction function) {
        return (terminationSeconds(function) - LOG_FLUSH_SECONDS) * MILLISECONDS / 2;
    }

    private static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    private static EphemeralStorage storage(DesiredFunction function) {
        return function.runtime().pods().settings().storage().orLimit(DISK);
    }

    private static ResourceRequirements resources(DesiredFunction function) {
        ResourcesSpec spec = function.function().getSpec().resources();
        Map<String, Quantity> requests = new TreeMap<>(REQUESTS);
        Map<String, Quantity> limits = new TreeMap<>(LIMITS);
        if (spec != null) {
            amounts(spec.limits(), limits);
            amounts(spec.requests(), requests);
        }
        function.runtime().pods().ceiling().lower(limits);
        // Lowers a default request to an explicit limit below it.
        limits.forEach((resource, limit) -> requests.merge(
                resource,
                limit,
                (request, max) ->
                        request.getNumericalAmount().compareTo(max.getNumericalAmount()) > 0 ? max : request));
        storage(function).addTo(requests, limits);
        return new ResourceRequirementsBuilder()
                .withRequests(requests)
                .withLimits(limits)
                .build();
    }

    private static void amounts(ResourceAmounts wanted, Map<String, Quantity> into) {
        if (wanted == null) {
            return;
        }
        if (wanted.cpu() != null) {
            into.put("cpu", wanted.cpu());
        }
        if (wanted.memory() != null) {
            into.put("memory", wanted.memory());
        }
    }

    private static Probe readiness() {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath("/_runtime/health")
                .withPort(new IntOrString(PORT))
                .endHttpGet()
                .withPeriodSeconds(1)
                .withTimeoutSeconds(2)
                .withFailureThreshold(HEALTH_FAILURES)
                .build();
    }
}
