package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.StrictModel;
import svc.chart.support.Traffic;
import svc.chart.support.Traffic.End;
import svc.chart.support.Yaml;

/** The endpoint for PostgreSQL's protocol: off by default, and with one value a port, a certificate, a Service and a rule. */
class PostgresEndpointTest {
    private static final Rendering ON = Chart.render(Chart.valueSet("postgres-endpoint"));

    @Test
    void nothingOfItIsThereByDefault() {
        Rendering off = Chart.render(Chart.valueSet("default"));

        assertThat(off.has("Service", "svc-postgres")).isFalse();
        assertThat(off.deployment("control-plane").toString()).doesNotContain("SVC_API_POSTGRES", "postgres-tls");
        assertThat(Traffic.enters(policy(off), End.at("198.51.100.7"), "postgres"))
                .isFalse();
    }

    @Test
    void theControlPlaneListensWithACertificate() {
        JsonNode spec = ON.deployment("control-plane").at("/spec/template/spec");
        Map<String, String> environment = new TreeMap<>();
        spec.at("/containers/0/env")
                .forEach(variable -> environment.put(
                        variable.path("name").asText(), variable.path("value").asText()));

        assertThat(environment)
                .containsEntry("SVC_API_POSTGRES_PORT", "5432")
                .containsEntry("SVC_API_POSTGRES_HOST", "0.0.0.0")
                .containsEntry("SVC_API_POSTGRES_CERTIFICATE", "/etc/svc/postgres/tls.crt")
                .containsEntry("SVC_API_POSTGRES_KEY", "/etc/svc/postgres/tls.key")
                .containsEntry("SVC_API_POSTGRES_PUBLIC_HOST", "db.example.com")
                .containsEntry("SVC_API_POSTGRES_PUBLIC_PORT", "5432");
        assertThat(spec.path("volumes").toString()).contains("{\"secretName\":\"postgres-tls\"}");
        assertThat(ON.deployment("data-plane").toString()).doesNotContain("SVC_API_POSTGRES");
    }

    /** With another policy all clients have the address of a node, and share the limits of one address. */
    @Test
    void itsServiceKeepsTheAddressesOfClients() {
        JsonNode spec = ON.get("Service", "svc-postgres").path("spec");

        assertThat(spec.path("type").asText()).isEqualTo("LoadBalancer");
        assertThat(spec.path("externalTrafficPolicy").asText()).isEqualTo("Local");
        assertThat(spec.at("/loadBalancerSourceRanges/0").asText()).isEqualTo("198.51.100.0/24");
        assertThat(spec.at("/ports/0/port").asInt()).isEqualTo(5432);
        assertThat(spec.path("selector"))
                .isEqualTo(ON.get("Service", "svc-control-plane").at("/spec/selector"));
    }

    @Test
    void inTheClusterItHasNoBalancersFields() {
        ObjectNode values = Yaml.read(Chart.valueSet("postgres-endpoint"));
        values.withObject("/postgresEndpoint/service").put("type", "ClusterIP");
        JsonNode spec =
                Rendering.of(Chart.text(values)).get("Service", "svc-postgres").path("spec");

        assertThat(spec.has("externalTrafficPolicy")).isFalse();
        assertThat(spec.has("loadBalancerSourceRanges")).isFalse();
    }

    @Test
    void onlyTheNamedPeersConnect() {
        assertThat(Traffic.enters(policy(ON), End.at("198.51.100.7"), "postgres"))
                .isTrue();
        assertThat(Traffic.enters(policy(ON), End.at("203.0.113.7"), "postgres"))
                .isFalse();
        assertThat(Traffic.enters(policy(ON), End.at("203.0.113.7"), "http")).isTrue();
    }

    private static NetworkPolicy policy(Rendering rendering) {
        return (NetworkPolicy) StrictModel.read(rendering.get("NetworkPolicy", "svc-control-plane"))
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"tlsSecret", "publicHost"})
    void whatItNeedsIsAskedFor(String key) {
        ObjectNode values = Yaml.read(Chart.valueSet("postgres-endpoint"));
        values.withObject("/postgresEndpoint").remove(key);

        assertThatThrownBy(() -> Chart.text(values)).hasMessageContaining("postgresEndpoint." + key + ": ");
    }
}
