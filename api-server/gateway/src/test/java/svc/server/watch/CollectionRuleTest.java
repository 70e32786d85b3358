package svc.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Promise: a process that collects garbage for more than 60 % of 20 s ends, and no other. */
class CollectionRuleTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final CollectionRule rule = new CollectionRule(CollectionRule.WINDOW, CollectionRule.MAX_PART);
    private long now = -5 * SECOND;
    private long collected;

    /** @return whether one of the observations ends the process */
    private boolean dies(int seconds, double part) {
        boolean dies = false;
        for (int i = 0; i < seconds; i++) {
            now += SECOND;
            collected += (long) (part * SECOND);
            dies |= rule.isDeadly(rule.observe(now, collected));
        }
        return dies;
    }

    @Test
    void theNumbersAreThoseOfTheDocumentation() {
        assertThat(CollectionRule.WINDOW).isEqualTo(Duration.ofSeconds(20));
        assertThat(CollectionRule.MAX_PART).isEqualTo(0.6);
        assertThat(CollectorWatch.EXIT_CODE).isEqualTo(3);
    }

    @Test
    void aProcessThatCollectsNearlyAllTheTimeEnds() {
        assertThat(dies(20, 0.9)).as("less than a window was seen").isFalse();
        assertThat(dies(1, 0.9)).isTrue();
    }

    @Test
    void aProcessThatCollectsMuchGoesOn() {
        assertThat(dies(600, 0.59)).isFalse();
        assertThat(dies(30, 0.61)).isTrue();
    }

    @Test
    void aBurstThatPassesEndsNothing() {
        assertThat(dies(60, 0.05)).isFalse();
        assertThat(dies(11, 1)).isFalse();
        assertThat(dies(60, 0.05)).isFalse();
    }

    /** A thread that gets no time of a processor sees long gaps. */
    @Test
    void observationsMayBeRare() {
        boolean[] deadly = new boolean[4];
        double[] parts = {0.9, 0.1, 0.59, 0.9};
        for (int i = 0; i < parts.length; i++) {
            now += 30 * SECOND;
            collected += (long) (parts[i] * 30 * SECOND);
            deadly[i] = rule.isDeadly(rule.observe(now, collected));
        }
        assertThat(deadly).as("the first one begins the window").containsExactly(false, false, false, true);
    }

    /** The machine was suspended. */
    @Test
    void aGapWithoutCollectionsEndsNothing() {
        dies(15, 0.9);
        now += 3600 * SECOND;
        assertThat(rule.isDeadly(rule.observe(now, collected))).isFalse();
    }
}
