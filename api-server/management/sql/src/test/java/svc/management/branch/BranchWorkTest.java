package svc.management.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import svc.platform.problem.ProblemException;

/** How much work on branches runs at once. */
class BranchWorkTest {
    @Test
    void anOrganisationThatBuildsMuchLeavesRoomForItsNeighbour() {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var work = new BranchWork(threads, new SimpleMeterRegistry());
            var done = new AtomicInteger();
            try (var first = work.place("busy");
                    var second = work.place("busy")) {
                assertThatThrownBy(() -> work.place("busy")).isInstanceOf(ProblemException.class);
                try (var neighbour = work.place("neighbour")) {
                    neighbour.run(done::incrementAndGet);
                }
                first.run(done::incrementAndGet);
                work.place("busy").close();
                second.run(done::incrementAndGet);
            }
            assertThat(done).hasValue(3);
            for (String organization : new String[] {"a", "a", "b", "b", "c", "c", "d", "d"}) {
                work.place(organization);
            }
            assertThatThrownBy(() -> work.place("e")).isInstanceOf(ProblemException.class);
        }
    }
}
