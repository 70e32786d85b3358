package svc.operator.project.failure;

import io.fabric8.kubernetes.client.KubernetesClientException;
import svc.crds.project.ProjectCondition;
import svc.operator.project.database.DatabaseFailure;

/**
 * Maps an exception to a reason and a message for users. Never shows the text of a foreign exception: it may contain values,
 * addresses or names of another tenant.
 */
public final class FailureMapper {
    /** A bug of the operator; its log has the details. */
    public static final String INTERNAL_ERROR = "InternalError";
    /** The Kubernetes API denies what RBAC should allow. */
    public static final String KUBERNETES_FORBIDDEN = "KubernetesForbidden";
    /** The Kubernetes API is unreachable or returned an error. */
    public static final String KUBERNETES_FAILED = "KubernetesFailed";

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    /** Of the chain of causes; beyond it the chain is a circle. */
    static final int MAX_CAUSES = 32;

    private FailureMapper() {}

    /** Maps the outermost cause that is known: libraries wrap what a reconciliation throws, as the SDK's metrics do. */
    public static Failure of(Throwable thrown) {
        return switch (known(thrown)) {
            case DatabaseFailure failure ->
                new Failure(
                        ProjectCondition.DATABASE_READY,
                        failure.reason().conditionReason(),
                        failure.getMessage(),
                        true,
                        failure.retryable());
            case KubernetesClientException failure -> kubernetes(failure.getCode());
            case null, default ->
                new Failure(
                        ProjectCondition.DATABASE_READY,
                        INTERNAL_ERROR,
                        UnknownFailure.of(thrown).message(),
                        false,
                        true);
        };
    }

    /** The outermost cause of a type that has a reason; the exception itself when there is none. */
    public static Throwable known(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof DatabaseFailure || cause instanceof KubernetesClientException) {
                return cause;
            }
            cause = cause.getCause();
        }
        return thrown;
    }

    private static Failure kubernetes(int code) {
        if (code == UNAUTHORIZED || code == FORBIDDEN) {
            return new Failure(
                    ProjectCondition.KEYS_READY,
                    KUBERNETES_FORBIDDEN,
                    "The Kubernetes API denied a request of the operator (" + code + "): check its ClusterRole.",
                    true,
                    true);
        }
        String answer = code <= 0 ? "does not answer." : "answered " + code + ".";
        return new Failure(ProjectCondition.KEYS_READY, KUBERNETES_FAILED, "The Kubernetes API " + answer, true, true);
    }
}
