package svc.operator.project.failure;

import io.fabric8.kubernetes.client.KubernetesClientException;
import svc.crds.project.ProjectCondition;
import svc.operator.project.database.DatabaseFailure;

/**
 * What an exception means to the people who run a project. Never passes on the text of an exception that is not ours:
 * it may carry values, addresses or another tenant's names.
 */
public final class FailureMapper {
    /** A fault of the operator; its log has the details. */
    public static final String INTERNAL_ERROR = "InternalError";
    /** The Kubernetes API refuses what RBAC should allow. */
    public static final String KUBERNETES_FORBIDDEN = "KubernetesForbidden";
    /** The Kubernetes API is away or answers with an error. */
    public static final String KUBERNETES_FAILED = "KubernetesFailed";

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private FailureMapper() {}

    public static Failure of(Throwable thrown) {
        return switch (thrown) {
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
                        "The operator failed; its log has the details.",
                        false,
                        true);
        };
    }

    private static Failure kubernetes(int code) {
        if (code == UNAUTHORIZED || code == FORBIDDEN) {
            return new Failure(
                    ProjectCondition.KEYS_READY,
                    KUBERNETES_FORBIDDEN,
                    "The Kubernetes API refuses the operator (" + code + "): check its role.",
                    true,
                    true);
        }
        String answer = code <= 0 ? "does not answer." : "answered " + code + ".";
        return new Failure(ProjectCondition.KEYS_READY, KUBERNETES_FAILED, "The Kubernetes API " + answer, true, true);
    }
}
