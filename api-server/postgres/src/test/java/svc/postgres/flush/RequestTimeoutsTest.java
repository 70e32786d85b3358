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
}
