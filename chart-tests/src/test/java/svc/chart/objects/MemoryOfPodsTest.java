package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;

/** A process that is out of memory ends, and Kubernetes starts it again; it never goes on without answering. */
class MemoryOfPodsTest {
    private static final String ENDS = "-XX:+ExitOnOutOfMemoryError";
    private static final Pattern HEAP = Pattern.compile("-XX:MaxRAMPercentage=(\\d+)");
    private static final int MOST = 75;
    private static final List<String> COMPONENTS = List.of("operator", "control-plane", "data-plane");

    static List<Path> sets() {
        return Chart.valueSets();
    }

    @ParameterizedTest
    @MethodSource("sets")
    void eachEndsWithoutMemoryAndLeavesRoomBesideItsHeap(Path values) {
        Rendering rendering = Chart.render(values);
        for (String component : COMPONENTS) {
            JsonNode container = Rendering.container(rendering.deployment(component));
            String options = options(container);

            assertThat(options).startsWith(ENDS);
            Matcher heap = HEAP.matcher(options);
            assertThat(heap.find()).as("a heap that follows the limit").isTrue();
            assertThat(Integer.parseInt(heap.group(1))).isLessThanOrEqualTo(MOST);
            assertThat(container.at("/resources/limits/memory").asText()).isNotEmpty();
            // The pod's status says why it ended.
            assertThat(container.path("terminationMessagePolicy").asText()).isEqualTo("FallbackToLogsOnError");
            // One that neither ends nor answers is restarted by this.
            assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/q/health/live");
            assertThat(container.at("/livenessProbe/failureThreshold").asInt()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"operator, operator", "controlPlane, control-plane", "dataPlane, data-plane"})
    void optionsOfOnesOwnDoNotTakeThatAway(String key, String component) {
        Rendering rendering =
                Rendering.of(Chart.with(Chart.valueSet("default"), key + ".javaOptions", "-XX:MaxRAMPercentage=30"));

        assertThat(options(Rendering.container(rendering.deployment(component))))
                .isEqualTo(ENDS + " -XX:MaxRAMPercentage=30");
    }

    private static String options(JsonNode container) {
        return Rendering.list(container.path("env")).stream()
                .filter(variable -> variable.path("name").asText().equals("JDK_JAVA_OPTIONS"))
                .map(variable -> variable.path("value").asText())
                .findFirst()
                .orElseThrow();
    }
}
