package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.chart.support.Chart;
import svc.chart.support.Yaml;

/** A typing error in values, and values that cannot work, stop the installation in words that say what to set. */
class RefusedValuesTest {
    private static final Path DEFAULTS = Chart.valueSet("default");

    @ParameterizedTest
    @CsvSource({
        "replicaCounts, 3",
        "operator.replicaCounts, 3",
        "dataPlane.image.tags, 1.0",
        "controlPlane.pdb.minAvailabel, 1",
        "secrets.masterKey.value, abc",
        "mail.password, abc",
        "exposure.ingress.tls.secret, x",
        "database.cnpg.instance, 3",
        "platform.dataHosts, x.example.com",
        "global.imagePullSecrets[0].nam, registry",
        "operator.resources.limit, 1Gi",
        "operator.podSecurityContext.runAsNonRot, true",
        "dataPlane.containerSecurityContext.readOnlyRootFileSystem, true",
        "dataPlane.tolerations[0].keey, pool",
        "dataPlane.affinity.nodeAfinity, y",
        "dataPlane.topologySpreadConstraints[0].maxSkev, 1",
        "controlPlane.extraEnv[0].valueFrm, y",
        "controlPlane.extraVolumeMounts[0].mountPth, /x",
        "controlPlane.networkPolicy.extraEgress[0].port, 5433",
        "controlPlane.networkPolicy.extraIngress[0].ports[0].prt, 5433",
        "exposure.gateway.parentRefs[0].namespce, gateways",
        "network.ingressFrom[0].namespaceSelector.matchExpressions[0].keyy, x"
    })
    void aKeyThatIsNotThere(String key, String value) {
        assertThatThrownBy(() -> Chart.with(DEFAULTS, key, value))
                .hasMessageContaining("specifications of the schema")
                .hasMessageContaining(key.substring(key.lastIndexOf('.') + 1));
    }

    @ParameterizedTest
    @CsvSource({
        "operator.replicaCount, two",
        "operator.replicaCount, 0",
        "platform.dataHost, https://data.example.com",
        "platform.dataHost, *.data.example.com",
        "platform.scheme, ftp",
        "database.port, 0",
        "database.mode, internal",
        "dataPlane.image.tag, no tag",
        "platform.port, 99999",
        "platform.port, http",
        "dataPlane.pdb.minAvailable, half",
        "exposure.ingress.dottedPathType, Regex",
        "functions.gatewayUrl, http://no-ref.example.com",
        // Any caller could claim any address.
        "platform.trustedProxies[0], 0.0.0.0/0",
        "platform.trustedProxies[0], ::/0",
        "platform.trustedProxies[0], ingress-nginx",
        // A hole in a policy must be within what it opens.
        "platform.closedNetworks[0], 0.0.0.0/0",
        "platform.closedNetworks[0], fd00::/8",
        "platform.closedNetworks[0], 10.0.0.1",
        // An empty peer is refused by Kubernetes; one with a misspelled selector would be for all.
        "network.ingressFrom[0].namespaceSelektor.x, y",
        "network.redisTo[0].podSelector.matchLabel.app, redis",
        "network.databaseTo[0].ipBlock.cidr, postgres.db.svc",
        "s3.bucket, Not_A_Bucket",
        "s3.credentials, none",
        "s3.caSecret, Not_A_Secret",
        "mail.security, PLAIN",
        "mail.from, nobody",
        "reconcile.driftInterval, 5 minutes"
    })
    void aValueThatCannotBeMeant(String key, String value) {
        assertThatThrownBy(() -> Chart.with(DEFAULTS, key, value)).hasMessageContaining("specifications of the schema");
    }

    @Test
    void whatHasNoDefaultIsAskedForAtOnce() {
        assertThatThrownBy(() -> Chart.text(Yaml.JSON.createObjectNode()))
                .hasMessageContaining("platform.dataHost: set the domain")
                .hasMessageContaining("platform.apiHost: set the host")
                .hasMessageContaining("database.host: set the host")
                .hasMessageContaining("database.existingSecret: name the Secret")
                .hasMessageContaining("redis.host: set the host");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s3.bucket | svc | s3.existingSecret: name the Secret",
                "mail.host | smtp.example.com | mail.from: set the address",
                "mail.username | svc | mail.existingSecret: name the Secret",
                "platform.apiHost | api.data.example.com | must not be below platform.dataHost",
                "platform.apiHost | data.example.com | must not be platform.dataHost",
                "platform.dataHost | x.api.example.com | must not be below platform.apiHost",
                "dataPlane.image.tag | latest | dataPlane.image.tag: latest is another image every day",
                "functions.image.tag | latest | functions.image.tag: latest is another image every day",
                "database.parameters.sslmode | disable | database.parameters: has sslmode",
                "dataPlane.preStopSleepSeconds | 40 | must be more than twice dataPlane.preStopSleepSeconds",
                "platform.projectNamespace | svc-system | must not be the platform's own",
                "platform.watchNamespaces[0] | svc-system | must not include the platform's own namespace",
                "metrics.serviceMonitor.enabled | true | network.metricsFrom: name the pods of Prometheus",
                "operator.serviceAccount.create | false | operator.serviceAccount.name: name the account"
            })
    void whatDoesNotGoTogether(String key, String value, String message) {
        assertThatThrownBy(() -> Chart.with(DEFAULTS, key, value)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"operator", "controlPlane", "dataPlane"})
    void fewerPodsAtMostThanAtLeast(String component) {
        ObjectNode values = Yaml.read(DEFAULTS);
        values.withObject("/" + component + "/autoscaling")
                .put("enabled", true)
                .put("min", 5)
                .put("max", 3);

        assertThatThrownBy(() -> Chart.text(values))
                .hasMessageContaining(component + ".autoscaling.max: must not be below " + component
                        + ".autoscaling.min: 3 pods are fewer than 5");
    }

    @Test
    void aVariableThatIsNamedTwice() {
        ObjectNode values = Yaml.read(DEFAULTS);
        for (String value : List.of("1", "2")) {
            values.withObject("/operator")
                    .withArray("extraEnv")
                    .addObject()
                    .put("name", "A")
                    .put("value", value);
        }

        assertThatThrownBy(() -> Chart.text(values)).hasMessageContaining("operator.extraEnv: has a name twice");
    }

    @Test
    void aRouteWithoutAGateway() {
        ObjectNode values = Yaml.read(Chart.valueSet("gateway"));
        ((ObjectNode) values.at("/exposure/gateway")).remove("parentRefs");

        assertThatThrownBy(() -> Chart.text(values))
                .hasMessageContaining("exposure.gateway.parentRefs: name the Gateway");
    }

    @Test
    void allNamespacesAndSomeNamespacesAreNotServedAtOnce() {
        assertThatThrownBy(() -> Chart.with(Chart.valueSet("namespaced"), "platform.clusterWide", true))
                .hasMessageContaining("platform.watchNamespaces: names the namespaces that are served");
    }

    /** Without them every caller has the proxy's address, and one caller uses up the limits of all. */
    @ParameterizedTest
    @ValueSource(strings = {"ingress-tls", "gateway", "trial"})
    void exposureIsRefusedWithoutTheProxiesInFront(String set) {
        ObjectNode values = Yaml.read(Chart.valueSet(set));
        ((ObjectNode) values.path("platform")).remove("trustedProxies");

        assertThatThrownBy(() -> Chart.text(values))
                .hasMessageContaining(
                        "platform.trustedProxies: name the addresses or networks of the Ingress controller");
        ((ObjectNode) values.path("platform")).putArray("trustedProxies");
        assertThatThrownBy(() -> Chart.text(values))
                .hasMessageContaining("platform.trustedProxies: name the addresses");
    }

    @Test
    void everyObjectOfTheSchemaIsClosed() {
        List<String> open = new ArrayList<>();
        ObjectNode schema = Yaml.read(Chart.FOLDER.resolve("values.schema.json"));
        collectOpen(schema, "", open);

        assertThat(open)
                .as("objects with named properties that take further ones")
                .isEmpty();
    }

    private static void collectOpen(JsonNode node, String at, List<String> open) {
        if (node.has("properties") && node.path("additionalProperties").asBoolean(true)) {
            open.add(at);
        }
        node.properties().forEach(entry -> collectOpen(entry.getValue(), at + "/" + entry.getKey(), open));
    }

    /** Of these the message says that they failed, and not what to set. */
    @Test
    void noKeywordOfTheSchemaHidesItsReason() {
        ObjectNode schema = Yaml.read(Chart.FOLDER.resolve("values.schema.json"));

        for (String keyword : List.of("not", "oneOf", "anyOf", "allOf", "if", "const")) {
            assertThat(schema.findValues(keyword)).as(keyword).isEmpty();
        }
    }

    @Test
    void noDefaultIsACredential() {
        Yaml.leaves(Yaml.read(Chart.FOLDER.resolve("values.yaml"))).forEach((path, value) -> {
            if (path.matches("(?i).*(existingSecret|password|secret|token)$")) {
                assertThat(value.asText()).as(path).isEmpty();
            }
        });
    }
}
