package svc.management.function;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.Supplier;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Calls of the Kubernetes API, with failures mapped to problems. */
final class KubernetesCalls {
    private static final int CONFLICT = 409;
    private static final int ATTEMPTS = 5;

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
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return Optional.of(call.get());
            } catch (KubernetesClientException e) {
                if (e.getCode() != CONFLICT) {
                    throw problem(e);
                }
            }
        }
        return Optional.empty();
    }

    private static ProblemException problem(KubernetesClientException e) {
        return Problem.of(ProblemCode.UNAVAILABLE, "The Kubernetes API failed or is unreachable.")
                .withHint("Retry the request.")
                .asException(e);
    }
}
