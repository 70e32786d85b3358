package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.StrictModel;
import svc.chart.support.Traffic;
import svc.chart.support.Traffic.End;

/** Each component connects to what it needs, by port and peer, and accepts only the peers that need it. */
class NetworkPoliciesTest {
    private static final List<String> COMPONENTS = List.of("operator", "control-plane", "data-plane");
    private static final Rendering DEFAULT = Chart.render(Chart.valueSet("default"));
    private static final Rendering CLOSED = Chart.render(Chart.valueSet("closed"));
    private static final String HTTP = "http";

    private static final Map<String, String> FUNCTION = Map.of("svc.platform/purpose", "function");

    /** The ends of connections by the words of the tables. */
    private static End end(String word) {
        return switch (word) {
            case "name server" -> End.pod("kube-system", Map.of("k8s-app", "kube-dns"));
            case "Ingress controller" -> End.pod("ingress-nginx", Map.of("app", "nginx"));
            case "Prometheus" -> End.pod("monitoring", Map.of("app", "prometheus"));
            case "Redis" -> End.pod("cache", Map.of("app", "redis"));
            case "MinIO" -> End.pod("storage", Map.of("app", "minio"));
            case "function" -> End.pod("svc-system-projects", FUNCTION);
            case "function elsewhere" -> End.pod("team-x", FUNCTION);
            case "other pod" -> End.pod("team-x", Map.of("app", "other"));
            case "pod beside functions" -> End.pod("svc-system-projects", Map.of("app", "other"));
            case "helm test" ->
                End.pod(
                        Chart.NAMESPACE,
                        Map.of(
                                "app.kubernetes.io/name", "svc",
                                "app.kubernetes.io/instance", Chart.RELEASE,
                                "app.kubernetes.io/component", "test"));
            default -> End.at(word);
        };
    }

    /** With every peer named in the values. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name server          | 53    | operator, control-plane, data-plane",
                "10.8.0.10            | 6443  | operator, control-plane, data-plane",
                "10.9.0.5             | 5432  | operator, control-plane, data-plane",
                "Redis                | 6379  | control-plane, data-plane",
                "MinIO                | 9000  | control-plane, data-plane",
                "93.184.216.34        | 443   | control-plane, data-plane",
                "2606:2800:220:1::1   | 443   | control-plane, data-plane",
                "93.184.216.34        | 587   | data-plane",
                "function             | 8080  | data-plane",
                // No peer needs these.
                "function elsewhere   | 8080  |",
                "function             | 22    |",
                "other pod            | 8080  |",
                "other pod            | 443   |",
                "pod beside functions | 8080  |",
                "Redis                | 22    |",
                "8.8.8.8              | 53    |",
                "10.9.0.6             | 5432  |",
                "10.8.0.11            | 6443  |",
                "10.8.0.10            | 10250 |",
                "10.8.0.10            | 2379  |",
                "10.1.2.3             | 443   |",
                "192.168.1.1          | 80    |",
                "169.254.169.254      | 80    |",
                "169.254.169.254      | 443   |",
                "fd00:ec2::254        | 80    |",
                "64:ff9b::a9fe:a9fe   | 80    |",
                "2002:a9fe:a9fe::1    | 80    |",
                "203.0.113.7          | 443   |",
                "93.184.216.34        | 22    |"
            })
    void eachConnectsToWhatItNeeds(String to, int port, String components) {
        assertThat(who(CLOSED, policy -> Traffic.leaves(policy, end(to), port))).isEqualTo(words(components));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Ingress controller   | control-plane, data-plane",
                "helm test            | control-plane, data-plane",
                "Prometheus           | operator, control-plane, data-plane",
                "function             | data-plane",
                "function elsewhere   |",
                "pod beside functions |",
                "other pod            |",
                "93.184.216.34        |",
                "10.8.0.11            |"
            })
    void eachIsCalledByThoseWhoNeedIt(String from, String components) {
        assertThat(who(CLOSED, policy -> Traffic.enters(policy, end(from), HTTP)))
                .isEqualTo(words(components));
    }

    /** Where no peer is named the ports alone limit, and these still hold. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.8.0.10         | 6443  | operator, control-plane, data-plane",
                "10.9.0.5          | 5432  | operator, control-plane, data-plane",
                "Redis             | 6379  | control-plane, data-plane",
                "function          | 8080  | data-plane",
                "other pod         | 8080  |",
                "10.8.0.10         | 10250 |",
                "10.8.0.10         | 2379  |",
                "169.254.169.254   | 80    |",
                "fd00:ec2::254     | 80    |",
                "93.184.216.34     | 80    | control-plane, data-plane",
                "93.184.216.34     | 25    | data-plane",
                "10.1.2.3          | 25    |"
            })
    void withoutNamedPeersThePortsLimit(String to, int port, String components) {
        assertThat(who(DEFAULT, policy -> Traffic.leaves(policy, end(to), port)))
                .isEqualTo(words(components));
    }

    @Test
    void theOperatorTakesNoConnectionsUnlessMetricsAreAskedFor() {
        NetworkPolicy policy = policy(DEFAULT, "operator");

        assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
        assertThat(policy.getSpec().getIngress()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"operator", "control-plane", "data-plane"})
    void onlyTheNamedPortIsOpen(String component) {
        for (Rendering rendering : List.of(DEFAULT, CLOSED)) {
            assertThat(policy(rendering, component).getSpec().getIngress())
                    .flatExtracting(rule -> rule.getPorts())
                    .allSatisfy(port -> assertThat(port.getPort().getStrVal()).isEqualTo(HTTP));
        }
    }

    /** Of a cluster-wide installation, functions are in any namespace. */
    @Test
    void clusterWideTheDataPlaneCallsFunctionsInAnyNamespace() {
        Rendering everywhere = Chart.render(Chart.valueSet("cluster-wide"));

        assertThat(who(everywhere, policy -> Traffic.leaves(policy, end("function elsewhere"), 8080)))
                .containsExactly("data-plane");
        assertThat(who(everywhere, policy -> Traffic.leaves(policy, end("other pod"), 8080)))
                .isEmpty();
    }

    private interface Check {
        boolean of(NetworkPolicy policy);
    }

    private static Set<String> who(Rendering rendering, Check check) {
        var found = new TreeSet<String>();
        COMPONENTS.stream()
                .filter(component -> check.of(policy(rendering, component)))
                .forEach(found::add);
        return found;
    }

    private static Set<String> words(String list) {
        return list == null ? Set.of() : new TreeSet<>(List.of(list.split(", ")));
    }

    private static NetworkPolicy policy(Rendering rendering, String component) {
        return (NetworkPolicy) StrictModel.read(rendering.get("NetworkPolicy", "svc-" + component))
                .orElseThrow();
    }
}
