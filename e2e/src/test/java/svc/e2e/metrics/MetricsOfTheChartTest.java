package svc.e2e.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/**
 * What the chart's dashboard and alerts ask of the API server and of Java is exposed by a running platform. Counters of the
 * operator that begin with their first fault are looked for in {@code MetricsExistTest} of the module chart-tests.
 */
@ExtendWith(SharedPlatform.class)
class MetricsOfTheChartTest {
    private static final Path CHART = Path.of("../helm/svc");
    private static final String CALLS = "uri=\"/functions/v1\"";
    private static final Pattern NAME =
            Pattern.compile("\\b((?:svc_functions|http_server|jvm|process)_[a-z_]+)(?=[{\\[ ]|$)");

    @Test
    void everyMetricThatIsAskedForIsExposed(Platform platform) throws Exception {
        // Counters begin with their first event: a project that is made, and a call of a function, which is not there.
        JsonNode project = platform.controlPlane().create("metrics");
        URI called =
                URI.create(platform.connection().pathUrl(project.path("ref").asText()) + "/functions/v1/nothing");
        ControlPlane.send(HttpRequest.newBuilder(called)
                        .header("apikey", project.path("anon_key").asText()))
                .expect(404);
        URI metrics = URI.create(platform.connection().baseUrl()).resolve("/q/metrics");

        Set<String> asked = new TreeSet<>(names(Files.readString(CHART.resolve("dashboards/svc.json"))));
        asked.addAll(names(Files.readString(CHART.resolve("templates/monitoring/prometheusrule.yaml"))));

        assertThat(asked).contains("http_server_requests_seconds_count", "svc_functions_calls_total");
        String text = scrape(metrics);
        long end = System.nanoTime() + SharedPlatform.MAX_WAIT.toNanos();
        // A request counts when it has ended, which may be after its client has the answer.
        while (!(names(text).containsAll(asked) && text.contains(CALLS)) && System.nanoTime() < end) {
            Thread.sleep(100);
            text = scrape(metrics);
        }
        assertThat(names(text)).containsAll(asked);
        assertThat(text)
                .as("no metric names a project")
                .contains(CALLS)
                .doesNotContain(project.path("ref").asText());
    }

    private static String scrape(URI metrics) throws IOException {
        return ControlPlane.send(HttpRequest.newBuilder(metrics)).expect(200).body();
    }

    private static Set<String> names(String text) {
        return NAME.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toSet());
    }
}
