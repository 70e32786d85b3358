package svc.operator.project.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;
import svc.crds.project.ProjectCondition;

/** Promise: an exception becomes a reason for users, without any text of the exception. */
class FailureMapperTest {
    private static final String SECRET = "password=hunter2";

    @Test
    void aFaultOfOursSaysNothingOfItself() {
        Failure failure = FailureMapper.of(new IllegalStateException(SECRET));

        assertThat(failure.reason()).isEqualTo(FailureMapper.INTERNAL_ERROR);
        assertThat(failure.message()).doesNotContain("hunter2");
        assertThat(failure.known()).isFalse();
        assertThat(failure.retry()).isTrue();
    }

    @Test
    void aRefusalOfTheApiNamesTheRole() {
        Failure failure = FailureMapper.of(refused(403));

        assertThat(failure.condition()).isEqualTo(ProjectCondition.KEYS_READY);
        assertThat(failure.reason()).isEqualTo(FailureMapper.KUBERNETES_FORBIDDEN);
        assertThat(failure.message()).contains("403").doesNotContain("hunter2");
    }

    @Test
    void anApiThatIsAwayIsTriedAgain() {
        assertThat(FailureMapper.of(refused(503)).reason()).isEqualTo(FailureMapper.KUBERNETES_FAILED);
        assertThat(FailureMapper.of(new KubernetesClientException(SECRET)).message())
                .isEqualTo("The Kubernetes API does not answer.");
    }

    private static KubernetesClientException refused(int code) {
        Status status = new StatusBuilder().withCode(code).withMessage(SECRET).build();
        return new KubernetesClientException(SECRET, code, status);
    }
}
