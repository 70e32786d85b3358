package svc.chart.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;
import svc.operator.observe.Observation;
import svc.operator.observe.OperatorMetrics;

/**
 * Alerts and dashboard ask for metrics that the operator has. Those of the API server are looked for in a running platform
 * ({@code MetricsOfTheChartTest} of the module e2e).
 */
class MetricsExistTest {
    private static final Pattern NAME = Pattern.compile("\\b(svc_[a-z_]+)\\b");
    private static final Rendering RENDERING = Chart.render(Chart.valueSet("monitoring"));

    @Test
    void theOperatorHasEveryMetricOfItsThatIsAskedFor() {
        Set<String> asked = asked();
        asked.removeIf(name -> name.startsWith("svc_functions_"));

        assertThat(asked).hasSizeGreaterThan(5);
        assertThat(ofTheOperator()).containsAll(asked);
    }

    @Test
    void everyAlertSaysWhatToDo() {
        JsonNode rules = RENDERING.get("PrometheusRule", "svc").at("/spec/groups/0/rules");

        assertThat(rules).hasSizeGreaterThan(8);
        Rendering.list(rules).stream()
                .filter(rule -> rule.path("alert").asText().startsWith("Svc"))
                .forEach(rule -> {
                    assertThat(rule.at("/annotations/summary").asText()).isNotEmpty();
                    assertThat(rule.at("/annotations/runbook").asText()).isNotEmpty();
                    String alert = rule.path("alert").asText();
                    assertThat(rule.at("/annotations/runbook_url").asText())
                            .isEqualTo(
                                    "https://api.example.com/v1/docs/operations.md#" + alert.toLowerCase(Locale.ROOT));
                    assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
                });
        assertThat(rules.toString()).contains("\"alert\":\"Mine\"");
    }

    /** The page is among those that the control plane serves: {@code McpDocsTest} of the api-server. */
    @Test
    void everyAlertHasItsSection() throws IOException {
        List<String> alerts = Rendering.list(
                        RENDERING.get("PrometheusRule", "svc").at("/spec/groups/0/rules"))
                .stream()
                .map(rule -> rule.path("alert").asText())
                .filter(alert -> alert.startsWith("Svc"))
                .toList();
        String page = Files.readString(Chart.REPOSITORY.resolve("docs/operations.md"));

        assertThat(alerts)
                .isEqualTo(Pattern.compile("(?m)^### (Svc[A-Za-z]+)\n")
                        .matcher(page)
                        .results()
                        .map(heading -> heading.group(1))
                        .toList());
        assertThat(Files.readString(Chart.REPOSITORY.resolve("docs/llms.txt"))).contains("(operations.md)");
    }

    @Test
    void theRunbooksMayBeElsewhere() {
        String copy = "https://wiki.example.com/svc";
        String text = Chart.with(Chart.valueSet("monitoring"), "metrics.prometheusRule.runbookUrl", copy);

        assertThat(text).contains("runbook_url: " + copy + "#svcapierrors").doesNotContain("/v1/docs/");
    }

    /** A project that its owner has paused is as it should be. */
    @Test
    void pausedProjectsRaiseNoAlert() {
        String states = Rendering.list(RENDERING.get("PrometheusRule", "svc").at("/spec/groups/0/rules")).stream()
                .filter(rule -> rule.path("alert").asText().equals("SvcProjectsNotReady"))
                .map(rule -> rule.path("expr").asText())
                .findFirst()
                .orElseThrow()
                .replaceAll(".*state!~\"([^\"]+)\".*", "$1");
        Set<String> ignored = Set.of(states.split("\\|"));

        assertThat(Arrays.stream(Observation.ProjectState.values())
                        .map(state -> state.name().toLowerCase(Locale.ROOT)))
                .containsAll(ignored);
        assertThat(ignored).containsExactlyInAnyOrder("ready", "paused");
    }

    @Test
    void theDashboardIsFoundAndCanBeRead() {
        JsonNode config = RENDERING.get("ConfigMap", "svc-dashboard");
        JsonNode dashboard = Yaml.parse(config.path("data").path("svc.json").asText());

        assertThat(config.at("/metadata/labels/grafana_dashboard").asText()).isEqualTo("1");
        assertThat(dashboard.path("panels")).hasSizeGreaterThan(8);
    }

    @Test
    void thePodsOfEachComponentAreScraped() {
        assertThat(RENDERING.ofKind("ServiceMonitor")).hasSize(3).allSatisfy(monitor -> {
            JsonNode endpoint = monitor.at("/spec/endpoints/0");
            assertThat(endpoint.path("path").asText()).isEqualTo("/q/metrics");
            assertThat(endpoint.path("interval").asText()).isEqualTo("15s");
            assertThat(RENDERING.get("Service", Rendering.name(monitor)).at("/spec/ports/0/name"))
                    .isEqualTo(endpoint.path("port"));
            assertThat(monitor.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
        });
    }

    private static Set<String> asked() {
        String text = RENDERING.get("PrometheusRule", "svc")
                + RENDERING.get("ConfigMap", "svc-dashboard").toString();
        return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> ofTheOperator() {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var metrics = new OperatorMetrics(registry);
        observations().forEach(metrics::observed);
        return NAME.matcher(registry.scrape()).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    /** One of each kind: a counter comes into being with the first of its kind. */
    private static List<Observation> observations() {
        return List.of(
                new Observation.Reconciled(Duration.ofMillis(20)),
                new Observation.StateObserved("n/p", Observation.ProjectState.READY),
                new Observation.Provisioned("main", 3),
                new Observation.DriftRepaired(1),
                new Observation.Failed("DiskFull", "", true, Optional.of("53100"), new IllegalStateException()),
                new Observation.Conflicted(),
                new Observation.DeletionBlocked("DatabaseUnreachable", ""),
                new Observation.Removed("n/p", Observation.Removal.RETAINED),
                new Observation.EventNotWritten("Ready", ""),
                new Observation.DatabasePrepared("main", 1),
                new Observation.FunctionDeployed(1));
    }
}
