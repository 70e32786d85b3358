package svc.crds.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {

    private static final ConditionTypes TYPES = ConditionTypes.of("Claimed", "DatabaseReady");
    private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = Instant.parse("2026-01-01T00:01:00.5Z");

    @Test
    void theFirstVisitKnowsAllTypesAndNoAnswers() {
        List<Condition> stored = Conditions.of(TYPES, null, 1).at(FIRST);

        assertThat(stored).extracting(Condition::type).containsExactly("Ready", "Claimed", "DatabaseReady");
        assertThat(stored).allSatisfy(condition -> {
            assertThat(condition.status()).isEqualTo(ConditionStatus.UNKNOWN);
            assertThat(condition.reason()).isEqualTo(Conditions.NOT_YET_JUDGED);
            assertThat(condition.observedGeneration()).isEqualTo(1);
            assertThat(condition.lastTransitionTime()).isEqualTo(FIRST);
        });
    }

    @Test
    void readyWhenAllAreTrue() {
        assertThat(allTrue(1).ready().status()).isEqualTo(ConditionStatus.TRUE);
        assertThat(Conditions.of(TYPES, null, 1)
                        .markTrue("Claimed", "Claimed", "")
                        .ready()
                        .status())
                .isEqualTo(ConditionStatus.UNKNOWN);
    }

    @Test
    void oneFalseDecidesAndTheFirstGivesTheReason() {
        Conditions failed = Conditions.of(TYPES, null, 1)
                .markFalse("DatabaseReady", "Unreachable", "no route")
                .markUnknown("Claimed", "Waiting", "");

        assertThat(failed.ready().status()).isEqualTo(ConditionStatus.FALSE);
        assertThat(failed.ready().reason()).isEqualTo("Unreachable");
        assertThat(failed.ready().message()).isEqualTo("no route");
        assertThat(failed.markFalse("Claimed", "RefConflict", "taken").ready().reason())
                .isEqualTo("RefConflict");
    }

    @Test
    void theTransitionTimeMovesOnlyWithTheStatus() {
        List<Condition> first = allTrue(1).at(FIRST);

        List<Condition> reworded = Conditions.of(TYPES, first, 2)
                .markTrue("Claimed", "Claimed", "another message")
                .markTrue("DatabaseReady", "Provisioned", "")
                .at(LATER);
        assertThat(reworded).extracting(Condition::lastTransitionTime).containsOnly(FIRST);
        assertThat(reworded).extracting(Condition::observedGeneration).containsOnly(2L);

        List<Condition> failed = Conditions.of(TYPES, reworded, 2)
                .markFalse("DatabaseReady", "Unreachable", "")
                .at(LATER);
        assertThat(failed)
                .extracting(Condition::lastTransitionTime)
                .containsExactly(Instant.parse("2026-01-01T00:01:00Z"), FIRST, Instant.parse("2026-01-01T00:01:00Z"));
    }

    @Test
    void aConditionThatFlapsInOneLookKeepsItsTime() {
        List<Condition> first = allTrue(1).at(FIRST);

        List<Condition> same = Conditions.of(TYPES, first, 1)
                .markFalse("Claimed", "Looking", "")
                .markTrue("Claimed", "Claimed", "")
                .at(LATER);

        assertThat(same).isEqualTo(first);
    }

    @Test
    void aTrueOfAnOlderSpecDoesNotMakeItReady() {
        Conditions next = Conditions.of(TYPES, allTrue(1).at(FIRST), 2);

        assertThat(next.ready().status()).isEqualTo(ConditionStatus.UNKNOWN);
        assertThat(next.ready().reason()).isEqualTo(Conditions.SPEC_CHANGED);
    }

    @Test
    void aFurtherConditionIsCarriedAndDoesNotTouchReady() {
        Conditions paused = allTrue(1).markFalse("ReconciliationPaused", "NotPaused", "");

        assertThat(paused.ready().isTrue()).isTrue();
        Conditions next = Conditions.of(TYPES, paused.at(FIRST), 1);
        assertThat(next.find("ReconciliationPaused")).isPresent();
        assertThat(next.without("ReconciliationPaused").at(LATER))
                .extracting(Condition::type)
                .doesNotContain("ReconciliationPaused");
    }

    @Test
    void readyIsNeverMarkedAndNoTypeOfTheKindIsRemoved() {
        Conditions conditions = allTrue(1);

        assertThatThrownBy(() -> conditions.markTrue("Ready", "Because", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> conditions.without("Claimed")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ConditionTypes.of("Ready")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void markingReturnsAnotherValue() {
        Conditions before = Conditions.of(TYPES, null, 1);

        before.markTrue("Claimed", "Claimed", "");

        assertThat(before.find("Claimed")).get().extracting(Condition::status).isEqualTo(ConditionStatus.UNKNOWN);
    }

    @Test
    void readinessIsOfOneGeneration() {
        List<Condition> ready = allTrue(2).at(FIRST);
        List<Condition> failed =
                allTrue(2).markFalse("Claimed", "RefConflict", "").at(FIRST);

        assertThat(Conditions.isReady(ready, 2L, 2L)).isTrue();
        assertThat(Conditions.isReady(ready, 2L, 3L)).isFalse();
        assertThat(Conditions.isReady(ready, null, 2L)).isFalse();
        assertThat(Conditions.isFailed(failed, 2L, 2L)).isTrue();
        assertThat(Conditions.isFailed(failed, 1L, 2L)).isFalse();
        assertThat(Conditions.isFailed(null, 2L, 2L)).isFalse();
    }

    private static Conditions allTrue(long generation) {
        return Conditions.of(TYPES, null, generation)
                .markTrue("Claimed", "Claimed", "")
                .markTrue("DatabaseReady", "Provisioned", "");
    }
}
