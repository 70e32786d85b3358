package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.StrictModel;
import svc.chart.support.Yaml;

/** What holds for every object of every value set. */
class RenderedObjectsTest {
    /** Kinds of others, which Kubernetes' types do not know; other tests check them. */
    private static final Set<String> OF_OTHERS = Set.of("ServiceMonitor", "PrometheusRule", "Cluster");

    private static final Set<String> OF_THE_CLUSTER =
            Set.of("Namespace", "CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding");

    private static final List<String> LABELS = List.of(
            "app.kubernetes.io/name",
            "app.kubernetes.io/instance",
            "app.kubernetes.io/version",
            "app.kubernetes.io/component",
            "app.kubernetes.io/part-of",
            "app.kubernetes.io/managed-by",
            "helm.sh/chart");

    /** What a generated credential looks like: long, of letters and digits, without the shape of a name or a sentence. */
    private static final Pattern CREDENTIAL = Pattern.compile("(svc_(pat|root|leaf|service)_[0-9A-Za-z]{8,})"
            + "|(?<![0-9A-Za-z+/])(?=[0-9A-Za-z+/]*[0-9])(?=[0-9A-Za-z+/]*[A-Z])[0-9A-Za-z+/]{32,}={0,2}(?![0-9A-Za-z+/])"
            + "|-----BEGIN");

    private static final Map<Path, Rendering> RENDERINGS = new TreeMap<>();

    static {
        Chart.valueSets().forEach(values -> RENDERINGS.put(values, Chart.render(values)));
    }

    private static void inEach(BiConsumer<Rendering, ObjectNode> check) {
        RENDERINGS
                .values()
                .forEach(rendering -> rendering.objects().forEach(object -> check.accept(rendering, object)));
    }

    private static void eachPod(BiConsumer<Rendering, JsonNode> check) {
        RENDERINGS.values().forEach(rendering -> rendering.podSpecs().forEach(spec -> check.accept(rendering, spec)));
    }

    @Test
    void noneHasAFieldThatKubernetesDoesNotKnow() {
        inEach((rendering, object) -> assertThat(StrictModel.read(object).isPresent())
                .as(Rendering.id(object))
                .isNotEqualTo(OF_OTHERS.contains(Rendering.kind(object))));
    }

    @Test
    void eachHasTheRecommendedLabels() {
        inEach((rendering, object) ->
                assertThat(labels(object).keySet()).as(Rendering.id(object)).containsAll(LABELS));
    }

    @Test
    void eachNamesItsNamespaceUnlessItIsOfTheCluster() {
        inEach((rendering, object) -> assertThat(
                        object.at("/metadata/namespace").asText().isEmpty())
                .as(Rendering.id(object))
                .isEqualTo(OF_THE_CLUSTER.contains(Rendering.kind(object))));
    }

    @Test
    void noneIsThereTwice() {
        RENDERINGS.forEach((values, rendering) ->
                assertThat(rendering.names()).as("%s", values).hasSameSizeAs(rendering.objects()));
    }

    @Test
    void noneHoldsACredential() {
        inEach((rendering, object) -> {
            assertThat(Rendering.kind(object)).isNotEqualTo("Secret");
            if (!Rendering.kind(object).equals("CustomResourceDefinition")) {
                // A digest is long and random, too, and no secret.
                String text = object.toString().replaceAll("sha256:[0-9a-f]{64}", "");
                assertThat(CREDENTIAL.matcher(text).results().map(found -> found.group()))
                        .as(Rendering.id(object))
                        .isEmpty();
            }
        });
    }

    @Test
    void podsMayRunUnderTheRestrictedStandard() {
        eachPod((rendering, spec) -> {
            assertThat(spec.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(spec.at("/securityContext/runAsUser").asInt()).isPositive();
            assertThat(spec.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
            assertThat(spec.path("hostNetwork").asBoolean()
                            || spec.path("hostPID").asBoolean()
                            || spec.path("hostIPC").asBoolean())
                    .isFalse();
            for (JsonNode container : spec.path("containers")) {
                JsonNode context = container.path("securityContext");
                assertThat(context.path("allowPrivilegeEscalation").asBoolean(true))
                        .isFalse();
                assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
                assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
                assertThat(context.path("privileged").asBoolean()).isFalse();
            }
            for (JsonNode volume : spec.path("volumes")) {
                assertThat(volume.has("hostPath")).isFalse();
            }
        });
    }

    @Test
    void podsAreGivenNoAddressOfServicesAsSettings() {
        eachPod((rendering, spec) ->
                assertThat(spec.path("enableServiceLinks").asBoolean(true)).isFalse());
    }

    @Test
    void memoryIsLimitedToWhatIsRequested() {
        eachPod((rendering, spec) -> {
            JsonNode resources = spec.at("/containers/0/resources");
            assertThat(resources.at("/requests/memory").asText()).isNotEmpty();
            assertThat(resources.at("/limits/memory")).isEqualTo(resources.at("/requests/memory"));
            assertThat(resources.at("/requests/cpu").asText()).isNotEmpty();
            assertThat(resources.at("/limits").has("cpu")).isFalse();
        });
    }

    @Test
    void imagesHaveAVersion() {
        eachPod((rendering, spec) -> assertThat(spec.at("/containers/0/image").asText())
                .matches("[^:@]+(:\\d+/[^:@]+)?:[^:@]+(@sha256:[0-9a-f]{64})?")
                .doesNotContain(":latest"));
    }

    @Test
    void deploymentsAreLookedAfter() {
        inEach((rendering, object) -> {
            if (!Rendering.kind(object).equals("Deployment")) {
                return;
            }
            JsonNode container = Rendering.container(object);
            Set<String> ports = new HashSet<>();
            container.path("ports").forEach(port -> ports.add(port.path("name").asText()));
            for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
                assertThat(container.at("/" + probe + "/httpGet/path").asText())
                        .isEqualTo(
                                switch (probe) {
                                    case "startupProbe" -> "/q/health/started";
                                    case "readinessProbe" -> "/q/health/ready";
                                    default -> "/q/health/live";
                                });
                assertThat(ports)
                        .contains(container.at("/" + probe + "/httpGet/port").asText());
            }
            assertThat(object.at("/spec/strategy/rollingUpdate/maxUnavailable").asInt(-1))
                    .isZero();
            assertThat(object.at("/spec/template/spec/terminationGracePeriodSeconds")
                            .asInt())
                    .isGreaterThan(
                            container.at("/lifecycle/preStop/sleep/seconds").asInt());
            assertThat(object.at("/spec/template/spec/topologySpreadConstraints"))
                    .isNotEmpty();
        });
    }

    /** First it receives no new connections, then those that are kept are closed, then what runs still has some seconds. */
    @Test
    void aStoppingPlaneHasTimeForAllThatItDoesThen() {
        RENDERINGS
                .values()
                .forEach(rendering -> Stream.of("control-plane", "data-plane")
                        .map(rendering::deployment)
                        .forEach(deployment -> {
                            JsonNode container = Rendering.container(deployment);
                            int asleep = container
                                    .at("/lifecycle/preStop/sleep/seconds")
                                    .asInt();
                            assertThat(asleep).isPositive();
                            assertThat(seconds(container, "QUARKUS_SHUTDOWN_DELAY"))
                                    .isEqualTo(asleep);
                            assertThat(asleep + asleep + seconds(container, "QUARKUS_SHUTDOWN_TIMEOUT"))
                                    .isLessThan(deployment
                                            .at("/spec/template/spec/terminationGracePeriodSeconds")
                                            .asInt());
                        }));
    }

    private static int seconds(JsonNode container, String variable) {
        return Rendering.list(container.path("env")).stream()
                .filter(entry -> entry.path("name").asText().equals(variable))
                .mapToInt(entry -> Integer.parseInt(entry.path("value").asText().replace("s", "")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatSelectsPodsSelectsThoseOfItsComponent() {
        inEach((rendering, object) -> selectors(object)
                .forEach(selector -> assertThat(rendering.ofKind("Deployment").stream()
                                .filter(deployment ->
                                        podLabels(deployment).entrySet().containsAll(selector.entrySet()))
                                .map(deployment -> labels(deployment).get("app.kubernetes.io/component"))
                                .toList())
                        .as("%s selects %s", Rendering.id(object), selector)
                        .containsExactly(labels(object).get("app.kubernetes.io/component"))));
    }

    @Test
    void theGatewayOfFunctionsHasTheLabelThatTheirPoliciesName() {
        RENDERINGS.values().forEach(rendering -> {
            ObjectNode data = rendering.deployment("data-plane");
            assertThat(podLabels(data)).containsEntry("app.kubernetes.io/component", "data-plane");
            assertThat(Rendering.list(Rendering.container(rendering.deployment("operator"))
                            .path("env")))
                    .anyMatch(variable -> variable.path("name").asText().equals("SVC_RUNTIME_GATEWAY_NAMESPACE")
                            && variable.path("value")
                                    .asText()
                                    .equals(data.at("/metadata/namespace").asText()));
        });
    }

    @Test
    void portsAreNamedAsTheirServicesSay() {
        inEach((rendering, object) -> {
            if (Rendering.kind(object).equals("Service")) {
                JsonNode container =
                        Rendering.container(rendering.deployment(labels(object).get("app.kubernetes.io/component")));
                assertThat(Rendering.list(container.path("ports")))
                        .as(Rendering.id(object))
                        .extracting(port -> port.path("name"))
                        .contains(object.at("/spec/ports/0/targetPort"));
            }
        });
    }

    @Test
    void whatTheyReferToIsThereOrIsNamedInTheValues() {
        RENDERINGS.forEach((values, rendering) -> {
            Set<String> known = new TreeSet<>(Set.of(
                    "svc-control-plane-roots",
                    "svc-data-plane-roots",
                    "svc-admin-token",
                    "backends-control-plane-roots",
                    "backends-data-plane-roots",
                    "backends-admin-token",
                    "svc-db-superuser"));
            collectNames(Yaml.read(values), known);
            rendering.podSpecs().forEach(spec -> {
                List<String> secrets = new ArrayList<>();
                spec.findValues("secretKeyRef")
                        .forEach(reference -> secrets.add(reference.path("name").asText()));
                spec.findValues("secretName").forEach(name -> secrets.add(name.asText()));
                assertThat(known).as("%s", values).containsAll(secrets);
                String account = spec.path("serviceAccountName").asText("");
                if (!account.isEmpty()
                        && Yaml.read(values).at("/operator/serviceAccount").isMissingNode()) {
                    assertThat(rendering.has("ServiceAccount", account)).isTrue();
                }
            });
        });
    }

    @Test
    void countsAreLeftToTheAutoscaler() {
        RENDERINGS
                .values()
                .forEach(rendering -> rendering
                        .ofKind("HorizontalPodAutoscaler")
                        .forEach(scaler -> {
                            ObjectNode target = rendering.get(
                                    "Deployment",
                                    scaler.at("/spec/scaleTargetRef/name").asText());
                            assertThat(target.path("spec").has("replicas")).isFalse();
                        }));
    }

    @Test
    void evictionsAreLimitedWhereThereIsMoreThanOnePod() {
        Rendering trial = RENDERINGS.get(Chart.valueSet("trial"));
        Rendering many = RENDERINGS.get(Chart.valueSet("default"));

        assertThat(trial.ofKind("PodDisruptionBudget")).isEmpty();
        assertThat(many.ofKind("PodDisruptionBudget")).hasSize(3);
    }

    @Test
    void dataStaysWhenTheChartGoes() {
        RENDERINGS
                .values()
                .forEach(rendering -> Stream.of("Namespace", "Cluster")
                        .flatMap(kind -> rendering.ofKind(kind).stream())
                        .forEach(object -> assertThat(object.at("/metadata/annotations/helm.sh~1resource-policy")
                                        .asText())
                                .as(Rendering.id(object))
                                .isEqualTo("keep")));
    }

    private static void collectNames(JsonNode values, Set<String> into) {
        values.findValuesAsText("existingSecret").forEach(into::add);
        values.findValuesAsText("caSecret").forEach(into::add);
        values.findValuesAsText("secretName").forEach(into::add);
        values.findValuesAsText("tlsSecret").forEach(into::add);
    }

    private static Map<String, String> labels(JsonNode object) {
        return strings(object.at("/metadata/labels"));
    }

    private static Map<String, String> podLabels(JsonNode deployment) {
        return strings(deployment.at("/spec/template/metadata/labels"));
    }

    private static Map<String, String> strings(JsonNode object) {
        Map<String, String> strings = new TreeMap<>();
        object.properties()
                .forEach(entry -> strings.put(entry.getKey(), entry.getValue().asText()));
        return strings;
    }

    private static List<Map<String, String>> selectors(JsonNode object) {
        return switch (Rendering.kind(object)) {
            case "Service" -> List.of(strings(object.at("/spec/selector")));
            case "Deployment", "PodDisruptionBudget", "ServiceMonitor" ->
                List.of(strings(object.at("/spec/selector/matchLabels")));
            case "NetworkPolicy" -> List.of(strings(object.at("/spec/podSelector/matchLabels")));
            default -> List.of();
        };
    }
}
