package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;

/** A process that is out of memory ends, and Kubernetes starts it again; it never goes on without answering. */
class MemoryOfPodsTest {
    private static final String ENDS = "-XX:+ExitOnOutOfMemoryError";
    private static final Pattern HEAP = Pattern.compile("-XX:MaxRAMPercentage=(\\d+)");
    private static final Pattern DIRECT = Pattern.compile("-XX:MaxDirectMemorySize=(\\d+)m");
    private static final Pattern QUANTITY = Pattern.compile("(\\d+)(Mi|Gi)");
    private static final int MAX_HEAP_PERCENT = 75;
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
            assertThat(Integer.parseInt(heap.group(1))).isLessThanOrEqualTo(MAX_HEAP_PERCENT);
            assertThat(container.at("/resources/limits/memory").asText()).isNotEmpty();
            // The pod's status says why it ended.
            assertThat(container.path("terminationMessagePolicy").asText()).isEqualTo("FallbackToLogsOnError");
            // One that neither ends nor answers is restarted by this.
            assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/q/health/live");
            assertThat(container.at("/livenessProbe/failureThreshold").asInt()).isPositive();
        }
    }

    /**
     * Beside heap and direct memory: classes, compiled code, stacks, the collector; in the control plane the processes that
     * parse SQL and bundle functions as well, in the data plane one that decodes an image and the one that is kept ready.
     */
    @ParameterizedTest
    @CsvSource({"operator, 160", "control-plane, 256", "data-plane, 1194"})
    void heapDirectMemoryAndTheRestFitIntoTheLimit(String component, int restMebibytes) {
        for (Path values : Chart.valueSets()) {
            JsonNode container = Rendering.container(Chart.render(values).deployment(component));
            int limit = mebibytes(container.at("/resources/limits/memory").asText());
            int heap = number(HEAP, options(container)) * limit / 100;

            assertThat(heap + number(DIRECT, options(container)) + restMebibytes)
                    .as("%s of %s", component, values)
                    .isLessThanOrEqualTo(limit);
        }
    }

    /** Answers that wait for their readers are in direct memory while they are sent: 30 % of the heap, by default. */
    @Test
    void theDataPlaneHasDirectMemoryForAllAnswersThatMayWait() {
        JsonNode container =
                Rendering.container(Chart.render(Chart.valueSet("default")).deployment("data-plane"));
        int limit = mebibytes(container.at("/resources/limits/memory").asText());
        int heap = number(HEAP, options(container)) * limit / 100;

        assertThat(number(DIRECT, options(container))).isGreaterThan(heap * 30 / 100 * 5 / 4);
    }

    private static int number(Pattern pattern, String options) {
        Matcher found = pattern.matcher(options);
        assertThat(found.find()).as(options).isTrue();
        return Integer.parseInt(found.group(1));
    }

    private static int mebibytes(String quantity) {
        Matcher found = QUANTITY.matcher(quantity);
        assertThat(found.matches()).as(quantity).isTrue();
        return Integer.parseInt(found.group(1)) << (found.group(2).equals("Gi") ? 10 : 0);
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
