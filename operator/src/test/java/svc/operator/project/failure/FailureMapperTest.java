package svc.operator.project.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.OperatorException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import svc.crds.project.ProjectCondition;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;

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

    /** A new one at each attempt would change the status each time. */
    @Test
    void anUnknownFailureHasOneIdForItsPlaceInTheCode() {
        List<String> messages = new ArrayList<>();
        for (int attempt = 0; attempt < 3; attempt++) {
            var bug = new OperatorException(new IllegalStateException(SECRET, new ArithmeticException(SECRET)));
            messages.add(FailureMapper.of(bug).message());
        }

        assertThat(messages).containsOnly(messages.getFirst());
        assertThat(messages.getFirst())
                .contains("java.lang.ArithmeticException, id ")
                .doesNotContain("hunter2");
        assertThat(FailureMapper.of(new ArithmeticException(SECRET)).message()).isNotEqualTo(messages.getFirst());
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

    /** The SDK's metrics wrap what a reconciliation throws, as do futures. */
    @Test
    void aWrapperHidesNoCause() {
        var missing = DatabaseFailure.of(FailureReason.CONNECTION_SECRET_MISSING, "of this Project", "create nope");

        for (Throwable wrapped : List.of(
                new OperatorException(missing),
                new CompletionException(new OperatorException(SECRET, new IllegalStateException(SECRET, missing))))) {
            assertThat(FailureMapper.of(wrapped)).isEqualTo(FailureMapper.of(missing));
        }
        assertThat(FailureMapper.of(new OperatorException(SECRET, refused(403))))
                .isEqualTo(FailureMapper.of(refused(403)));
    }

    @Test
    void causesInACircleEnd() {
        var first = new IllegalStateException(SECRET);
        first.initCause(new IllegalStateException(SECRET, first));

        assertThat(FailureMapper.of(first).reason()).isEqualTo(FailureMapper.INTERNAL_ERROR);
    }

    private static KubernetesClientException refused(int code) {
        Status status = new StatusBuilder().withCode(code).withMessage(SECRET).build();
        return new KubernetesClientException(SECRET, code, status);
    }
}
