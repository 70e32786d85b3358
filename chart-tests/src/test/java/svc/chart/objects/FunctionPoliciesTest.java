package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Traffic;
import svc.chart.support.Traffic.End;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.project.service.FunctionsSpec;
import svc.operator.function.desired.DesiredFunction;
import svc.operator.function.desired.FunctionEnvironment;
import svc.operator.function.desired.FunctionObjects;
import svc.operator.function.desired.RuntimeSettings;
import svc.operator.function.desired.ServedProject;
import svc.operator.pod.ManagedPods;
import svc.operator.project.desired.ProjectAccess;

/**
 * A tenant's function, as the operator confines it with the chart's settings: it reaches the data plane, the name servers
 * and the public internet, and nothing of the platform or of its neighbours.
 */
class FunctionPoliciesTest {
    private static final String PROJECTS = Chart.NAMESPACE + "-projects";
    private static final NetworkPolicy POLICY = policy(Chart.render(Chart.valueSet("closed")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "data plane         | 8080 | true",
                "name server        | 53   | true",
                "93.184.216.34      | 443  | true",
                "2606:2800:220:1::1 | 443  | true",
                // The platform's servers, the Kubernetes API, nodes, and a cloud's metadata.
                "10.9.0.5           | 5432 | false",
                "Redis              | 6379 | false",
                "MinIO              | 9000 | false",
                "control plane      | 8080 | false",
                "operator           | 8080 | false",
                "10.8.0.10          | 6443 | false",
                "10.96.0.1          | 443  | false",
                "172.20.0.1         | 443  | false",
                "192.168.1.1        | 80   | false",
                "100.64.0.1         | 443  | false",
                "127.0.0.1          | 8080 | false",
                "169.254.169.254    | 80   | false",
                "169.254.20.10      | 53   | false",
                "fd00:ec2::254      | 80   | false",
                "fe80::1            | 80   | false",
                "::1                | 8080 | false",
                // The same addresses in the forms of transition mechanisms.
                "64:ff9b::a9fe:a9fe | 80   | false",
                "2002:a9fe:a9fe::1  | 80   | false",
                "2001:0:a9fe:a9fe:: | 80   | false",
                // Public addresses of the cluster, which the values name.
                "203.0.113.7        | 5432 | false",
                // Other tenants, and name servers' neighbours.
                "other function     | 8080 | false",
                "name server        | 9153 | false",
                "data plane elsewhere | 8080 | false"
            })
    void aFunctionReaches(String to, int port, boolean expected) {
        assertThat(Traffic.leaves(POLICY, end(to), port)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "data plane           | true",
                "control plane        | false",
                "operator             | false",
                "other function       | false",
                "data plane elsewhere | false",
                "10.8.0.11            | false",
                "93.184.216.34        | false"
            })
    void aFunctionIsReachedBy(String from, boolean expected) {
        assertThat(Traffic.enters(POLICY, end(from), 8080)).isEqualTo(expected);
    }

    private static End end(String word) {
        return switch (word) {
            case "data plane" -> component(Chart.NAMESPACE, "data-plane");
            case "control plane" -> component(Chart.NAMESPACE, "control-plane");
            case "operator" -> component(Chart.NAMESPACE, "operator");
            // A tenant who may label pods in the served namespace.
            case "data plane elsewhere" -> component(PROJECTS, "data-plane");
            case "other function" -> End.pod(PROJECTS, Map.of("svc.platform/purpose", "function"));
            case "name server" -> End.pod("kube-system", Map.of("k8s-app", "kube-dns"));
            case "Redis" -> End.pod("cache", Map.of("app", "redis"));
            case "MinIO" -> End.pod("storage", Map.of("app", "minio"));
            default -> End.at(word);
        };
    }

    private static End component(String namespace, String name) {
        return End.pod(namespace, Map.of("app.kubernetes.io/component", name));
    }

    private static NetworkPolicy policy(Rendering rendering) {
        Map<String, String> settings = new HashMap<>();
        Rendering.list(Rendering.container(rendering.deployment("operator")).path("env"))
                .forEach(variable -> settings.put(
                        variable.path("name").asText(), variable.path("value").asText()));
        var runtime = new RuntimeSettings(
                settings.get("SVC_OPERATOR_FUNCTION_IMAGE"),
                settings.get("SVC_DATA_URL"),
                settings.get("SVC_RUNTIME_GATEWAY_NAMESPACE"),
                List.of(settings.get("SVC_RUNTIME_CLOSED_NETWORKS").split(",")),
                ManagedPods.DEFAULTS);
        var function = new EdgeFunction();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace(PROJECTS)
                .withName("hello")
                .withUid(UUID.randomUUID().toString())
                .build());
        function.setSpec(Serialization.unmarshal("projectRef: {name: shop}\nname: hello", EdgeFunctionSpec.class));
        var project = new ServedProject(
                new ProjectAccess("abcdefg2", "https://abcdefg2.data.example.com", "proj_abcdefg2_public", "a", "s"),
                UUID.randomUUID(),
                null,
                Serialization.unmarshal("{}", FunctionsSpec.class),
                false);
        return FunctionObjects.of(new DesiredFunction(
                        function,
                        project,
                        "sha256:" + "1".repeat(64),
                        new FunctionEnvironment(Map.of(), "digest"),
                        runtime))
                .policy();
    }
}
