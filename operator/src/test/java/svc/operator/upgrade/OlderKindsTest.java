package svc.operator.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;
import svc.operator.assembly.OperatorAssembly;
import svc.operator.config.PlainOperatorConfig;
import svc.operator.installation.CrdInstallation;
import svc.operator.testing.TestingCluster;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/**
 * Promise: an upgrade of the kinds keeps every object that was stored before valid and whole. The resources hold the kinds
 * as they were first (their defaults written as API servers demand), and an object of each with every field set.
 */
class OlderKindsTest {
    private static final List<String> KINDS = List.of("project", "edgefunction", "functionsecret");
    private static final Map<String, String> MINIMAL = Map.of("name", "Least");

    private TestingCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void installTheFirstKinds() {
        cluster = TestingCluster.another();
        client = TestingCluster.connect(cluster.adminConfig());
        for (String kind : KINDS) {
            CustomResourceDefinition definition = (CustomResourceDefinition) load(kind + ".definition.yaml");
            client.resource(definition).create();
            client.resource(definition).waitUntilCondition(CrdInstallation::isServed, 120, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void whatWasStoredStaysAsItIsAndCanBeEdited() {
        GenericKubernetesResource large = client.resource(largeFunction()).create();
        for (String kind : KINDS) {
            GenericKubernetesResource object = stored(kind);

            CrdInstallation.apply(client);

            GenericKubernetesResource after = client.resource(object).get();
            assertContains(json(object).path("spec"), json(after).path("spec"));
            assertContains(json(object).path("status"), json(after).path("status"));
            client.resource(object).edit(found -> {
                found.getMetadata().setLabels(Map.of("team", "shop"));
                return found;
            });
        }
        assertThat(client.resources(Project.class).inNamespace("default").list().getItems())
                .singleElement()
                .satisfies(project -> assertThat(project.getStatus().anonKey()).isEqualTo("svc_anon_x"));
        assertThat(client.resources(EdgeFunction.class)
                        .inNamespace("default")
                        .list()
                        .getItems())
                .hasSize(2);
        large = client.resource(large).edit(found -> {
            found.getMetadata().setLabels(Map.of("team", "shop"));
            return found;
        });
        large.setAdditionalProperty("status", Map.of("observedGeneration", 1));
        assertThat(client.resource(large).updateStatus().getAdditionalProperties())
                .containsKey("status");
        assertThat(client.resources(FunctionSecret.class)
                        .inNamespace("default")
                        .list()
                        .getItems())
                .hasSize(1);
    }

    @Test
    void theOperatorServesWhatWasStored() {
        var project = new GenericKubernetesResource();
        project.setApiVersion("svc.platform/v1alpha1");
        project.setKind("Project");
        project.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withNamespace("default")
                .withName("least")
                .build());
        project.setAdditionalProperty("spec", MINIMAL);
        client.resource(project).create();

        CrdInstallation.apply(client);

        var config = PlainOperatorConfig.of(Map.of(
                "svc.master-keys.1.value", TestingPostgres.masterKeyText(),
                "svc.databases.main.jdbc-url", TestingPostgres.server().jdbcUrl(TestingPostgres.database()),
                "svc.databases.main.password", TestingPostgres.server().operatorPassword()));
        try (var assembly = new OperatorAssembly(config, client, InstantSource.system(), observation -> {})) {
            Operator operator = assembly.plainOperator();
            operator.start();
            try {
                Awaitility.await()
                        .atMost(TestingOperator.LIMIT)
                        .until(() -> client.resources(Project.class)
                                .inNamespace("default")
                                .withName("least")
                                .get()
                                .isReady());
            } finally {
                operator.stop();
            }
        }
    }

    /** Of more files than a later rule of the kind allows. */
    private static GenericKubernetesResource largeFunction() {
        var function = new GenericKubernetesResource();
        function.setApiVersion("svc.platform/v1alpha1");
        function.setKind("EdgeFunction");
        function.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withNamespace("default")
                .withName("large")
                .build());
        function.setAdditionalProperty(
                "spec",
                Map.of(
                        "projectRef",
                        Map.of("name", "least"),
                        "name",
                        "large",
                        "source",
                        "x",
                        "files",
                        Map.of("a.ts", "x".repeat(256 * 1024), "b.ts", "x".repeat(256 * 1024))));
        return function;
    }

    private GenericKubernetesResource stored(String kind) {
        var object = (GenericKubernetesResource) client.getKubernetesSerialization()
                .unmarshal(resource(kind + ".yaml"), GenericKubernetesResource.class);
        GenericKubernetesResource created = client.resource(object).create();
        created.setAdditionalProperty("status", object.getAdditionalProperties().get("status"));
        return client.resource(created).updateStatus();
    }

    private HasMetadata load(String file) {
        return (HasMetadata) client.getKubernetesSerialization().unmarshal(resource(file));
    }

    private static InputStream resource(String file) {
        return OlderKindsTest.class.getResourceAsStream("first/" + file);
    }

    private JsonNode json(GenericKubernetesResource object) {
        return client.getKubernetesSerialization().convertValue(object, JsonNode.class);
    }

    /** New fields may have come with their defaults; nothing that was there is gone or other. */
    private static void assertContains(JsonNode before, JsonNode after) {
        if (before.isObject()) {
            before.properties().forEach(field -> assertContains(field.getValue(), after.path(field.getKey())));
        } else {
            assertThat(after).isEqualTo(before);
        }
    }
}
