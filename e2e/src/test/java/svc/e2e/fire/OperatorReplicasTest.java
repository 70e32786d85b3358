package svc.e2e.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.CrdCatalog;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.e2e.platform.OperatorProcess;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.process.Folders;

/**
 * Promise: two replicas of the packaged operator hand over as a cluster rolls them. After SIGTERM the leader ends in order
 * and gives its lease back; a leader that has lost its lease ends, so that it is restarted and waits for its turn; so does
 * one that cannot hear any more of a kind, and gives its lease back.
 */
class OperatorReplicasTest {
    private static final String NAMESPACE = "default";
    private static final String LEASE = "svc-operator";
    private static final Duration LIMIT = Duration.ofMinutes(3);
    /** The exit status of a process that SIGTERM ended: 128 and the number of the signal. */
    private static final int ENDED_BY_SIGTERM = 143;

    private static final int ENDED_BY_ITSELF = 1;

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private Path folder;
    private EmbeddedKubernetes kubernetes;
    private EmbeddedPostgres postgres;
    private KubernetesClient admin;

    @BeforeEach
    void makeCluster() throws Exception {
        folder = Files.createTempDirectory("svc-e2e-replicas-");
        started.push(() -> Folders.deleteRecursively(folder));
        postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.lasting(folder.resolve("postgres"), 0));
        started.push(postgres);
        try (var connection = postgres.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE svc");
        }
        kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
        started.push(kubernetes);
        admin = new KubernetesClientBuilder()
                .withConfig(kubernetes.clientConfig())
                .build();
        started.push(admin);
        CrdCatalog.load().all().forEach(kind -> admin.resource(kind).create());
    }

    @AfterEach
    void stop() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }

    @Test
    void aLeaderThatIsTerminatedHandsOverAtOnce() throws Exception {
        // The test does not wait an hour: a lease that is not given back stays taken.
        OperatorProcess first = replica("first", Map.of("svc.operator.leader-election.lease-duration", "1h"));
        await("a leader", () -> holder() != null);
        String leader = holder();
        replica("second", Map.of("svc.operator.leader-election.lease-duration", "1h"));
        create("before");

        first.tellToEnd();

        assertThat(first.exitCode(LIMIT)).isEqualTo(ENDED_BY_SIGTERM);
        await("another leader", () -> !holder().isEmpty() && !holder().equals(leader));
        create("after");
    }

    @Test
    void aLeaderThatHasLostItsLeaseEnds() throws Exception {
        OperatorProcess first = replica("first", Map.of("svc.operator.leader-election.renew-deadline", "3s"));
        await("a leader", () -> holder() != null);

        await("a moment in which the leader does not renew its lease", this::takeTheLease);

        assertThat(first.exitCode(LIMIT)).isEqualTo(ENDED_BY_ITSELF);
        assertThat(holder()).isEqualTo("somebody-else");
    }

    @Test
    void aLeaderThatHearsNothingAnyMoreEndsAndGivesItsLeaseBack() throws Exception {
        OperatorProcess first = replica("first", Map.of("svc.operator.leader-election.lease-duration", "1h"));
        create("before");
        letAnythingBeAProject();

        admin.resource(unreadable()).create();

        assertThat(first.exitCode(LIMIT)).isEqualTo(ENDED_BY_ITSELF);
        assertThat(holder()).isEmpty();
    }

    /** As a definition of another version might, which the operator's own does not. */
    private void letAnythingBeAProject() {
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

    private static GenericKubernetesResource unreadable() {
        var project = new GenericKubernetesResource();
        project.setApiVersion("svc.platform/v1alpha1");
        project.setKind("Project");
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace(NAMESPACE)
                .withName("unreadable")
                .build());
        project.setAdditionalProperty("spec", "words");
        return project;
    }

    private OperatorProcess replica(String name, Map<String, String> particular)
            throws IOException, InterruptedException {
        Map<String, String> settings = new java.util.HashMap<>(Map.of(
                "svc.master-keys.1.value",
                Base64.getEncoder().encodeToString(new byte[32]),
                "svc.databases.main.jdbc-url",
                postgres.jdbcUrl("svc"),
                "svc.databases.main.password",
                postgres.operatorPassword(),
                "svc.operator.leader-election.enabled",
                "true",
                "svc.operator.leader-election.lease-name",
                LEASE,
                "svc.operator.leader-election.lease-namespace",
                NAMESPACE,
                "svc.operator.leader-election.retry-period",
                "0.2s"));
        settings.putAll(particular);
        var operator = OperatorProcess.start(kubernetes.clientConfig(), settings, folder.resolve(name + ".log"));
        started.push(operator);
        return operator;
    }

    /** Returns when it is Ready. */
    private void create(String name) throws InterruptedException {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
        project.setSpec(ProjectSpec.named(name));
        Project made = admin.resource(project).create();
        await(name, () -> admin.resource(made).get().isReady());
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(what + ": not within " + LIMIT);
            }
            Thread.sleep(50);
        }
    }

    /** Whether another candidate has it now: a renewal in between is a conflict, as it is for any other candidate. */
    private boolean takeTheLease() {
        try {
            lease().edit(held -> {
                held.getSpec().setHolderIdentity("somebody-else");
                held.getSpec().setRenewTime(held.getSpec().getRenewTime().plusHours(1));
                return held;
            });
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            return false;
        }
    }

    private String holder() {
        Lease lease = lease().get();
        return lease == null ? null : lease.getSpec().getHolderIdentity();
    }

    private Resource<Lease> lease() {
        return admin.leases().inNamespace(NAMESPACE).withName(LEASE);
    }
}
