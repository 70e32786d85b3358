package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void whatIsOverdrawnGrowsBack() {
        var allowance = new Allowance(2, 10, 0);
        assertThat(allowance.until(0)).isZero();
        allowance.charge(14, 0);
        assertThat(allowance.until(0)).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2001));
        assertThat(allowance.until(SECOND)).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1001));
        assertThat(allowance.until(3 * SECOND)).isZero();
    }

    @Test
    void aPauseGivesNoMoreThanTheBound() {
        var allowance = new Allowance(2, 10, 0);
        allowance.charge(1, 1000 * SECOND);
        allowance.charge(10, 1000 * SECOND);
        assertThat(allowance.until(1000 * SECOND)).isPositive();
    }
}
