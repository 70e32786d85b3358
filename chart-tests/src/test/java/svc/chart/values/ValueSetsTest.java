package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.LintResult;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.chart.support.Chart;

/** Every committed value set passes Helm's strict lint, and the same values always render to the same bytes. */
class ValueSetsTest {
    static List<Path> sets() {
        return Chart.valueSets();
    }

    @Test
    void thereAreEnough() {
        assertThat(sets()).hasSizeGreaterThanOrEqualTo(8);
    }

    @ParameterizedTest
    @MethodSource("sets")
    void lintFindsNothing(Path values, @TempDir Path scratch) {
        LintResult result = Chart.lint(values, scratch);

        assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
        assertThat(result.getMessages()).noneMatch(message -> message.contains("WARNING"));
    }

    @ParameterizedTest
    @MethodSource("sets")
    void aSecondRenderingIsTheSame(Path values) {
        assertThat(Chart.text(values)).isEqualTo(Chart.text(values));
    }
}
