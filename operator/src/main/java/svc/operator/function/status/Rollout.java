package svc.operator.function.status;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.operator.function.desired.DesiredFunction;

/** How far a function's Deployment is with the version that it is to run. Pure. */
public enum Rollout {
    /** Every process runs this version, and one at least takes calls. */
    SERVING,
    /** No process is wanted. */
    STOPPED,
    /** Processes start, or some of an earlier version still run. */
    UNDER_WAY;

    /** Restarts after which a process is not thought to come up by itself. */
    private static final int MAX_RESTARTS = 3;

    private static final int MAX_MESSAGE_CHARS = 500;

    /** What a container waits for in vain. */
    private static final Set<String> STUCK = Set.of(
            "CrashLoopBackOff",
            "ImagePullBackOff",
            "ErrImagePull",
            "InvalidImageName",
            "CreateContainerConfigError",
            "CreateContainerError");

    /** @param deployment as last seen; empty before it was */
    public static Rollout of(Optional<Deployment> deployment) {
        if (deployment.isEmpty() || deployment.get().getStatus() == null) {
            return UNDER_WAY;
        }
        DeploymentStatus status = deployment.get().getStatus();
        Long observed = status.getObservedGeneration();
        Long generation = deployment.get().getMetadata().getGeneration();
        if (replicas(deployment) == 0) {
            return STOPPED;
        }
        if (observed == null || generation != null && observed < generation) {
            return UNDER_WAY;
        }
        int updated = number(status.getUpdatedReplicas());
        boolean onlyThis = updated > 0 && number(status.getReplicas()) == updated;
        return onlyThis && number(status.getReadyReplicas()) > 0 ? SERVING : UNDER_WAY;
    }

    /** How many processes are wanted; Kubernetes takes an absent number for one. */
    public static int replicas(Optional<Deployment> deployment) {
        return deployment.map(found -> found.getSpec().getReplicas()).orElse(1);
    }

    /** Processes that run now, of any version. */
    public static int running(Optional<Deployment> deployment) {
        return deployment
                .map(Deployment::getStatus)
                .map(DeploymentStatus::getReplicas)
                .orElse(0);
    }

    /** Whether the Deployment's template is for this code and this environment. */
    public static boolean isFor(Deployment deployment, String contentHash, String environment) {
        Map<String, String> annotations =
                deployment.getSpec().getTemplate().getMetadata().getAnnotations();
        return annotations != null
                && contentHash.equals(annotations.get(DesiredFunction.BUNDLE_HASH))
                && environment.equals(annotations.get(DesiredFunction.ENVIRONMENT_HASH));
    }

    /**
     * Why pods of a version do not come up; empty while there is hope.
     *
     * @param pods of the function
     */
    public static Optional<String> trouble(List<Pod> pods, String contentHash) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getAnnotations() == null
                        || contentHash.equals(pod.getMetadata()
                                .getAnnotations()
                                .getOrDefault(DesiredFunction.BUNDLE_HASH, contentHash)))
                .filter(pod -> pod.getStatus() != null && pod.getStatus().getContainerStatuses() != null)
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .flatMap(container -> trouble(container).stream())
                .findFirst();
    }

    private static Optional<String> trouble(ContainerStatus container) {
        if (Boolean.TRUE.equals(container.getReady())) {
            return Optional.empty();
        }
        String waits = container.getState() == null || container.getState().getWaiting() == null
                ? null
                : container.getState().getWaiting().getReason();
        if (number(container.getRestartCount()) < MAX_RESTARTS && (waits == null || !STUCK.contains(waits))) {
            return Optional.empty();
        }
        StringBuilder why = new StringBuilder("Its process does not start");
        if (waits != null) {
            why.append(" (").append(waits).append(')');
        }
        var last = container.getLastState() == null
                ? null
                : container.getLastState().getTerminated();
        if (last != null) {
            why.append(": exit code ").append(last.getExitCode());
            if (last.getReason() != null) {
                why.append(", ").append(last.getReason());
            }
            if (last.getMessage() != null) {
                why.append(", ").append(last.getMessage().strip());
            }
        }
        return Optional.of(why.substring(0, Math.min(why.length(), MAX_MESSAGE_CHARS)) + ". See the function's logs.");
    }

    private static int number(Integer count) {
        return count == null ? 0 : count;
    }
}
