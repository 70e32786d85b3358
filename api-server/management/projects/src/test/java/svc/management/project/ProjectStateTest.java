package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.project.ProjectStatus;

class ProjectStateTest {
    @ParameterizedTest
    @CsvSource({
        "-,       -,       false, false, COMING_UP",
        "UNKNOWN, UNKNOWN, false, false, COMING_UP",
        "FALSE,   TRUE,    false, false, COMING_UP",
        "FALSE,   FALSE,   false, false, INIT_FAILED",
        "TRUE,    TRUE,    true,  false, ACTIVE_HEALTHY",
        "FALSE,   TRUE,    true,  false, ACTIVE_UNHEALTHY",
        "UNKNOWN, TRUE,    true,  false, UNKNOWN",
        "TRUE,    TRUE,    true,  true,  GOING_DOWN",
        "-,       -,       false, true,  GOING_DOWN",
    })
    void theWordForEachState(String ready, String claimed, boolean wasReady, boolean deleting, ProjectState expected) {
        Project project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withName("p")
                .withNamespace("n")
                .withGeneration(1L)
                .withDeletionTimestamp(deleting ? "2026-01-01T00:00:00Z" : null)
                .build());
        project.setSpec(ProjectSpec.named("p"));
        if (!ready.equals("-")) {
            project.setStatus(ProjectStatus.empty().toBuilder()
                    .observedGeneration(1L)
                    .anonKey(wasReady ? "svc_anon_x" : null)
                    .conditions(List.of(condition("Ready", ready), condition("Claimed", claimed)))
                    .build());
        }

        assertThat(ProjectState.of(project)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "true,  false, false, COMING_UP",
        "true,  true,  false, PAUSING",
        "true,  true,  true,  INACTIVE",
        "false, true,  true,  RESTORING",
        "false, true,  false, ACTIVE_HEALTHY",
    })
    void theWordForEachStepOfAPause(boolean suspend, boolean wasReady, boolean stopped, ProjectState expected) {
        Project project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withName("p")
                .withNamespace("n")
                .withGeneration(1L)
                .build());
        project.setSpec(ProjectSpec.named("p").toBuilder().suspend(suspend).build());
        Condition ready = condition("Ready", wasReady ? "TRUE" : "UNKNOWN");
        project.setStatus(ProjectStatus.empty().toBuilder()
                .observedGeneration(1L)
                .anonKey(wasReady ? "svc_anon_x" : null)
                .conditions(stopped ? List.of(ready, condition("Suspended", "TRUE")) : List.of(ready))
                .build());

        assertThat(ProjectState.of(project)).isEqualTo(expected);
    }

    private static Condition condition(String type, String status) {
        return new Condition(type, ConditionStatus.valueOf(status), 1L, Instant.EPOCH, "Because", "");
    }
}
