package svc.postgres.flush;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class RequestTimeoutsTest {
    @Test
    void theClockGoesOnAfterAFailure() {
        var turns = new AtomicInteger();
        try (var clock = new RequestTimeouts(Duration.ofMinutes(1), connection -> false, () -> {
            turns.incrementAndGet();
            throw new IllegalStateException("the chore's own fault");
        })) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> turns.get() > 1);
        }
    }

    @Test
    void aRequestThatCannotBeCheckedKeepsNoOtherWorkFromBeingDone() {
        var checks = new AtomicInteger();
        var turns = new AtomicInteger();
        try (var clock = new RequestTimeouts(
                Duration.ofMinutes(10),
                connection -> {
                    checks.incrementAndGet();
                    throw new IllegalStateException("the check's own fault");
                },
                turns::incrementAndGet)) {
            clock.watch(null);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> checks.get() > 1);
            int before = turns.get();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> turns.get() > before + 1);
        }
    }
}
