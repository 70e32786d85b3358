package svc.operator.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectSpec;
import svc.crds.project.database.DatabaseMode;
import svc.crds.project.database.DatabaseSpec;
import svc.crds.project.database.DedicatedSpec;
import svc.crds.reference.LocalReference;
import svc.operator.config.OperatorConfig;
import svc.operator.project.ProjectFinalizer;
import svc.operator.project.ProjectReconciler;
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
        assertThat(operator.getConfigurationService().reconciliationTerminationTimeout())
                .isEqualTo(config.operator().terminationTimeout());
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
