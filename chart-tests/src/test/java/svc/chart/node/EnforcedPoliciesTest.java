package svc.chart.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What each kind of pod reaches on a node that enforces the NetworkPolicies of the chart and of the operator: real
 * connections to every target, of which the pod reaches those that its test names and no other. All targets answer, which a
 * pod without a policy shows.
 */
@ExtendWith(SharedNode.class)
@EnabledIfSystemProperty(
        named = "svc.test.node",
        matches = ".+",
        disabledReason = "it takes a whole node: ./svc test --node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnforcedPoliciesTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final List<String> KUBERNETES_API = List.of("Kubernetes API", "Kubernetes API on its node");
    private static final List<String> SERVERS = List.of("PostgreSQL", "Redis", "S3");
    private static final List<String> WEB = List.of("web", "web with TLS");
    private static final String OPERATOR = "operator";
    private static final String CONTROL_PLANE = "control plane";
    private static final String DATA_PLANE = "data plane";
    private static final String FUNCTION = "function";
    private static final String MAIL = "mail server";

    /** What a function may reach because it is public. */
    private static final List<String> INTERNET = List.of("web", "web with TLS", MAIL, "SSH of a public address");

    /** Asks for each address of the request's list; answers with what came of it. */
    private static final String TRIES = """
            const tried = (target) =>
              fetch(`http://${target}`, { signal: AbortSignal.timeout(4000) })
                .then((response) => response.body?.cancel().then(() => "open"), String);
            export default async (request) => {
              const targets = await request.json();
              return Response.json(await Promise.all(targets.map(tried)));
            };
            """;

    private final RunningNode node;
    private final InstalledPlatform platform;

    private Shop shop;
    private Pod function;
    private Map<String, String> targets;

    EnforcedPoliciesTest(RunningNode node) {
        this.node = node;
        this.platform = node.platform();
    }

    /** The rules of a new pod apply a moment after it has its address. */
    @BeforeAll
    void deployAFunctionAndNameTheTargets() throws Exception {
        shop = Shop.open("policies", platform, node.kubectl());
        shop.deploy("hello", TRIES);
        shop.send(Shop.FUNCTION, List.of());
        function = platform.functionPods(shop.ref()).getFirst();
        Shop other = Shop.open("other-policies", platform, node.kubectl());
        other.deploy("hello");
        other.ask(Shop.FUNCTION);
        targets = targets(platform.functionPods(other.ref()).getFirst());
        Waiting.until(
                "the rules of the pods are there",
                LIMIT,
                () -> Origin.in(function).reached(only("neighbour")).isEmpty()
                        && Origin.in(neighbour()).reached(only(FUNCTION)).isEmpty());
    }

    @Test
    void aPodWithoutAPolicyReachesAllButThePodsThatAPolicyCloses() throws Exception {
        assertThat(Origin.in(neighbour()).reached(targets))
                .containsExactlyElementsOf(targets.keySet().stream()
                        .filter(name -> !List.of(OPERATOR, CONTROL_PLANE, DATA_PLANE, FUNCTION)
                                .contains(name))
                        .toList());
    }

    @Test
    void aFunctionsPodReachesTheDataPlaneAndTheInternet() throws Exception {
        assertThat(Origin.in(function).reached(targets))
                .containsExactlyInAnyOrderElementsOf(all(INTERNET, List.of(DATA_PLANE)));
    }

    /** By the code of a tenant. It cannot tell PostgreSQL and Redis, which do not speak HTTP, from a refusal. */
    @Test
    void aFunctionsCodeReachesNothingElse() throws Exception {
        List<String> names = List.copyOf(targets.keySet());
        JsonNode results = shop.send(Shop.FUNCTION, targets.values());

        List<String> opened = IntStream.range(0, names.size())
                .filter(i -> results.path(i).asText().equals("open"))
                .mapToObj(names::get)
                .toList();
        assertThat(opened).containsAll(all(WEB, List.of(DATA_PLANE))).isSubsetOf(all(INTERNET, List.of(DATA_PLANE)));
    }

    @Test
    void aFunctionFindsItsProjectByName() throws Exception {
        JsonNode results = shop.send(Shop.FUNCTION, List.of(InstalledPlatform.hostOf(shop.ref()) + "/rest/v1/"));

        assertThat(results.path(0).asText()).isEqualTo("open");
    }

    @Test
    void theOperatorReachesTheKubernetesApiAndPostgres() throws Exception {
        assertThat(from(OPERATOR)).containsExactlyInAnyOrderElementsOf(all(KUBERNETES_API, List.of("PostgreSQL")));
    }

    @Test
    void theControlPlaneReachesItsServersAndTheWeb() throws Exception {
        assertThat(from("control-plane")).containsExactlyInAnyOrderElementsOf(all(KUBERNETES_API, SERVERS, WEB));
    }

    @Test
    void theDataPlaneReachesItsServersTheWebMailServersAndFunctions() throws Exception {
        assertThat(from("data-plane"))
                .containsExactlyInAnyOrderElementsOf(
                        all(KUBERNETES_API, SERVERS, WEB, List.of(MAIL), List.of(FUNCTION)));
    }

    /** This machine stands where the Ingress controller does in the values. */
    @Test
    void callersReachThePlanesAndNeitherTheOperatorNorAFunction() throws Exception {
        assertThat(Origin.thisMachine().reached(only(OPERATOR, CONTROL_PLANE, DATA_PLANE, FUNCTION)))
                .containsExactly(CONTROL_PLANE, DATA_PLANE);
    }

    /** Every address is that of a server: of the platform, of the cluster, or of the network that stands for the world. */
    private Map<String, String> targets(Pod otherFunction) {
        var named = new LinkedHashMap<String, String>();
        named.put("Kubernetes API", node.machine().apiService() + ":443");
        named.put("Kubernetes API on its node", node.machine().nodeAddress() + ":6443");
        named.put("kubelet", node.machine().nodeAddress() + ":10250");
        named.put("PostgreSQL", node.servers().postgres());
        named.put("Redis", node.servers().redis());
        named.put("S3", node.servers().s3());
        named.put(OPERATOR, at(platform.pods("operator").getFirst()));
        named.put(CONTROL_PLANE, at(platform.pods("control-plane").getFirst()));
        named.put(DATA_PLANE, at(platform.pods("data-plane").getFirst()));
        named.put(FUNCTION, at(otherFunction));
        named.put("neighbour", at(neighbour()));
        named.put("metadata service", "169.254.169.254:80");
        named.put("metadata service with TLS", "169.254.169.254:443");
        for (String address : List.of("10.99.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "198.18.0.1")) {
            named.put("private " + address, address + ":80");
        }
        named.put("closed network", "203.0.113.7:443");
        named.put("PostgreSQL elsewhere", "10.99.0.1:5432");
        named.put("name server elsewhere", "10.99.0.1:53");
        named.put("web", "198.51.100.80:80");
        named.put("web with TLS", "198.51.100.80:443");
        named.put(MAIL, "198.51.100.80:587");
        named.put("SSH of a public address", "198.51.100.80:22");
        return named;
    }

    private Map<String, String> only(String... names) {
        var chosen = new LinkedHashMap<>(targets);
        chosen.keySet().retainAll(List.of(names));
        return chosen;
    }

    /** What a pod of the component reaches beside itself, which no policy concerns. */
    private List<String> from(String component) throws IOException, InterruptedException {
        Pod pod = platform.pods(component).getLast();
        var others = new LinkedHashMap<>(targets);
        others.values().remove(at(pod));
        return Origin.in(pod).reached(others);
    }

    private Pod neighbour() {
        return node.client()
                .pods()
                .inNamespace(RunningNode.NEIGHBOURS)
                .withName("neighbour")
                .get();
    }

    private static String at(Pod pod) {
        return pod.getStatus().getPodIP() + ":8080";
    }

    @SafeVarargs
    private static List<String> all(List<String>... lists) {
        return Stream.of(lists).flatMap(List::stream).toList();
    }
}
