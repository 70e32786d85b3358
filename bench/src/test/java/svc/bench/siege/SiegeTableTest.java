package svc.bench.siege;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import svc.bench.measure.Figure;

/** Promise: the table of an attack says which activities of the neighbour became too slow, failed or were not done at all. */
class SiegeTableTest {
    private static final Map<String, Neighbour.Period> CALM = Map.of("read", period(10), "insert", period(20));

    @Test
    void bothActivitiesAreFastEnough() {
        var table = table(period(100), period(200));

        assertThat(table.toString()).contains("met: at most 10 times calm").doesNotContain("NOT");
        assertThat(table.figures()).hasSize(3).allMatch(Figure::met);
    }

    @Test
    void anActivityThatIsTooSlowIsNamed() {
        var table = table(period(101), period(20));

        assertThat(table.toString()).endsWith("NOT met by: read");
        assertThat(table.figures())
                .filteredOn(figure -> !figure.met())
                .singleElement()
                .satisfies(figure -> {
                    assertThat(figure.name()).isEqualTo("locks: read, p99");
                    assertThat(figure.ratio()).isEqualTo(10.1);
                });
    }

    @Test
    void anActivityThatFailedIsNamedThoughTheOthersOfItAreFast() {
        var failing = new Neighbour.Period(period(20).answered(), List.of("503"));

        var table = table(period(10), failing);

        assertThat(table.toString()).endsWith("NOT met by: insert");
        assertThat(table.figures())
                .filteredOn(figure -> !figure.met())
                .singleElement()
                .satisfies(figure -> assertThat(figure.value()).isOne());
    }

    @Test
    void anActivityWithoutAnAnswerIsNotMet() {
        var table = table(new Neighbour.Period(List.of(), List.of("503")), period(20));

        assertThat(table.toString()).endsWith("NOT met by: read");
    }

    @Test
    void anActivityWithoutATargetMayTakeAnyTimeButNotFail() {
        assertThat(untargeted(period(1_000)).toString()).contains("met: at most 10 times calm");
        assertThat(untargeted(period(1_000)).figures()).allMatch(Figure::met);
        var failing = new Neighbour.Period(period(10).answered(), List.of("503"));
        assertThat(untargeted(failing).toString()).endsWith("NOT met by: read");
    }

    private static SiegeTable untargeted(Neighbour.Period read) {
        return new SiegeTable("locks: many", CALM, Map.of("read", read, "insert", period(20)), 10, Set.of("read"));
    }

    private static SiegeTable table(Neighbour.Period read, Neighbour.Period insert) {
        return new SiegeTable("locks: many", CALM, Map.of("read", read, "insert", insert), 10, Set.of());
    }

    private static Neighbour.Period period(int millis) {
        return new Neighbour.Period(List.of(Duration.ofMillis(millis)), List.of());
    }
}
