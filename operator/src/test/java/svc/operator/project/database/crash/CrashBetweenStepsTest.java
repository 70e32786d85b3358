package svc.operator.project.database.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import svc.database.platform.ProjectRecord;
import svc.database.project.companion.Companion;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.database.TestingDatabases;
import svc.operator.project.database.crash.StoppingRunner.Left;

/** Promise: wherever the operator dies while it makes or removes a project, the next run finishes the work. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashBetweenStepsTest {
    private final TestingDatabases databases = TestingDatabases.create();
    private List<String> steps;

    @BeforeAll
    void countSteps() {
        ProvisionRequest request = TestingDatabases.request("whole", databases);
        steps = ((Provisioned) databases.projects().provision(request)).steps();
        assertThat(steps).hasSizeGreaterThan(20);
    }

    Stream<Arguments> everyStop() {
        return IntStream.range(0, steps.size())
                .boxed()
                .flatMap(n -> Stream.of(Left.values())
                        .map(left -> Arguments.of(n, n == 0 ? "nothing" : steps.get(n - 1), left)));
    }

    @ParameterizedTest(name = "after {0} steps, the last being {1}, {2}")
    @MethodSource("everyStop")
    void aStopIsRecoveredFrom(int after, String last, Left left) {
        ProvisionRequest request = TestingDatabases.request("stopped-" + after + left, databases);
        ProjectProvisioner dying = databases.projects(Companion.current(), new StoppingRunner(after, left));
        assertThatExceptionOfType(StoppingRunner.Stopped.class).isThrownBy(() -> dying.provision(request));

        ProjectProvisioner next = databases.projects();
        Provisioned recovered = (Provisioned) next.provision(request);
        assertThat(recovered.change()).isEqualTo(Change.CREATED);
        if (left == Left.ROLLED_BACK) {
            assertThat(recovered.steps()).isEqualTo(steps);
        }
        assertThat(((Provisioned) next.provision(request)).steps()).isEmpty();
    }

    @Test
    void aStopWhileDeletingIsRecoveredFrom() {
        for (int after = 0; after < 12; after++) {
            for (Left left : Left.values()) {
                ProvisionRequest request = TestingDatabases.request("deleted-" + after + left, databases);
                ProjectRecord project = ((Provisioned) databases.projects().provision(request)).project();
                ProjectProvisioner dying = databases.projects(Companion.current(), new StoppingRunner(after, left));
                try {
                    dying.delete(project.projectId(), project.holder());
                } catch (StoppingRunner.Stopped stopped) {
                    assertThat(databases.projects().delete(project.projectId(), project.holder()))
                            .isEqualTo(RemoveResult.REMOVED);
                }
                assertThat(databases.projects().delete(project.projectId(), project.holder()))
                        .isEqualTo(RemoveResult.NOTHING_HELD);
                assertThat(databases.rolesAndSchemasOf(project)).isEmpty();
            }
        }
    }
}
