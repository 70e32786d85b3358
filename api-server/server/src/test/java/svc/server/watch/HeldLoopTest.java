package svc.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.platform.loop.LoopWatch;
import svc.platform.loop.SlowTask;
import svc.server.testing.Patience;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;

/** A request that holds an event loop is named by its route and its project, without its query and its key. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class HeldLoopTest {
    @Inject
    LoopWatch watch;

    @Test
    void aRequestThatHoldsALoopIsNamed() {
        ProjectForTests project = ProjectForTests.create("burns");
        List<SlowTask> found = new ArrayList<>();

        int status = project.http()
                .with("apikey", project.anonKey())
                .get("/realtime/v1/burn?secret=hidden")
                .status();

        assertThat(status).isEqualTo(200);
        // The answer is sent before the task ends.
        Patience.await().until(() -> found.addAll(watch.takeLong()));
        assertThat(found).singleElement().satisfies(task -> {
            assertThat(task.what()).isEqualTo("GET /realtime/v1/* of project " + project.ref());
            assertThat(task.loop()).contains("eventloop");
            assertThat(task.toString()).doesNotContain("hidden").doesNotContain(project.anonKey());
        });
    }
}
