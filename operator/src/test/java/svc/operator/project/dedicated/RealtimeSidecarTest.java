package svc.operator.project.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.RealtimeStatus.State;
import svc.crds.project.service.RealtimeSpec;
import svc.database.key.ApiKey;
import svc.database.key.Incarnation;
import svc.database.key.KeyHolder;
import svc.database.key.LoginSecret;
import svc.database.key.ProjectKeyScope;
import svc.database.key.ProjectLeaves;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/** What a project with a database of its own gets for realtime, and what of its neighbours' it does not get. */
class RealtimeSidecarTest {
    private static ProjectServerForTests server;

    /** Roles that the projects of a server share belong to the login that made the first: another one has no right over them. */
    private static ProjectServerForTests serverOfAnotherLogin;

    private static TestingOperator operator;
    private static DedicatedProject projects;

    @BeforeAll
    static void start() {
        server = ProjectServerForTests.start();
        serverOfAnotherLogin = ProjectServerForTests.start();
        operator = TestingOperator.prepared()
                .with("svc.operator.realtime-image", "svc/api-server:test")
                .with("svc.realtime-sidecars.SVC_REALTIME_IDLE", "90s")
                .with("svc.managed-pods.runtime-class", "gvisor")
                .with("svc.managed-pods.ephemeral-storage-limit", "128Mi")
                .with("svc.managed-pods.dns-to", "[{\"ipBlock\": {\"cidr\": \"169.254.20.10/32\"}}]")
                .start();
        projects = new DedicatedProject(operator, server.postgres());
    }

    @AfterAll
    static void stop() {
        operator.close();
        server.close();
        serverOfAnotherLogin.close();
    }

    @Test
    void itsSecretHoldsTheLeavesOfItsProjectAlone() {
        Project shop = idle("shop");
        Project neighbour = idle("neighbour");

        Map<String, String> variables = secret(shop);
        assertThat(variables).containsOnlyKeys("SVC_SIDECAR_PROJECT", "SVC_SIDECAR_LEAVES");
        ProjectLeaves leaves =
                ProjectLeaves.parse(variables.get("SVC_SIDECAR_LEAVES")).orElseThrow();
        assertThat(leaves.leaves().keySet()).isEqualTo(KeyHolder.REALTIME_SIDECAR.purposes());
        assertThat(leaves.leaves().keySet())
                .noneMatch(Purpose::ofPlatform)
                .doesNotContain(Purpose.OWNER, Purpose.FUNCTION_RUNTIME);
        for (PurposeRoot root : leaves.roots(scope(shop), 1)) {
            assertThat(root.leaf(scope(shop)))
                    .isEqualTo(TestingPostgres.masterKeys()
                            .newest()
                            .root(root.purpose())
                            .leaf(scope(shop)));
            assertThatIllegalStateException().isThrownBy(() -> root.leaf(scope(neighbour)));
            assertThatIllegalStateException().isThrownBy(root::export);
        }
        String project =
                new String(Base64.getDecoder().decode(variables.get("SVC_SIDECAR_PROJECT")), StandardCharsets.UTF_8);
        String others = ProjectLeaves.parse(secret(neighbour).get("SVC_SIDECAR_LEAVES"))
                .orElseThrow()
                .export();
        for (String leaf : others.split(",")) {
            assertThat(variables.get("SVC_SIDECAR_LEAVES")).doesNotContain(leaf.split(":")[1]);
        }
        assertThat(project + variables.get("SVC_SIDECAR_LEAVES"))
                .doesNotContain(
                        "svc_root_",
                        TestingPostgres.masterKeyText(),
                        server.postgres().operatorPassword())
                .doesNotContain(neighbour.getStatus().ref());
        assertThat(ApiKey.of(leaves.leaves().get(Purpose.ANON_KEY).get(1)))
                .isEqualTo(shop.getStatus().anonKey());
    }

    @Test
    void theGatewayAloneReachesItAndScalesIt() {
        Project project = idle("scaled");
        String name = project.getStatus().realtime().deployment();
        Deployment made = deployment(name);
        assertThat(made.getSpec().getReplicas()).isZero();
        var pod = made.getSpec().getTemplate().getSpec();
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getContainers().getFirst().getImage()).isEqualTo("svc/api-server:test");
        assertThat(pod.getContainers().getFirst().getEnv())
                .anyMatch(variable -> variable.getName().equals("SVC_REALTIME_IDLE")
                        && variable.getValue().equals("90s"));
        assertThat(find(Service.class, name).orElseThrow().getSpec().getSelector())
                .isEqualTo(made.getSpec().getSelector().getMatchLabels());
        var from = find(NetworkPolicy.class, name)
                .orElseThrow()
                .getSpec()
                .getIngress()
                .getFirst()
                .getFrom();
        assertThat(from).hasSize(1);
        assertThat(from.getFirst().getPodSelector().getMatchLabels())
                .containsEntry("app.kubernetes.io/component", "data-plane");

        operator.client()
                .apps()
                .deployments()
                .inNamespace(operator.namespace())
                .withName(name)
                .scale(1);
        operator.await("scaled", now -> now.getStatus().realtime().state() == State.STARTING);
        String before = configuration(name);
        operator.edit(
                "scaled", spec -> spec.realtime(new RealtimeSpec(null, null, 7, null, null, null, null, null, null)));
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .until(() -> !configuration(name).equals(before));
        assertThat(deployment(name).getSpec().getReplicas()).isEqualTo(1);
    }

    @Test
    void itsPodHasTheSettingsOfTheInstallation() {
        String name = idle("placed").getStatus().realtime().deployment();

        var pod = deployment(name).getSpec().getTemplate().getSpec();
        assertThat(pod.getRuntimeClassName()).isEqualTo("gvisor");
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getContainers().getFirst().getSecurityContext().getAllowPrivilegeEscalation())
                .isFalse();
        assertThat(pod.getContainers().getFirst().getResources().getLimits())
                .containsEntry("ephemeral-storage", new Quantity("128Mi"))
                .containsEntry("memory", new Quantity("384Mi"));
        assertThat(find(NetworkPolicy.class, name)
                        .orElseThrow()
                        .getSpec()
                        .getEgress()
                        .getFirst()
                        .getTo())
                .singleElement()
                .satisfies(peer -> assertThat(peer.getIpBlock().getCidr()).isEqualTo("169.254.20.10/32"));
    }

    @Test
    void itsDatabaseHasWhatApplicationsCall() throws SQLException {
        Project project = idle("calls");
        projects.run(project, DatabaseRole.OWNER, """
                CREATE TABLE todos (id int PRIMARY KEY);
                CALL svc_statements.publish('ADD', 'supabase_realtime', '{todos}');
                SELECT realtime.send('{"a": 1}', 'happened', 'room', false);
                SELECT realtime.send_binary('\\x01', 'happened', 'room')""");
        String database = project.getStatus().database().databaseName();
        assertThat(server.query(
                        database,
                        "SELECT string_agg(pubname || ' ' || tablename, ',' ORDER BY 1) FROM pg_publication_tables"))
                .isEqualTo("svc_realtime todos,svc_realtime_messages messages");
        assertThat(server.query(
                        database, "SELECT string_agg(topic || private, ',' ORDER BY private) FROM realtime.messages"))
                .isEqualTo("roomfalse,roomtrue");
        projects.run(
                project, DatabaseRole.OWNER, "CALL svc_statements.publish('DROP', 'supabase_realtime', '{todos}')");
        assertThat(server.query(database, "SELECT count(*) FROM pg_publication_tables WHERE pubname = 'svc_realtime'"))
                .isEqualTo("0");
    }

    @Test
    void nothingOfItStaysWhenTheProjectGoes() throws SQLException {
        Project project = idle("passing", DeletionPolicy.DELETE);
        var names = ProjectNames.dedicated(UUID.fromString(project.getStatus().projectId()));
        String database = project.getStatus().database().databaseName();
        String password = LoginSecret.of(TestingPostgres.masterKeys()
                        .newest()
                        .root(Purpose.REPLICATION)
                        .leaf(scope(project)))
                .password();
        try (var log = server.postgres().connect(database, names.replication().name(), password);
                var statement = log.createStatement()) {
            statement.execute(
                    "SELECT pg_create_logical_replication_slot('" + names.replicationSlot() + "', 'pgoutput')");
        }

        operator.at("passing").delete();
        operator.awaitGone("passing");

        String name = project.getStatus().realtime().deployment();
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .until(() -> find(Deployment.class, name).isEmpty()
                        && find(Secret.class, name).isEmpty());
        assertThat(server.query(
                        database, "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()"))
                .isEqualTo("0");
        assertThat(server.query(
                        database,
                        "SELECT count(*) FROM pg_roles WHERE rolname = '"
                                + names.replication().name() + "'"))
                .isEqualTo("0");
    }

    @Test
    void aLoginThatMayNotReplicateIsReportedAndHasNone() {
        String database = serverOfAnotherLogin.database();
        serverOfAnotherLogin.sql(
                "postgres",
                "CREATE ROLE lowly LOGIN CREATEROLE BYPASSRLS PASSWORD 'x'; ALTER DATABASE " + database
                        + " OWNER TO lowly");
        projects.secret("managed", serverOfAnotherLogin.secret(database, "lowly", "x"));
        projects.create("managed");
        Project project = operator.await(
                "managed", now -> now.getStatus() != null && now.getStatus().realtime() != null);
        assertThat(project.getStatus().realtime().state()).isEqualTo(State.UNAVAILABLE);
        assertThat(project.getStatus().realtime().message()).contains("lowly lacks REPLICATION");
        assertThat(find(Deployment.class, "svc-realtime-" + project.getStatus().ref()))
                .isEmpty();
    }

    @Test
    void aSecretOfAnotherIsNotTaken() {
        Secret foreign = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(operator.namespace())
                .withName("svc-realtime-occupied")
                .endMetadata()
                .withStringData(Map.of("mine", "stays"))
                .build();
        operator.client().resource(foreign).create();
        projects.secret("occupied", server.secret(server.database()));
        projects.create("occupied", spec -> spec.ref("occupied"));
        Project project = operator.await(
                "occupied", now -> now.getStatus() != null && now.getStatus().realtime() != null);
        assertThat(project.getStatus().realtime().state()).isEqualTo(State.UNAVAILABLE);
        assertThat(project.getStatus().realtime().message()).contains("Secret svc-realtime-occupied");
        assertThat(find(Secret.class, "svc-realtime-occupied").orElseThrow().getData())
                .containsOnlyKeys("mine");
    }

    private static Project idle(String name) {
        return idle(name, DeletionPolicy.RETAIN);
    }

    private static Project idle(String name, DeletionPolicy policy) {
        projects.secret(name, server.secret(server.database()));
        projects.create(name, spec -> spec.deletionPolicy(policy));
        return operator.await(
                name,
                now -> now.getStatus() != null
                        && now.getStatus().realtime() != null
                        && now.getStatus().realtime().state() == State.IDLE);
    }

    private static ProjectKeyScope scope(Project project) {
        var status = project.getStatus();
        return new ProjectKeyScope(
                UUID.fromString(status.projectId()),
                Incarnation.of(Base64.getUrlDecoder().decode(status.incarnation())),
                1);
    }

    private static Map<String, String> secret(Project project) {
        Secret secret =
                find(Secret.class, project.getStatus().realtime().deployment()).orElseThrow();
        return secret.getData().entrySet().stream()
                .collect(java.util.stream.Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new String(Base64.getDecoder().decode(entry.getValue()), StandardCharsets.UTF_8)));
    }

    private static Deployment deployment(String name) {
        return find(Deployment.class, name).orElseThrow();
    }

    private static String configuration(String name) {
        return deployment(name)
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getAnnotations()
                .get("svc.platform/config-hash");
    }

    private static <T extends io.fabric8.kubernetes.api.model.HasMetadata> Optional<T> find(
            Class<T> kind, String name) {
        return Optional.ofNullable(operator.client()
                .resources(kind)
                .inNamespace(operator.namespace())
                .withName(name)
                .get());
    }
}
