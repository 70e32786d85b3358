package svc.operator.function.status;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.operator.function.desired.DesiredFunction;

/** The progress of a function's Deployment with its current version. Pure. */
public enum Rollout {
    /** Every process runs this version, and at least one is ready. */
    SERVING,
    /** The Deployment has 0 replicas. */
    STOPPED,
    /** Processes are starting, or some of an earlier version still run. */
    IN_PROGRESS;

    /** Restarts after which a process counts as failed. */
    private static final int MAX_RESTARTS = 3;

    private static final int MAX_MESSAGE_CHARS = 500;

    /** The waiting reason of a container between two attempts, which is not there during an attempt. */
    private static final String CRASHES = "CrashLoopBackOff";

    /** Waiting reasons of a container that will not start by itself. */
    private static final Set<String> FAILED_WAITING_REASONS = Set.of(
            CRASHES,
            "ImagePullBackOff",
            "ErrImagePull",
            "InvalidImageName",
            "CreateContainerConfigError",
            "CreateContainerError");

    /** @param deployment from the cache; empty until it is there */
    public static Rollout of(Optional<Deployment> deployment) {
        if (deployment.isEmpty() || deployment.get().getStatus() == null) {
            return IN_PROGRESS;
        }
        DeploymentStatus status = deployment.get().getStatus();
        Long observed = status.getObservedGeneration();
        Long generation = deployment.get().getMetadata().getGeneration();
        if (replicas(deployment) == 0) {
            return STOPPED;
        }
        if (observed == null || generation != null && observed < generation) {
            return IN_PROGRESS;
        }
        int updated = number(status.getUpdatedReplicas());
        boolean onlyThis = updated > 0 && number(status.getReplicas()) == updated;
        return onlyThis && number(status.getReadyReplicas()) > 0 ? SERVING : IN_PROGRESS;
    }

    /** The desired replicas; Kubernetes defaults an absent number to 1. */
    public static int replicas(Optional<Deployment> deployment) {
        return deployment.map(found -> found.getSpec().getReplicas()).orElse(1);
    }

    /** Processes of any version that run now. */
    public static int running(Optional<Deployment> deployment) {
        return deployment
                .map(Deployment::getStatus)
                .map(DeploymentStatus::getReplicas)
                .orElse(0);
    }

    /** Whether the Deployment's template is for this code and this environment. */
    public static boolean runs(Deployment deployment, String contentHash, String environment) {
        Map<String, String> annotations =
                deployment.getSpec().getTemplate().getMetadata().getAnnotations();
        return annotations != null
                && contentHash.equals(annotations.get(DesiredFunction.BUNDLE_HASH))
                && environment.equals(annotations.get(DesiredFunction.ENVIRONMENT_HASH));
    }

    /**
     * Why pods of a version do not start; empty while they may still start.
     *
     * @param pods of the function
     */
    public static Optional<String> startFailure(List<FunctionPod> pods, String contentHash) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getAnnotations() == null
                        || contentHash.equals(pod.getMetadata()
                                .getAnnotations()
                                .getOrDefault(DesiredFunction.BUNDLE_HASH, contentHash)))
                .flatMap(pod -> startFailure(pod).stream())
                // By text: the order of a cache differs from one reconciliation to the next.
                .min(Comparator.naturalOrder());
    }

    /**
     * Why a pod does not start; empty while it may still start. The text stays the same between the restarts of a process
     * that ends for the same reason each time: every other text would be another write of the status.
     */
    public static Optional<String> startFailure(FunctionPod pod) {
        return pod.containers().stream()
                .flatMap(container -> startFailure(container).stream())
                .findFirst();
    }

    private static Optional<String> startFailure(ContainerStatus container) {
        if (Boolean.TRUE.equals(container.getReady())) {
            return Optional.empty();
        }
        String waitingReason =
                container.getState() == null || container.getState().getWaiting() == null
                        ? null
                        : container.getState().getWaiting().getReason();
        if (number(container.getRestartCount()) < MAX_RESTARTS
                && (waitingReason == null || !FAILED_WAITING_REASONS.contains(waitingReason))) {
            return Optional.empty();
        }
        StringBuilder why = new StringBuilder("Its process does not start (")
                .append(waitingReason == null ? CRASHES : waitingReason)
                .append(')');
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
