package svc.operator.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static svc.operator.function.TestingFunctions.FIRST;
import static svc.operator.function.TestingFunctions.because;

import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.database.DatabaseSpec;
import svc.embedded.cluster.AuditedRequests;
import svc.embedded.cluster.GrantedRights;
import svc.operator.function.TestingFunctions;
import svc.operator.installation.CrdInstallation;
import svc.operator.project.dedicated.CloudNativePgForTests;
import svc.operator.testing.OperatorAccount;
import svc.operator.testing.RealCluster;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingCluster;
import svc.operator.testing.TestingOperator;

/**
 * Promise: {@code config/rbac/operator.yaml} grants what the operator uses and nothing else, and it needs no right outside
 * the served namespaces and its own. The API server enforces the grants on every test that runs on it; here one life of
 * everything the operator keeps is read back from its audit log.
 */
class RightsAsUsedTest {
    private static final String LEASES = OperatorAccount.NAMESPACE;
    private static final String ACCOUNT = "svc-operator";
    private static final String INSTALLING = "svc-operator-install-kinds";

    /** What one smooth life makes no use of; the manifest says what each is for. */
    private static final Set<String> UNSEEN = Set.of(
            "get svc.platform/projects",
            "update coordination.k8s.io/leases",
            // Looked for every ten seconds, which is longer than this life.
            "watch postgresql.cnpg.io/clusters");

    @BeforeEach
    void onAServerWithAnAudit() {
        assumeTrue(
                TestingApi.cluster() instanceof RealCluster, "only Kubernetes' own API server says who asked for what");
    }

    @Test
    void everyGrantIsUsedAndNoneIsMissing() throws IOException {
        Path log = ((RealCluster) TestingApi.cluster()).auditLog();
        // Tests before this one took the server away, and namespaces: both refuse what is granted.
        int before = audited(log, ACCOUNT).events().size();

        liveOnce(TestingOperator.prepared());

        expectUsed(log, ACCOUNT);
        assertThat(audited(log, ACCOUNT).since(before).refused()).isEmpty();
    }

    @Test
    void inTheServedNamespaceAloneTheSameRightsSuffice() throws IOException {
        var cluster = (RealCluster) TestingApi.cluster();
        TestingOperator operator = TestingOperator.prepared();
        String served = operator.namespace();

        liveOnce(operator.as(cluster.operatorConfigIn(TestingApi.client(), served)));

        String account = OperatorAccount.nameIn(served);
        expectUsed(cluster.auditLog(), account);
        assertThat(audited(cluster.auditLog(), account).refused()).isEmpty();
    }

    private static void expectUsed(Path log, String account) throws IOException {
        Set<String> granted = granted(role -> !role.equals(INSTALLING));
        granted.removeAll(UNSEEN);
        // A watch is logged when it ends.
        Awaitility.await("the audit of what was granted")
                .atMost(TestingOperator.LIMIT)
                .untilAsserted(() -> assertThat(audited(log, account).used()).containsAll(granted));
    }

    @Test
    void theRightToInstallTheKindsIsUsedWhole() throws IOException {
        try (var cluster = (RealCluster) TestingCluster.another();
                var admin = TestingCluster.connect(cluster.adminConfig())) {
            cluster.kindsInstalled(admin);
            // As an admin must with svc.crds.apply.
            admin.resource(new ClusterRoleBindingBuilder()
                            .withNewMetadata()
                            .withName(INSTALLING)
                            .endMetadata()
                            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", INSTALLING)
                            .addNewSubject("", "ServiceAccount", "svc-operator", LEASES)
                            .build())
                    .create();
            try (var own = TestingCluster.connect(cluster.operatorConfig())) {
                Awaitility.await("the binding is in force")
                        .ignoreExceptions()
                        .atMost(TestingOperator.LIMIT)
                        .until(() -> own.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .list()
                                .getItems()
                                .isEmpty());

                CrdInstallation.apply(own);
            }
            Set<String> granted = granted(INSTALLING::equals);
            Awaitility.await("the audit of what was granted")
                    .atMost(TestingOperator.LIMIT)
                    .untilAsserted(() -> assertThat(
                                    audited(cluster.auditLog(), ACCOUNT).used())
                            .containsAll(granted));
        }
    }

    private static void liveOnce(TestingOperator prepared) {
        String lease = "svc-operator-" + UUID.randomUUID();
        try (var operator = prepared.with("svc.operator.leader-election.enabled", "true")
                .with("svc.operator.leader-election.lease-name", lease)
                .with("svc.operator.leader-election.lease-namespace", LEASES)
                .with("svc.operator.leader-election.retry-period", "0.2s")
                .start()) {
            var functions = new TestingFunctions(operator);
            operator.create("shop", spec -> spec.keysSecret("keys"));
            operator.ready("shop");
            operator.edit("shop", spec -> spec.keysSecret("other-keys"));
            operator.await(
                    "shop", project -> "other-keys".equals(project.getStatus().secretName()));
            functions.value("greeting", "hello", Map.of());
            functions.secret("greeting", "shop", "hello", "GREETING", "greeting");
            functions.create("hello", "shop", "hello", FIRST);
            functions.status(functions.running("hello", FIRST), 1, 0);
            // The operator may hear of the function before it hears of its secret.
            functions.served("hello");
            // Deleting a project withdraws its functions; the resources stay.
            operator.at("shop").delete();
            operator.awaitGone("shop");
            functions.await("hello", because("ProjectNotFound"));
            // Resources of the Management API are deleted with a project whose policy is Delete.
            operator.create("brief", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
            functions.madeByApi(
                    "made", "brief", operator.ready("brief").getStatus().ref());
            operator.at("brief").delete();
            operator.awaitGone("brief");
            clusterLife(operator);
        } finally {
            TestingApi.client().leases().inNamespace(LEASES).withName(lease).delete();
        }
    }

    private static void clusterLife(TestingOperator operator) {
        var cloudNativePg = CloudNativePgForTests.withoutServer(operator.client(), operator.namespace());
        cloudNativePg.install();
        try {
            var database = Serialization.unmarshal(
                    "mode: Dedicated\ndedicated: {cluster: {storage: {size: 1Gi}}}", DatabaseSpec.class);
            Project project =
                    operator.create("clustered", spec -> spec.database(database).deletionPolicy(DeletionPolicy.DELETE));
            cloudNativePg.cluster("svc-" + ProjectIdentity.of(project).ref());
            operator.at("clustered").delete();
            operator.awaitGone("clustered");
        } finally {
            cloudNativePg.uninstall();
        }
    }

    private static Set<String> granted(Predicate<String> roles) throws IOException {
        return GrantedRights.of(TestingApi.client(), OperatorAccount.MANIFEST, roles);
    }

    private static AuditedRequests audited(Path log, String account) throws IOException {
        return AuditedRequests.read(log, OperatorAccount.NAMESPACE, account);
    }
}
