package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.management.ControlPlanePath;

/** Two hosts lead in: the API's, by its paths alone, and one wildcard for all projects, however many there are. */
class ExposureTest {
    private static final List<String> PUBLIC = Arrays.stream(ControlPlanePath.values())
            .map(ControlPlanePath::path)
            .sorted()
            .toList();

    @Test
    void anIngressForEachPlane() {
        Rendering rendering = Chart.render(Chart.valueSet("ingress-tls"));
        ObjectNode api = rendering.get("Ingress", "svc-control-plane");
        ObjectNode data = rendering.get("Ingress", "svc-data-plane");

        assertThat(hosts(api)).containsExactly("api.example.com");
        assertThat(paths(api)).containsExactlyElementsOf(PUBLIC);
        assertThat(hosts(data)).containsExactly("*.data.example.com");
        assertThat(data.at("/spec/tls/0/secretName").asText()).isEqualTo("data-wildcard-tls");
        assertThat(data.at("/spec/tls/0/hosts/0").asText()).isEqualTo("*.data.example.com");
        assertThat(rendering.ofKind("Ingress")).hasSize(2).allSatisfy(ingress -> {
            String service = ingress.at("/spec/rules/0/http/paths/0/backend/service/name")
                    .asText();
            assertThat(rendering.has("Service", service)).isTrue();
            assertThat(ingress.at("/spec/ingressClassName").asText()).isEqualTo("nginx");
        });
    }

    @Test
    void aRouteForEachPlane() {
        Rendering rendering = Chart.render(Chart.valueSet("gateway"));
        ObjectNode api = rendering.get("HTTPRoute", "svc-control-plane");
        ObjectNode data = rendering.get("HTTPRoute", "svc-data-plane");

        assertThat(api.at("/spec/hostnames/0").asText()).isEqualTo("api.example.com");
        assertThat(Rendering.list(api.at("/spec/rules/0/matches")).stream()
                        .map(match -> match.at("/path/value").asText()))
                .containsExactlyElementsOf(PUBLIC);
        assertThat(data.at("/spec/hostnames/0").asText()).isEqualTo("*.data.example.com");
        // A socket lasts as long as it lasts.
        assertThat(data.at("/spec/rules/0/timeouts/request").asText()).isEqualTo("0s");
        assertThat(rendering.ofKind("HTTPRoute")).hasSize(2).allSatisfy(route -> {
            assertThat(route.at("/spec/parentRefs/0/name").asText()).isEqualTo("public");
            JsonNode backend = route.at("/spec/rules/0/backendRefs/0");
            assertThat(rendering.get("Service", backend.path("name").asText()).at("/spec/ports/0/port"))
                    .isEqualTo(backend.path("port"));
        });
        assertThat(rendering.ofKind("Gateway")).isEmpty();
    }

    /** Probes and metrics tell of the inside; by the rules of Ingresses and HTTPRoutes none of these paths leads to them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/q",
                "/q/",
                "/q/health",
                "/q/health/ready",
                "/q/metrics",
                "/q/dev-ui",
                "/Q/metrics",
                "//q/metrics",
                "/./q/metrics",
                "/x/../q/metrics",
                "/%71/metrics",
                "/status/../q/metrics",
                "/statusq/metrics",
                "/apiq/metrics",
                "/v1q/metrics",
                "/llms.txt/../q/metrics",
                "/.well-known/q/metrics"
            })
    void noPathOfTheApisHostLeadsToProbesAndMetrics(String path) {
        for (String set : List.of("ingress-tls", "trial", "closed")) {
            ObjectNode ingress = Chart.render(Chart.valueSet(set)).get("Ingress", "svc-control-plane");
            assertThat(Rendering.list(ingress.at("/spec/rules")))
                    .hasSize(1)
                    .flatExtracting(rule -> Rendering.list(rule.at("/http/paths")))
                    .noneMatch(rule -> matches(
                            path,
                            rule.path("path").asText(),
                            rule.path("pathType").asText()));
            assertThat(ingress.at("/spec/defaultBackend").isMissingNode()).isTrue();
        }
        assertThat(Rendering.list(Chart.render(Chart.valueSet("gateway"))
                        .get("HTTPRoute", "svc-control-plane")
                        .at("/spec/rules")))
                .hasSize(1)
                .flatExtracting(rule -> Rendering.list(rule.path("matches")))
                .isNotEmpty()
                .noneMatch(match -> matches(
                        path,
                        match.at("/path/value").asText(),
                        match.at("/path/type").asText()));
    }

    private static boolean matches(String path, String rule, String type) {
        return switch (type) {
            case "Exact" -> path.equals(rule);
            case "Prefix", "PathPrefix" -> path.equals(rule) || path.startsWith(rule.endsWith("/") ? rule : rule + "/");
            default -> throw new IllegalArgumentException(type);
        };
    }

    @Test
    void nothingLeadsInUnlessItIsAskedFor() {
        Rendering rendering = Chart.render(Chart.valueSet("default"));

        assertThat(Stream.of("Ingress", "HTTPRoute").flatMap(kind -> rendering.ofKind(kind).stream()))
                .isEmpty();
        assertThat(rendering.ofKind("Service"))
                .allSatisfy(
                        service -> assertThat(service.at("/spec/type").asText()).isEqualTo("ClusterIP"));
    }

    private static List<String> hosts(ObjectNode ingress) {
        return Rendering.list(ingress.at("/spec/rules")).stream()
                .map(rule -> rule.path("host").asText())
                .toList();
    }

    private static List<String> paths(ObjectNode ingress) {
        return Rendering.list(ingress.at("/spec/rules/0/http/paths")).stream()
                .map(path -> path.path("path").asText())
                .toList();
    }
}
