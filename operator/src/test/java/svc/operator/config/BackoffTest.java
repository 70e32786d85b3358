package svc.operator.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each interval is as long as the wait before it, from the first to the longest. */
class BackoffTest {
    private static final Duration INITIAL = Duration.ofSeconds(5);
    private static final Duration MAX = Duration.ofMinutes(5);

    @Test
    void intervalsDouble() {
        List<Long> seconds = new ArrayList<>();
        Instant now = Instant.EPOCH;
        for (int look = 0; look < 10; look++) {
            Duration next = Backoff.next(Instant.EPOCH, now, INITIAL, MAX);
            seconds.add(next.toSeconds());
            now = now.plus(next);
        }

        assertThat(seconds).containsExactly(5L, 5L, 10L, 20L, 40L, 80L, 160L, 300L, 300L, 300L);
    }

    @Test
    void aClockThatGoesBackBeginsAgain() {
        assertThat(Backoff.next(Instant.EPOCH.plusSeconds(60), Instant.EPOCH, INITIAL, MAX))
                .isEqualTo(INITIAL);
    }

    @Test
    void theLongestIsNeverPassed() {
        assertThat(Backoff.next(Instant.EPOCH, Instant.EPOCH, INITIAL, Duration.ofSeconds(1)))
                .isEqualTo(Duration.ofSeconds(1));
    }
}
