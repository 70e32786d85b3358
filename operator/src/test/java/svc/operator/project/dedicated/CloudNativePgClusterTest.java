package svc.operator.project.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.database.DatabaseSpec;
import svc.database.name.DatabaseRole;
import svc.operator.testing.TestingOperator;

/** A project that asks for a cluster gets one from CloudNativePG, lives in it, and leaves it as its policy says. */
class CloudNativePgClusterTest {
    private static ProjectServerForTests server;
    private TestingOperator operator;
    private CloudNativePgForTests cloudNativePg;

    @BeforeAll
    static void startServer() {
        server = ProjectServerForTests.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void start() {
        operator = TestingOperator.prepared()
                .with("svc.operator.drift-interval", "0.2s")
                .start();
        cloudNativePg = new CloudNativePgForTests(operator.client(), operator.namespace(), server);
    }

    @AfterEach
    void stop() {
        operator.close();
        cloudNativePg.uninstall();
    }

    @Test
    void aProjectLivesInItsCluster() throws SQLException {
        create("shop", cluster(1, "10Gi"));
        Project waiting = operator.await(
                "shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "CloudNativePGNotInstalled"));
        String name = "svc-" + waiting.getStatus().ref();

        cloudNativePg.install();
        GenericKubernetesResource made = cloudNativePg.cluster(name);
        assertThat(made.getAdditionalProperties().get("spec")).isEqualTo(Serialization.unmarshal("""
                instances: 1
                storage: {size: 10Gi}
                resources: {requests: {memory: 1Gi}}
                bootstrap: {initdb: {database: app, owner: app}}
                enableSuperuserAccess: true
                enablePDB: false
                postgresql: {parameters: {shared_buffers: 256MB}}
                """, Map.class));
        assertThat(made.getMetadata().getOwnerReferences()).isEmpty();
        operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.UNKNOWN, "ClusterStarting"));
        cloudNativePg.says(name, "Unable to create required cluster objects");
        operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ClusterFailed"));
        // What people read says it is well, and nothing is.
        cloudNativePg.says(name, "Cluster in healthy state");
        operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.UNKNOWN, "ClusterStarting"));

        cloudNativePg.bringsUp(name);
        Project shop = operator.ready("shop");
        assertThat(shop.getStatus().database().name()).isEqualTo(name);
        assertThat(shop.getStatus().database().layout()).isEqualTo(DatabaseLayout.DEDICATED);
        assertThat(shop.getStatus().database().sslMode()).isEqualTo("verify-full");
        run(shop, "CREATE TABLE todos AS SELECT 42 AS answer");

        resize(name);
        sleepsAndWakes(shop, name);
        operator.edit("shop", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.at("shop").delete();
        operator.awaitGone("shop");
        assertThat(cloudNativePg.at(name).get()).isNull();
    }

    private void resize(String name) {
        operator.edit("shop", spec -> spec.database(cluster(3, "20Gi")));
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> "20Gi".equals(cloudNativePg.at(name).get().get("spec", "storage", "size")));
        assertThat((Integer) cloudNativePg.at(name).get().get("spec", "instances"))
                .isEqualTo(3);
        assertThat((Boolean) cloudNativePg.at(name).get().get("spec", "enablePDB"))
                .isTrue();
        operator.ready("shop");

        operator.edit("shop", spec -> spec.database(cluster(3, "10Gi")));
        Project refused = operator.await(
                "shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "VolumeCannotShrink"));
        assertThat(condition(refused, ProjectCondition.DATABASE_READY).message())
                .contains("20Gi");
        operator.edit("shop", spec -> spec.database(cluster(3, "20Gi")));
        operator.ready("shop");
    }

    private void sleepsAndWakes(Project shop, String name) {
        cloudNativePg.hibernates(name, true);
        operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ClusterHibernated"));
        cloudNativePg.hibernates(name, false);
        operator.ready("shop");

        operator.at("shop").delete();
        operator.awaitGone("shop");
        assertThat(cloudNativePg.at(name).get().getMetadata().getAnnotations())
                .containsEntry("cnpg.io/hibernation", "on");
        cloudNativePg.hibernates(name, true);

        create("shop", cluster(3, "20Gi"));
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> "off"
                        .equals(cloudNativePg
                                .at(name)
                                .get()
                                .getMetadata()
                                .getAnnotations()
                                .get("cnpg.io/hibernation")));
        cloudNativePg.hibernates(name, false);
        Project again = operator.ready("shop");
        assertThat(again.getStatus().anonKey()).isEqualTo(shop.getStatus().anonKey());
        assertThat(server.query("app", "SELECT answer FROM " + again.getStatus().schema() + ".todos"))
                .isEqualTo("42");
    }

    @Test
    void aClusterOfAnotherOwnerIsLeftAlone() {
        cloudNativePg.install();
        operator.create("other", spec -> spec.ref("abcd2345").database(cluster(1, "1Gi")));
        cloudNativePg.cluster("svc-abcd2345");
        TestingOperator.retried(() -> cloudNativePg.at("svc-abcd2345").edit(cluster -> {
            cluster.getMetadata().getLabels().remove("svc.platform/project-id");
            return cluster;
        }));
        operator.await("other", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ClusterNotOwned"));
        operator.edit("other", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.at("other").delete();
        operator.awaitGone("other");
        assertThat(cloudNativePg.at("svc-abcd2345").get()).isNotNull();
    }

    private void run(Project project, String sql) throws SQLException {
        try (var connection = DedicatedProject.login(server.postgres(), project, DatabaseRole.OWNER);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void create(String name, DatabaseSpec database) {
        operator.create(name, spec -> spec.database(database));
    }

    private static DatabaseSpec cluster(int instances, String size) {
        return Serialization.unmarshal("""
                mode: Dedicated
                dedicated:
                  cluster:
                    instances: %d
                    storage: {size: %s}
                    resources: {requests: {memory: 1Gi}}
                    parameters: {shared_buffers: 256MB}
                """.formatted(instances, size), DatabaseSpec.class);
    }
}
