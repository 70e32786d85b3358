package svc.operator.project.paused;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.operator.kubernetes.Annotations;
import svc.operator.observe.Observation.ProjectState;
import svc.operator.observe.Observation.StateObserved;
import svc.operator.testing.TestingOperator;

/** A paused project is not touched, and says that it is paused. */
class PausedProjectTest {
    private TestingOperator operator;

    @BeforeEach
    void start() {
        operator = TestingOperator.prepared().start();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void pausedBeforeItsFirstLookItGetsNothing() {
        operator.create("shop", spec -> spec.paused(true));

        var project = operator.await("shop", paused());

        assertThat(project.getStatus().anonKey()).isNull();
        assertThat(operator.query("SELECT to_regclass('svc_platform.project')")).isNotNull();
        assertThat(operator.query("SELECT 1 FROM svc_platform.project")).isNull();
    }

    @Test
    void driftStaysWhilePausedAndComesBackAfterwards() {
        operator.create("shop");
        String schema = operator.ready("shop").getStatus().schema();
        operator.annotate("shop", Annotations.PAUSED, "true");
        operator.await("shop", paused());
        operator.sql("DROP SCHEMA " + schema + " CASCADE");
        int seen = timesSeenPaused();

        // Two more reconciliations by the drift interval: each could have repaired it.
        Awaitility.await().atMost(TestingOperator.LIMIT).until(() -> timesSeenPaused() >= seen + 2);
        assertThat(operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isNull();

        operator.annotate("shop", Annotations.PAUSED, "false");
        operator.await("shop", project -> condition(project, ProjectCondition.RECONCILIATION_PAUSED) == null);
        assertThat(operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isNotNull();
        operator.awaitEvent("shop", "Resumed");
    }

    private int timesSeenPaused() {
        return (int) operator.observations().stream()
                .filter(seen -> seen instanceof StateObserved(var project, var state) && state == ProjectState.PAUSED)
                .count();
    }

    private static Predicate<Project> paused() {
        return has(ProjectCondition.RECONCILIATION_PAUSED, ConditionStatus.TRUE, "Paused");
    }
}
