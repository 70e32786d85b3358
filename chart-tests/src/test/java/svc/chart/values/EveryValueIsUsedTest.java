package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Yaml;

/** Each value changes the rendering: none is left over, or without a reader. */
class EveryValueIsUsedTest {
    /** With all of it switched on; but for the kinds, whose length costs time. */
    private static final String BASE = """
            platform: {dataHost: data.example.com, apiHost: api.example.com, trustedProxies: [192.0.2.1]}
            network: {metricsFrom: [{namespaceSelector: {}}]}
            global: {}
            database: {host: db.example.com, existingSecret: db}
            redis: {host: redis.example.com, existingSecret: redis}
            mail: {host: smtp.example.com, from: a@example.com, username: svc, existingSecret: mail}
            s3: {bucket: svc, endpoint: "https://s3.example.com", existingSecret: s3}
            exposure:
              ingress: {enabled: true}
              gateway: {enabled: true, parentRefs: [{name: public}]}
            postgresEndpoint: {enabled: true, tlsSecret: pg-tls, publicHost: db.example.com}
            metrics: {serviceMonitor: {enabled: true}, prometheusRule: {enabled: true}, dashboards: {enabled: true}}
            tests: {createProject: true}
            crds: {enabled: false}
            """;

    private static final String PEERS = "[{\"podSelector\":{\"matchLabels\":{\"a\":\"b\"}}}]";

    /** What some values take beside or in place of the other one that {@link #other} makes up. */
    private static final Map<String, String> OTHER = Map.ofEntries(
            Map.entry("database.mode", "\"cnpg\""),
            Map.entry("database.sslMode", "\"require\""),
            Map.entry("database.cnpg.storageSize", "\"9Gi\""),
            Map.entry("platform.scheme", "\"http\""),
            Map.entry("platform.logLevel", "\"DEBUG\""),
            Map.entry("platform.port", "8443"),
            Map.entry("logs.otlpEndpoint", "\"http://collector:4318/v1/logs\""),
            Map.entry("platform.watchNamespaces", "[\"a\"]"),
            Map.entry("platform.trustedProxies", "[\"10.0.0.0/8\"]"),
            Map.entry("realtime.maxMessage", "\"9M\""),
            Map.entry("realtime.sendQueue", "\"9M\""),
            Map.entry("realtime.changes.memory", "\"9M\""),
            Map.entry("realtime.changes.maxLag", "\"9G\""),
            Map.entry("ephemeralStorage.request", "\"9Mi\""),
            Map.entry("ephemeralStorage.limit", "\"9Mi\""),
            Map.entry("maxResources.cpu", "\"9\""),
            Map.entry("maxResources.memory", "\"9Gi\""),
            Map.entry("functions.gatewayUrl", "\"http://{ref}.inside\""),
            Map.entry("platform.closedNetworks", "[\"203.0.113.0/24\"]"),
            Map.entry("platform.projectServerNetworks", "[\"10.20.0.0/16\"]"),
            Map.entry("functions.importHosts", "[\"esm.example.com\"]"),
            Map.entry("functions.npmRegistry", "\"https://npm.example.com\""),
            Map.entry("functions.jsrRegistry", "\"https://jsr.example.com\""),
            Map.entry("s3.credentials", "\"environment\""),
            Map.entry("s3.endpoint", "\"https://other.example.com\""),
            Map.entry("mail.security", "\"TLS\""),
            Map.entry("mail.from", "\"b@example.com\""),
            Map.entry("exposure.ingress.dottedPathType", "\"ImplementationSpecific\""),
            Map.entry("exposure.gateway.requestTimeout", "\"9s\""),
            Map.entry("metrics.serviceMonitor.interval", "\"9s\""),
            Map.entry("metrics.prometheusRule.rules", "[{\"alert\":\"X\",\"expr\":\"up\"}]"),
            Map.entry("reconcile.driftInterval", "\"9m\""),
            Map.entry("digest", "\"sha256:" + "0".repeat(64) + "\""),
            Map.entry("pullPolicy", "\"Always\""),
            Map.entry("pdb.minAvailable", "1"),
            Map.entry("service.type", "\"NodePort\""),
            Map.entry("affinity", "{\"nodeAffinity\":{\"x\":\"y\"}}"),
            Map.entry("tolerations", "[{\"key\":\"other\"}]"),
            Map.entry("extraVolumeMounts", "[{\"name\":\"other\",\"mountPath\":\"/x\"}]"),
            Map.entry(
                    "topologySpreadConstraints",
                    "[{\"topologyKey\":\"x\",\"maxSkew\":1,\"whenUnsatisfiable\":\"ScheduleAnyway\"}]"),
            Map.entry("runbookUrl", "\"https://wiki.example.com/svc\""),
            Map.entry("postgresEndpoint.publicHost", "\"pg.example.com\""),
            Map.entry("externalTrafficPolicy", "\"Cluster\""),
            Map.entry("loadBalancerSourceRanges", "[\"198.51.100.0/24\"]"),
            Map.entry("postgresEndpoint.service.type", "\"NodePort\""),
            Map.entry("postgresFrom", PEERS),
            Map.entry("ingressFrom", PEERS),
            Map.entry("metricsFrom", PEERS),
            Map.entry("dnsTo", PEERS),
            Map.entry("kubernetesTo", PEERS),
            Map.entry("databaseTo", PEERS),
            Map.entry("redisTo", PEERS),
            Map.entry("s3To", PEERS),
            Map.entry("networkPolicy.extraIngress", "[{\"from\":[]}]"),
            Map.entry("networkPolicy.extraEgress", "[{\"to\":[]}]"));

    /** Values that count only when another is set. */
    private static final Map<String, String> NEEDS = Map.of(
            "database.cnpg", "{\"database\":{\"mode\":\"cnpg\"}}",
            "secrets.adminToken.key", "{\"secrets\":{\"adminToken\":{\"existingSecret\":\"x\"}}}",
            "crds.keep", "{\"crds\":{\"enabled\":true}}",
            "crds.annotations", "{\"crds\":{\"enabled\":true}}",
            "s3.caKey", "{\"s3\":{\"caSecret\":\"x\"}}",
            "serviceAccount", "{\"serviceAccount\":{\"name\":\"x\"}}",
            "autoscaling", "{\"autoscaling\":{\"enabled\":true,\"max\":20}}");

    /** Values that switch on everything but the kinds. */
    static ObjectNode everythingOn() {
        return Yaml.parse(BASE);
    }

    @Test
    void everyOneChangesTheRendering() {
        ObjectNode base = everythingOn();
        ObjectNode defaults = Yaml.read(Chart.FOLDER.resolve("values.yaml"));
        Map<String, JsonNode> leaves = Yaml.leaves(Yaml.merged(defaults, base));
        String plain = Chart.text(base);
        List<String> unused = new ArrayList<>();
        // Only a hook's, which a rendering leaves out; HelmTestPodTest checks it.
        leaves.remove("tests.createProject");
        leaves.keySet().forEach(path -> {
            ObjectNode under = Yaml.merged(base, need(path));
            JsonNode value = Yaml.leaves(Yaml.merged(defaults, under)).get(path);
            String before = under.equals(base) ? plain : Chart.text(under);
            if (Chart.text(Yaml.merged(under, tree(path, other(path, value)))).equals(before)) {
                unused.add(path);
            }
        });

        assertThat(unused).as("values that change nothing").isEmpty();
    }

    private static ObjectNode need(String path) {
        return NEEDS.entrySet().stream()
                .filter(need -> path.startsWith(need.getKey()) || path.contains("." + need.getKey() + "."))
                .map(need -> {
                    ObjectNode needed = Yaml.parse(need.getValue());
                    boolean ofComponent = path.contains("." + need.getKey() + ".") && !path.startsWith(need.getKey());
                    return ofComponent
                            ? (ObjectNode)
                                    Yaml.JSON.createObjectNode().set(path.substring(0, path.indexOf('.')), needed)
                            : needed;
                })
                .findFirst()
                .orElseGet(Yaml.JSON::createObjectNode);
    }

    private static JsonNode other(String path, JsonNode value) {
        return Stream.of(path, lastTwo(path), last(path))
                .filter(OTHER::containsKey)
                .map(key -> Yaml.parse("value: " + OTHER.get(key)).get("value"))
                .findFirst()
                .orElseGet(() -> madeUp(value));
    }

    private static JsonNode madeUp(JsonNode value) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (value.isBoolean()) {
            return json.booleanNode(!value.asBoolean());
        }
        if (value.isInt()) {
            return json.numberNode(value.asInt() + 7);
        }
        if (value.isArray()) {
            return json.arrayNode().add(json.objectNode().put("name", "other"));
        }
        if (value.isObject()) {
            return json.objectNode().put("other", "x");
        }
        return json.textNode(value.asText().isEmpty() ? "other" : value.asText() + "x");
    }

    private static ObjectNode tree(String path, JsonNode value) {
        int dot = path.indexOf('.');
        ObjectNode tree = Yaml.JSON.createObjectNode();
        tree.set(dot < 0 ? path : path.substring(0, dot), dot < 0 ? value : tree(path.substring(dot + 1), value));
        return tree;
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private static String lastTwo(String path) {
        int end = path.lastIndexOf('.');
        return path.substring(path.lastIndexOf('.', Math.max(0, end - 1)) + 1);
    }
}
