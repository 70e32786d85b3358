package svc.management.function;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.Supplier;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Calls of the Kubernetes API, their failures told in the control plane's words. */
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

    /** What the call returns; empty after a conflict with somebody else, again and again. */
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
        return Problem.of(ProblemCode.UNAVAILABLE, "The platform's resource store does not answer as it should.")
                .withHint("Try again.")
                .asException(e);
    }
}
