package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.Operator;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.reference.LocalReference;
import svc.operator.assembly.OperatorAssembly;
import svc.operator.config.PlainOperatorConfig;
import svc.operator.function.TestingFunctions;
import svc.operator.installation.CrdInstallation;
import svc.operator.testing.StallingRelay;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingCluster;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/**
 * Promise: a starting operator waits for a slow Kubernetes API. An operator whose informer stopped shuts down instead of
 * running without events, without ending its process. It deletes nothing because of an unsynced cache.
 */
class InformersTest {
    /** Of a request; an operator in a cluster waits ten seconds. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);

    private static final int UNPROCESSABLE = 422;

    @Test
    void anApiThatIsSlowWhenItStartsIsWaitedFor() throws Exception {
        assumeTrue(TestingApi.cluster().isOurs(), "the way to somebody's cluster is not ours");
        Config direct = TestingApi.cluster().operatorConfig();
        try (var relay = new StallingRelay(URI.create(direct.getMasterUrl()).getPort());
                var client = TestingCluster.connect(impatient(direct, relay.port()));
                var assembly = assembly(client, Map.of("svc.operator.watch-namespaces", "default"))) {
            Operator operator = assembly.plainOperator();
            relay.stall();
            CompletableFuture<Void> started = CompletableFuture.runAsync(operator::start);
            // The initial list times out twice.
            Thread.sleep(REQUEST_TIMEOUT.multipliedBy(4).toMillis());
            assertThat(started).isNotDone();

            relay.goOn();

            started.get(TestingOperator.LIMIT.toSeconds(), TimeUnit.SECONDS);
            try {
                Project made = TestingApi.client()
                        .resource(project("patient-" + relay.port()))
                        .create();
                Awaitility.await()
                        .atMost(TestingOperator.LIMIT)
                        .until(() -> TestingApi.client().resource(made).get().isReady());
            } finally {
                operator.stop();
            }
        }
    }

    @Test
    void whoHearsNothingAnyMoreStops() {
        try (TestingCluster cluster = TestingCluster.another();
                var admin = TestingCluster.connect(cluster.adminConfig());
                var assembly = assembly(admin, Map.of())) {
            CrdInstallation.apply(admin);
            Operator operator = assembly.plainOperator();
            operator.start();
            letAnythingBeAProject(admin);

            createUnreadable(admin);

            Awaitility.await()
                    .atMost(TestingOperator.LIMIT)
                    .until(() -> !operator.getRuntimeInfo().isStarted());
        }
    }

    @Test
    void whatCannotBeReadWhenItStartsTakesNothingAway() {
        try (TestingCluster cluster = TestingCluster.another();
                var admin = TestingCluster.connect(cluster.adminConfig());
                var assembly = assembly(admin, Map.of())) {
            CrdInstallation.apply(admin);
            Operator first = assembly.plainOperator();
            first.start();
            admin.resource(project("shop")).create();
            admin.resource(function("shop")).create();
            Awaitility.await()
                    .atMost(TestingOperator.LIMIT)
                    .until(() -> processes(admin).isPresent());
            first.stop();
            Deployment before = processes(admin).orElseThrow();
            letAnythingBeAProject(admin);
            createUnreadable(admin);

            Operator second = assembly.plainOperator();
            second.start();

            Awaitility.await()
                    .atMost(TestingOperator.LIMIT)
                    .until(() -> !second.getRuntimeInfo().isStarted());
            assertThat(processes(admin)).contains(before);
        }
    }

    private static Optional<Deployment> processes(KubernetesClient admin) {
        return admin.apps().deployments().inNamespace("default").list().getItems().stream()
                .findFirst();
    }

    private static EdgeFunction function(String project) {
        var function = new EdgeFunction();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace("default")
                .withName("hello")
                .build());
        function.setSpec(new EdgeFunctionSpec(
                new LocalReference(project), "hello", null, null, TestingFunctions.FIRST, null, null, null, null));
        return function;
    }

    private static OperatorAssembly assembly(KubernetesClient client, Map<String, String> particular) {
        var settings = new HashMap<>(Map.of(
                "svc.master-keys.1.value", TestingPostgres.masterKeyText(),
                "svc.databases.main.jdbc-url", TestingPostgres.server().jdbcUrl(TestingPostgres.database()),
                "svc.databases.main.password", TestingPostgres.server().operatorPassword()));
        settings.putAll(particular);
        return new OperatorAssembly(
                PlainOperatorConfig.of(settings), client, InstantSource.system(), observation -> {});
    }

    private static Config impatient(Config config, int port) {
        return new ConfigBuilder(config)
                .withMasterUrl("https://127.0.0.1:" + port)
                .withRequestTimeout((int) REQUEST_TIMEOUT.toMillis())
                .build();
    }

    private static Project project(String name) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        project.setSpec(ProjectSpec.named(name));
        return project;
    }

    /** As a definition of another version might, which the operator's own does not. */
    private static void letAnythingBeAProject(KubernetesClient admin) {
        var anything = new JSONSchemaProps();
        anything.setType("object");
        anything.setXKubernetesPreserveUnknownFields(true);
        admin.resources(CustomResourceDefinition.class)
                .withName("projects.svc.platform")
                .edit(definition -> {
                    definition.getSpec().getVersions().forEach(version -> {
                        version.getSchema().setOpenAPIV3Schema(anything);
                        // Fields that the schema does not have cannot be selected.
                        version.setSelectableFields(List.of());
                    });
                    return definition;
                });
    }

    /** As soon as the API follows the changed definition, which kube-apiserver does a moment later. */
    private static void createUnreadable(KubernetesClient admin) {
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .ignoreExceptionsMatching(InformersTest::isInvalid)
                .until(() -> admin.resource(unreadable()).create() != null);
    }

    private static boolean isInvalid(Throwable refused) {
        return refused instanceof KubernetesClientException e && e.getCode() == UNPROCESSABLE;
    }

    private static GenericKubernetesResource unreadable() {
        var project = new GenericKubernetesResource();
        project.setApiVersion("svc.platform/v1alpha1");
        project.setKind("Project");
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace("default")
                .withName("unreadable")
                .build());
        project.setAdditionalProperty("spec", "words");
        return project;
    }
}
