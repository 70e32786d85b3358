package svc.operator.project.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.operator.testing.TestingOperator;

/** Two hundred manifests applied at once all become Ready, with ten connections. */
class TwoHundredAtOnceTest {
    private static final int PROJECTS = 200;

    @Test
    void allBecomeReady() {
        try (var operator = TestingOperator.prepared()
                .with("svc.operator.drift-interval", "5m")
                .start()) {
            IntStream.range(0, PROJECTS).forEach(number -> operator.create("shop-" + number));

            Awaitility.await()
                    .atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> ready(operator) == PROJECTS);

            assertThat(operator.query("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^proj_[0-9a-f]{32}$'"))
                    .isEqualTo(String.valueOf(PROJECTS));
            assertThat(Integer.parseInt(operator.query(
                            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'svc-operator'"
                                    + " AND datname = current_database()")))
                    .isLessThanOrEqualTo(10);
        }
    }

    private static long ready(TestingOperator operator) {
        return operator.client().resources(Project.class).inNamespace(operator.namespace()).list().getItems().stream()
                .filter(Project::isReady)
                .count();
    }
}
