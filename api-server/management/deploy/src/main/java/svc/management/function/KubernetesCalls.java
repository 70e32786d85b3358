package svc.management.function;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.Supplier;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.retry.RetryPolicy;

/** Calls of the Kubernetes API, with failures mapped to problems. */
final class KubernetesCalls {
    private static final int CONFLICT = 409;
    private static final RetryPolicy ON_CONFLICT = RetryPolicy.maxAttempts(5).retryOn(KubernetesCalls::isConflict);

    private KubernetesCalls() {}

    static <T> T call(Supplier<T> call) {
        try {
            return call.get();
        } catch (KubernetesClientException e) {
            throw problem(e);
        }
    }

    /** The result of the call; empty after repeated conflicts. */
    static <T> Optional<T> retried(Supplier<T> call) {
        try {
            return Optional.of(ON_CONFLICT.call(call));
        } catch (KubernetesClientException e) {
            if (isConflict(e)) {
                return Optional.empty();
            }
            throw problem(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static boolean isConflict(Throwable failure) {
        return failure instanceof KubernetesClientException e && e.getCode() == CONFLICT;
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("while writing to the Kubernetes API", e);
    }

    private static ProblemException problem(KubernetesClientException e) {
        return Problem.of(ProblemCode.UNAVAILABLE, "The Kubernetes API failed or is unreachable.")
                .withHint("Retry the request.")
                .asException(e);
    }
}
