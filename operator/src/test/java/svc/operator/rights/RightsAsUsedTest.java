package svc.operator.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static svc.operator.function.TestingFunctions.FIRST;
import static svc.operator.function.TestingFunctions.because;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.database.DatabaseSpec;
import svc.operator.function.TestingFunctions;
import svc.operator.project.dedicated.CloudNativePgForTests;
import svc.operator.runtime.KindInstallation;
import svc.operator.testing.OperatorAccount;
import svc.operator.testing.RealCluster;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingCluster;
import svc.operator.testing.TestingOperator;

/**
 * Promise: {@code config/rbac/operator.yaml} grants what the operator uses and nothing else. The API server enforces the
 * grants on every test that runs on it; here one life of everything the operator keeps is read back from its audit log.
 */
@Tag("real-kubernetes")
class RightsAsUsedTest {
    private static final String LEASES = OperatorAccount.NAMESPACE;
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
        liveOnce();

        Path log = ((RealCluster) TestingApi.cluster()).auditLog();
        Set<String> granted = granted(role -> !role.equals(INSTALLING));
        granted.removeAll(UNSEEN);
        // A watch is told of when it ends.
        Awaitility.await("the audit of what was granted")
                .atMost(TestingOperator.LIMIT)
                .untilAsserted(
                        () -> assertThat(AuditedRequests.read(log).used()).containsAll(granted));
        assertThat(AuditedRequests.read(log).refused()).isEmpty();
    }

    @Test
    void theRightToInstallTheKindsIsUsedWhole() throws IOException {
        try (var cluster = (RealCluster) TestingCluster.another();
                var admin = TestingCluster.connect(cluster.adminConfig())) {
            cluster.kindsInstalled(admin);
            // As an admin does who sets svc.crds.apply.
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

                KindInstallation.apply(own);
            }
            Set<String> granted = granted(INSTALLING::equals);
            Awaitility.await("the audit of what was granted")
                    .atMost(TestingOperator.LIMIT)
                    .untilAsserted(() -> assertThat(
                                    AuditedRequests.read(cluster.auditLog()).used())
                            .containsAll(granted));
        }
    }

    private static void liveOnce() {
        String lease = "svc-operator-" + UUID.randomUUID();
        try (var operator = TestingOperator.prepared()
                .with("svc.operator.leader-election.enabled", "true")
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
            functions.started("hello");
            functions.await("hello", EdgeFunction::isReady);
            // A project that is gone takes its functions down, which are somebody's resources still.
            operator.at("shop").delete();
            operator.awaitGone("shop");
            functions.await("hello", because("ProjectNotFound"));
            // Those that the Management API made go with a project that goes with its data.
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

    /** Of the roles whose names are chosen. */
    private static Set<String> granted(Predicate<String> chosen) throws IOException {
        Set<String> granted = new TreeSet<>();
        try (var manifest = Files.newInputStream(OperatorAccount.MANIFEST)) {
            for (HasMetadata object : TestingApi.client().load(manifest).items()) {
                List<PolicyRule> rules = switch (object) {
                    case ClusterRole role -> role.getRules();
                    case Role role -> role.getRules();
                    default -> List.of();
                };
                if (chosen.test(object.getMetadata().getName())) {
                    rules.forEach(rule -> granted.addAll(rights(rule)));
                }
            }
        }
        return granted;
    }

    private static List<String> rights(PolicyRule rule) {
        return rule.getApiGroups().stream()
                .flatMap(group -> rule.getResources().stream()
                        .flatMap(resource -> rule.getVerbs().stream().map(verb -> verb + " " + group + "/" + resource)))
                .toList();
    }
}
