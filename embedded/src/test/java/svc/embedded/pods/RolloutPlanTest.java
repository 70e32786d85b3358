package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import svc.embedded.pods.RolloutPlan.Pod;

/** Versions change without a gap: an old pod goes only when a new one serves in its place. */
class RolloutPlanTest {
    @Test
    void startsWhatIsMissingAndStopsWhatIsTooMuch() {
        assertThat(RolloutPlan.of(2, List.of())).isEqualTo(new RolloutPlan(2, List.of()));
        assertThat(RolloutPlan.of(0, List.of(current(0, true), old(1, true))).stops())
                .containsExactly(0, 1);
        assertThat(RolloutPlan.of(1, List.of(current(0, true), current(1, false))))
                .isEqualTo(new RolloutPlan(0, List.of(1)));
        assertThat(RolloutPlan.of(1, List.of(current(0, true), current(1, true))))
                .isEqualTo(new RolloutPlan(0, List.of(1)));
    }

    @Test
    void aNewVersionStartsBesideTheOldOneWhichGoesWhenItIsReady() {
        assertThat(RolloutPlan.of(1, List.of(old(0, true)))).isEqualTo(new RolloutPlan(1, List.of()));
        assertThat(RolloutPlan.of(1, List.of(old(0, true), current(1, false))))
                .isEqualTo(new RolloutPlan(0, List.of()));
        assertThat(RolloutPlan.of(1, List.of(old(0, true), current(1, true))))
                .isEqualTo(new RolloutPlan(0, List.of(0)));
    }

    @Test
    void severalAreReplacedOneAfterTheOther() {
        assertThat(RolloutPlan.of(2, List.of(old(0, true), old(1, true)))).isEqualTo(new RolloutPlan(1, List.of()));
        assertThat(RolloutPlan.of(2, List.of(old(0, true), old(1, true), current(2, true))))
                .isEqualTo(new RolloutPlan(1, List.of(0)));
        assertThat(RolloutPlan.of(2, List.of(old(1, true), current(2, true), current(3, true))))
                .isEqualTo(new RolloutPlan(0, List.of(1)));
    }

    @Test
    void anOldPodThatDoesNotServeMakesRoomAtOnce() {
        assertThat(RolloutPlan.of(1, List.of(old(0, false)))).isEqualTo(new RolloutPlan(1, List.of(0)));
    }

    private static Pod current(int number, boolean ready) {
        return new Pod(number, true, ready);
    }

    private static Pod old(int number, boolean ready) {
        return new Pod(number, false, ready);
    }
}
