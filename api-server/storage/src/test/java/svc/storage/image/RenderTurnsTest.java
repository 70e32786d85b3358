package svc.storage.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import svc.platform.budget.Permit;

/** Projects take turns; none takes them all. */
class RenderTurnsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<String> order = new CopyOnWriteArrayList<>();

    private void wait(RenderTurns turns, String project, int waitersAfter) {
        Thread.startVirtualThread(() -> {
            try (Permit turn = turns.take(project).orElseThrow()) {
                order.add(project);
            }
        });
        await().until(() -> turns.waiters() == waitersAfter);
    }

    @Test
    void aProjectWithManyImagesWaitsForItself() {
        var turns = new RenderTurns(1, 32, 64, LONG, () -> 0);
        Permit held = turns.take("busy").orElseThrow();
        for (int i = 1; i <= 9; i++) {
            wait(turns, "busy", i);
        }
        wait(turns, "calm", 10);
        held.close();
        await().until(() -> order.size() == 10);
        // Three more of the streak, for which no process is started.
        assertThat(order.indexOf("calm")).isEqualTo(3);
    }

    /** Turns of equal number are not of equal length. */
    @Test
    void aProjectWithCostlyImagesWaitsForItself() {
        var clock = new AtomicLong();
        var turns = new RenderTurns(1, 32, 64, LONG, clock::get);
        Permit held = turns.take("busy").orElseThrow();
        for (int i = 1; i <= 5; i++) {
            wait(turns, "busy", i);
        }
        wait(turns, "calm", 6);
        clock.addAndGet(Duration.ofSeconds(8).toNanos());
        held.close();
        await().until(() -> order.size() == 6);

        assertThat(order.getFirst()).isEqualTo("calm");
    }

    @Test
    void oneOfSeveralTurnsIsLeftToOthers() {
        var turns = new RenderTurns(2, 32, 64, LONG);
        Permit held = turns.take("busy").orElseThrow();
        wait(turns, "busy", 1);
        assertThat(turns.take("calm")).isPresent();
        assertThat(turns.waiters()).isEqualTo(1);
        held.close();
        await().until(() -> order.size() == 1);
    }

    @Test
    void noMoreWaitThanMay() {
        var turns = new RenderTurns(1, 2, 3, LONG);
        Permit held = turns.take("a").orElseThrow();
        wait(turns, "a", 1);
        wait(turns, "a", 2);
        assertThat(turns.take("a")).isEmpty();
        wait(turns, "b", 3);
        assertThat(turns.take("c")).isEmpty();
        held.close();
        await().until(() -> order.size() == 3);
        assertThat(turns.take("c")).isPresent();
    }

    @Test
    void whoWaitedTooLongLeavesNothing() {
        var turns = new RenderTurns(1, 2, 3, Duration.ofMillis(20));
        Permit held = turns.take("a").orElseThrow();
        assertThat(turns.take("b")).isEqualTo(Optional.empty());
        assertThat(turns.waiters()).isZero();
        held.close();
        assertThat(turns.take("b")).isPresent();
    }
}
