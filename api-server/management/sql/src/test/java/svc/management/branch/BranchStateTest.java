package svc.management.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.Project;

/** The state of a branch as it is read from its Project, which people may edit. */
class BranchStateTest {
    private static final Instant CREATED = Instant.parse("2030-01-01T00:00:00Z");

    private static Project project(Map<String, String> annotations) {
        Project project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withCreationTimestamp(CREATED.toString())
                .withAnnotations(annotations)
                .build());
        return project;
    }

    @Test
    void itIsReadAsItWasWrittenAndKeepsOtherAnnotations() {
        Project project = project(Map.of("other", "kept"));
        BranchState state = BranchState.created(CREATED, true, true, "feature/x")
                .now(BranchStatus.MIGRATIONS_PASSED, "2 migrations", CREATED.plusSeconds(5));
        state.writeTo(project);
        assertThat(BranchState.of(project, CREATED.plusSeconds(9))).isEqualTo(state);
        assertThat(project.getMetadata().getAnnotations()).containsEntry("other", "kept");
    }

    @Test
    void workThatDoesNotEndCountsAsInterrupted() {
        Project project = project(Map.of());
        BranchState.created(CREATED, false, false, null).writeTo(project);
        assertThat(BranchState.of(project, CREATED.plus(BranchState.MAX_WORK)).status())
                .isEqualTo(BranchStatus.CREATING_PROJECT);
        BranchState late =
                BranchState.of(project, CREATED.plus(BranchState.MAX_WORK).plusSeconds(1));
        assertThat(late.status()).isEqualTo(BranchStatus.MIGRATIONS_FAILED);
        assertThat(late.message()).contains("interrupted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"status\":\"NO\"}", "{\"more\":1}", "{}", "null"})
    void anUnreadableStateIsOneThatAResetRepairs(String text) {
        BranchState state = BranchState.of(project(Map.of(BranchState.ANNOTATION, text)), CREATED);
        assertThat(state.status()).isEqualTo(BranchStatus.MIGRATIONS_FAILED);
        assertThat(state.message()).contains("reset");
    }
}
