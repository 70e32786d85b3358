package svc.operator.assembly;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionStatus;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectSpec;
import svc.crds.project.database.DatabaseMode;
import svc.crds.project.database.DatabaseSpec;
import svc.crds.project.database.DedicatedSpec;
import svc.crds.reference.LocalReference;
import svc.crds.reference.SecretKeyReference;
import svc.crds.secret.FunctionSecret;
import svc.crds.secret.FunctionSecretSpec;
import svc.crds.secret.SecretSource;
import svc.operator.config.OperatorConfig;
import svc.operator.function.TestingFunctions;
import svc.operator.project.ProjectFinalizer;
import svc.operator.project.ProjectReconciler;
import svc.operator.project.database.FailureReason;
import svc.operator.project.failure.FailureMapper;
import svc.operator.testing.TestingOperator;

/** The operator as it is shipped: Quarkus finds the reconciler, hands it the configuration, and serves health and metrics. */
@QuarkusTest
@QuarkusTestResource(value = PlatformForQuarkus.class, restrictToAnnotatedClass = true)
class QuarkusOperatorTest {
    @Inject
    KubernetesClient client;

    @Inject
    Operator operator;

    @Inject
    OperatorConfig config;

    @ConfigProperty(name = "test.url")
    String url;

    @Test
    void aProjectBecomesReadyAndMetricsCountIt() throws Exception {
        var project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace("default")
                .withName("from-quarkus")
                .build());
        project.setSpec(ProjectSpec.named("from-quarkus"));
        client.resource(project).create();

        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .until(() -> client.resource(project).get().isReady());

        assertThat(client.resource(project).get().getMetadata().getFinalizers()).containsExactly(ProjectFinalizer.NAME);
        assertThat(client.resource(project).get().getMetadata().getManagedFields())
                .as("20 KB of each Project in every cache")
                .isEmpty();
        assertThat(get("/q/metrics"))
                .contains("svc_projects{state=\"ready\"} 1.0")
                .contains("svc_reconcile_seconds_count")
                .doesNotContain("from-quarkus");
    }

    /** Metrics, which only this assembly has, wrap what a reconciliation throws. */
    @Test
    void aFailureNamesItsCauseWithMetricsOn() {
        var project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace("default")
                .withName("no-connection")
                .build());
        project.setSpec(ProjectSpec.named("no-connection").toBuilder()
                .database(new DatabaseSpec(
                        DatabaseMode.DEDICATED, null, new DedicatedSpec(new LocalReference("nope"), null)))
                .build());
        client.resource(project).create();

        Awaitility.await().atMost(TestingOperator.LIMIT).untilAsserted(() -> {
            Condition condition =
                    TestingOperator.condition(client.resource(project).get(), ProjectCondition.DATABASE_READY);
            assertThat(condition).isNotNull();
            assertThat(condition.status()).isEqualTo(ConditionStatus.FALSE);
            assertThat(condition.reason()).isEqualTo("ConnectionSecretMissing");
            assertThat(condition.message()).contains("the Secret nope does not exist");
        });
        assertThat(client.v1().events().inNamespace("default").list().getItems())
                .filteredOn(event ->
                        "no-connection".equals(event.getInvolvedObject().getName()))
                .extracting(Event::getReason)
                .contains("ConnectionSecretMissing");
        client.resource(project).delete();
    }

    static Stream<Arguments> failures() {
        Stream<Arguments> ofDatabases = Stream.of(FailureReason.values())
                .map(reason -> Arguments.of(
                        FailingProjects.DATABASE
                                + reason.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        ProjectCondition.DATABASE_READY,
                        ConditionStatus.FALSE,
                        reason.conditionReason()));
        return Stream.concat(
                ofDatabases,
                Stream.of(
                        Arguments.of(
                                FailingProjects.API + 403,
                                ProjectCondition.KEYS_READY,
                                ConditionStatus.FALSE,
                                FailureMapper.KUBERNETES_FORBIDDEN),
                        Arguments.of(
                                FailingProjects.API + 503,
                                ProjectCondition.KEYS_READY,
                                ConditionStatus.FALSE,
                                FailureMapper.KUBERNETES_FAILED),
                        Arguments.of(
                                FailingProjects.BUG,
                                ProjectCondition.DATABASE_READY,
                                ConditionStatus.UNKNOWN,
                                FailureMapper.INTERNAL_ERROR)));
    }

    /** With everything that only this assembly has: metrics wrap what a reconciliation throws. */
    @ParameterizedTest
    @MethodSource("failures")
    void aFailureIsSaidInConditionEventAndLog(String name, String type, ConditionStatus status, String reason) {
        try (var log = new OperatorLog()) {
            Project project = client.resource(project(name)).create();

            Condition condition = awaitCondition(project, type, reason);
            assertThat(condition.status()).isEqualTo(status);
            assertThat(condition.message()).isNotEmpty().doesNotContain(FailingProjects.SECRET);
            assertThat(events(name, reason)).contains(condition.message());
            assertThat(log.of("default/" + name))
                    .anySatisfy(line -> assertThat(line).contains(reason, condition.message()));
            client.resource(project).delete();
        }
    }

    /** Of what the operator has no name for, a user can report where it is in the code, and an admin finds it in the log. */
    @Test
    void aBugHasOneIdAndItsClassHoweverOftenItIsTried() {
        try (var log = new OperatorLog()) {
            Project project =
                    client.resource(project(FailingProjects.BUG + "-again")).create();
            String message = awaitCondition(project, ProjectCondition.DATABASE_READY, FailureMapper.INTERNAL_ERROR)
                    .message();
            assertThat(message).containsPattern("failed with java\\.lang\\.ArithmeticException, id [0-9a-f]{12}:");

            Awaitility.await("a second attempt")
                    .atMost(TestingOperator.LIMIT)
                    .untilAsserted(() -> assertThat(
                                    log.of("default/bug-again").stream().filter(line -> line.contains(message)))
                            .hasSizeGreaterThanOrEqualTo(2));
            assertThat(TestingOperator.condition(client.resource(project).get(), ProjectCondition.DATABASE_READY)
                            .message())
                    .isEqualTo(message);
            assertThat(events("bug-again", FailureMapper.INTERNAL_ERROR)).containsExactly(message);
            client.resource(project).delete();
        }
    }

    /** The status of a Project is written by hand here, as only an admin may. */
    @Test
    void aBugIsSaidOfFunctionsAndSecretsToo() {
        Project project =
                client.resource(project(FailingProjects.BUG + "-status")).create();
        awaitCondition(project, ProjectCondition.DATABASE_READY, FailureMapper.INTERNAL_ERROR);
        client.resource(project).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), """
                {"status":{"projectId":"11111111-1111-1111-1111-111111111111","ref":"abcd2345","url":"https://x.example",
                 "schema":"s","anonKey":"k","incarnation":"***","masterKeyVersion":1,"keys":{},
                 "conditions":[{"type":"Claimed","status":"True","reason":"ClaimHeld","message":"",
                                "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}""");
        var function = new EdgeFunction();
        function.setMetadata(project("bug-function").getMetadata());
        function.setSpec(new EdgeFunctionSpec(
                new LocalReference("bug-status"), "hello", null, null, TestingFunctions.FIRST, null, null, null, null));
        client.resource(function).create();
        var secret = new FunctionSecret();
        secret.setMetadata(project("bug-secret").getMetadata());
        secret.setSpec(new FunctionSecretSpec(
                new LocalReference("bug-status"),
                "hello",
                "WORD",
                new SecretSource(new SecretKeyReference("any", "value"))));
        client.resource(secret).create();

        for (String name : List.of("bug-function", "bug-secret")) {
            Awaitility.await(name)
                    .atMost(TestingOperator.LIMIT)
                    .untilAsserted(() -> assertThat(events(name, FailureMapper.INTERNAL_ERROR))
                            .isNotEmpty());
            // A second attempt may begin before it sees the status of the first, and reports the same.
            assertThat(Set.copyOf(events(name, FailureMapper.INTERNAL_ERROR)))
                    .singleElement(as(STRING))
                    .contains("IllegalArgumentException, id ");
        }
        assertThat(Conditions.in(client.resource(function).get().getStatus().conditions(), "Available"))
                .get()
                .returns(FailureMapper.INTERNAL_ERROR, Condition::reason);
        assertThat(Conditions.in(client.resource(secret).get().getStatus().conditions(), "ValueFound"))
                .get()
                .returns(FailureMapper.INTERNAL_ERROR, Condition::reason);
        client.resource(function).delete();
        client.resource(secret).delete();
        client.resource(project).delete();
    }

    private static Project project(String name) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        project.setSpec(ProjectSpec.named(name));
        return project;
    }

    private Condition awaitCondition(Project project, String type, String reason) {
        return Awaitility.await(reason)
                .atMost(TestingOperator.LIMIT)
                .until(
                        () -> TestingOperator.condition(client.resource(project).get(), type),
                        found -> found != null && found.reason().equals(reason));
    }

    /** The messages of a resource's Events of that reason. */
    private List<String> events(String name, String reason) {
        return client.v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> name.equals(event.getInvolvedObject().getName()))
                .filter(event -> reason.equals(event.getReason()))
                .map(Event::getMessage)
                .toList();
    }

    @Test
    void theConfiguredIntervalsReachTheSdk() {
        var controller = operator.getRegisteredController(ProjectReconciler.NAME)
                .orElseThrow()
                .getConfiguration();

        assertThat(controller.maxReconciliationInterval())
                .contains(config.operator().driftInterval());
        assertThat(controller.getFinalizerName()).isEqualTo(ProjectFinalizer.NAME);
        assertThat(controller.getRetry()).isInstanceOfSatisfying(GenericRetry.class, retry -> {
            assertThat(retry.getInitialInterval()).isEqualTo(2_000);
            assertThat(retry.getMaxInterval()).isEqualTo(300_000);
            assertThat(retry.getMaxAttempts()).isEqualTo(-1);
        });
        assertThat(operator.getConfigurationService().getLeaderElectionConfiguration())
                .isEmpty();
        assertThat(operator.getConfigurationService().concurrentReconciliationThreads())
                .isEqualTo(config.operator().concurrency());
        // The operator waits for its reconciliations before the SDK stops: see StoppingOperatorTest.
        assertThat(operator.getConfigurationService().reconciliationTerminationTimeout())
                .isLessThan(config.operator().terminationTimeout());
    }

    @Test
    void itIsAliveAndReady() throws Exception {
        assertThat(get("/q/health/live")).contains("\"UP\"").contains("operator process");
        assertThat(get("/q/health/ready")).contains("\"UP\"");
    }

    @Test
    void anotherJvmWithQuarkusTestsMayRunBeside() {
        assertThat(URI.create(url).getPort()).isPositive().isNotEqualTo(8081);
    }

    private String get(String path) throws Exception {
        var answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }
}
