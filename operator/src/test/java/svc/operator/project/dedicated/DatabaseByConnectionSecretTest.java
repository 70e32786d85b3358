package svc.operator.project.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.database.name.DatabaseRole;
import svc.operator.observe.Observation.StateObserved;
import svc.operator.testing.TestingOperator;

/** Any server that a Secret leads to holds a project as a shared database would, and nothing else of it is touched. */
class DatabaseByConnectionSecretTest {
    private static ProjectServerForTests server;
    private static TestingOperator operator;
    private static DedicatedProject projects;

    @BeforeAll
    static void start() {
        server = ProjectServerForTests.start();
        operator = TestingOperator.prepared().start();
        projects = new DedicatedProject(operator, server.postgres());
    }

    @AfterAll
    static void stop() {
        operator.close();
        server.close();
    }

    @Test
    void isProvisionedAsTheProjectsOwn() throws SQLException {
        String database = server.database();
        server.sql(
                database,
                "CREATE TABLE public.kept (id int); CREATE EXTENSION hstore SCHEMA public; CREATE ROLE bystander");
        projects.secret("shop", server.secret(database));
        projects.create("shop");

        Project shop = operator.ready("shop");

        var place = shop.getStatus().database();
        assertThat(place.layout()).isEqualTo(DatabaseLayout.DEDICATED);
        assertThat(place.name()).isEqualTo("shop-database");
        assertThat(place.host()).isEqualTo(ProjectServerForTests.HOST);
        assertThat(place.sslMode()).isEqualTo("verify-full");
        assertThat(place.caCertificates()).isEqualTo(server.authority());
        assertThat(place.adopted()).isNull();
        assertThat(Serialization.asJson(shop)).doesNotContain(server.postgres().operatorPassword());
        projects.run(shop, DatabaseRole.OWNER, "CREATE TABLE todos (id uuid DEFAULT auth.uid(), title text)");
        projects.run(
                shop,
                DatabaseRole.SYSTEM,
                "INSERT INTO auth.users (id, email) VALUES (gen_random_uuid(), 'a@example.org')");
        projects.run(
                shop, DatabaseRole.SERVICE, "INSERT INTO " + shop.getStatus().schema() + ".todos VALUES (NULL, 'x')");
        assertThatThrownBy(() -> projects.run(shop, DatabaseRole.SERVICE, "CREATE TEMP TABLE t (id int)"))
                .hasMessageContaining("the data plane cannot change the schema");
        String anon = "SET ROLE " + shop.getStatus().schema() + "_anon; ";
        projects.run(shop, DatabaseRole.OWNER, anon + "SELECT auth.uid()");
        assertThatThrownBy(() -> projects.run(shop, DatabaseRole.OWNER, anon + "CREATE TEMP TABLE t (id int)"))
                .hasMessageContaining("cannot change the schema");
        assertThatThrownBy(() -> projects.run(shop, DatabaseRole.OWNER, "SELECT * FROM public.kept"))
                .hasMessageContaining("permission denied");
        assertThat(server.query(database, """
                SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
                WHERE e.extname = 'hstore'""")).isEqualTo("public");
        assertThat(server.query(database, """
                        SELECT bool_and(has_database_privilege(r.oid, d.oid, 'CONNECT')) FROM pg_roles r, pg_database d
                        WHERE r.rolname = 'bystander' AND d.datname IN ('postgres', '%s')""".formatted(database)))
                .as("what others may do on this server is not touched")
                .isEqualTo("t");
    }

    @Test
    void policiesOnFilesAreMadeThroughThePlatform() throws SQLException {
        projects.secret("files", server.secret(server.database()));
        projects.create("files");
        Project files = operator.ready("files");
        projects.run(
                files,
                DatabaseRole.OWNER,
                "CALL svc_statements.write_policy('CREATE', 'objects', 'own', 'PERMISSIVE', 'SELECT',"
                        + " ARRAY['public'], 'bucket_id = ''avatars''', NULL)");
        assertThat(server.query(
                        files.getStatus().database().databaseName(),
                        "SELECT polrelid::regclass FROM pg_policy WHERE polname = 'own'"))
                .isEqualTo("storage.objects");
    }

    @Test
    void furtherSchemasHaveTheirVeryNamesAndGoWithTheProject() throws SQLException {
        String database = server.database();
        server.sql(database, "CREATE SCHEMA others");
        projects.secret("further", server.secret(database));
        projects.create("further", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        Project project = operator.ready("further");

        projects.run(project, DatabaseRole.OWNER, """
                CALL svc_statements.create_schema('private', false, ARRAY['CREATE TABLE t (id int)']);
                CREATE FUNCTION private.f() RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE TABLE todos (id int);
                ALTER TABLE todos SET SCHEMA private;
                CALL svc_statements.create_schema('passing', false, NULL);
                CALL svc_statements.drop_schemas('{passing}', false, false)""");
        for (String refused : new String[] {
            "CREATE SCHEMA mine",
            "DROP SCHEMA private CASCADE",
            "CALL svc_statements.create_schema('auth', true, NULL)",
            "CALL svc_statements.drop_schemas('{auth,others}', false, true)",
            "CALL svc_statements.drop_schemas('{others}', false, true)",
            "CALL svc_statements.drop_schemas('{svc_guard}', false, true)",
            "CALL svc_statements.grant_on_schemas('{private}', '{public}', true)"
        }) {
            assertThatThrownBy(() -> projects.run(project, DatabaseRole.OWNER, refused))
                    .as(refused)
                    .isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(() -> projects.run(project, DatabaseRole.SERVICE, "SELECT * FROM private.todos"))
                .hasMessageContaining("permission denied");

        operator.at("further").delete();
        operator.awaitGone("further");
        assertThat(server.query(
                        database,
                        "SELECT string_agg(nspname, ' ' ORDER BY 1) FROM pg_namespace"
                                + " WHERE nspname IN ('private', 'passing', 'others', 'auth') OR nspname LIKE 'proj%'"))
                .isEqualTo("others");
    }

    @Test
    void aProjectInOrderIsLeftAloneAndDamageIsRepaired() {
        String database = server.database();
        projects.secret("calm", server.secret(database));
        projects.create("calm");
        operator.ready("calm");
        // The reconciliation after the one that made it Ready may have a stale cache and write the status again.
        looks("calm");
        String version = operator.get("calm").getMetadata().getResourceVersion();
        looks("calm");
        assertThat(operator.get("calm").getMetadata().getResourceVersion()).isEqualTo(version);
        assertThat(operator.events("calm")).doesNotContain("DriftRepaired");

        server.sql(
                database,
                "DROP EVENT TRIGGER svc_guard_command; DROP ROUTINE svc_statements.publish CASCADE; DROP TABLE auth.users CASCADE");
        operator.awaitEvent("calm", "DriftRepaired");
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> "2".equals(server.query(database, """
                        SELECT (SELECT count(*) FROM pg_event_trigger WHERE evtname = 'svc_guard_command')
                            + (SELECT count(*) FROM pg_proc WHERE proname = 'publish')""")));
    }

    /** Waits until two more reconciliations of the project have begun: the first of them has then written its status. */
    private static void looks(String project) {
        long before = reconciled(project);
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> reconciled(project) >= before + 2);
    }

    private static long reconciled(String project) {
        String name = operator.namespace() + "/" + project;
        return operator.observations().stream()
                .filter(seen -> seen instanceof StateObserved(var which, var state) && which.equals(name))
                .count();
    }

    @ParameterizedTest
    @CsvSource({
        "missing, ConnectionSecretMissing, does not exist",
        "invalid, ConnectionSecretInvalid, host is missing",
        "unchecked, ConnectionSecretInvalid, ignores ca.crt",
        // One text for every failure to connect: the conditions are no scanner of ports and names.
        "nobody, ConnectionFailed, cannot be reached",
        "stranger, ConnectionFailed, cannot be reached",
        "misnamed, ConnectionFailed, cannot be reached",
        "password, ConnectionFailed, cannot be reached",
        "nowhere, ConnectionFailed, cannot be reached",
        "weak, InsufficientPrivilege, 'CREATEROLE, BYPASSRLS'",
        "occupied, DatabaseInUse, schema auth",
    })
    void aFailureNamesItsCause(String what, String reason, String message) {
        String database = server.database();
        Map<String, String> data = new HashMap<>(server.secret(database));
        switch (what) {
            case "invalid" -> data.remove("host");
            case "unchecked" -> data.put("sslmode", "require");
            case "nobody" -> data.put("port", "1");
            case "stranger" -> data.put("ca.crt", ProjectServerForTests.anotherAuthority());
            case "misnamed" -> data.put("host", "127.0.0.1");
            case "password" -> data.put("password", "wrong-and-secret");
            case "nowhere" -> data.put("dbname", "nowhere");
            case "weak" -> {
                server.sql(database, "CREATE ROLE weak LOGIN PASSWORD 'weak'");
                data.put("user", "weak");
                data.put("password", "weak");
            }
            case "occupied" -> server.sql(database, "CREATE SCHEMA auth; CREATE TABLE auth.users (id int)");
            default -> {}
        }
        if (!what.equals("missing")) {
            projects.secret(what, data);
        }
        projects.create(what);

        Project refused = operator.await(what, has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, reason));

        assertThat(condition(refused, ProjectCondition.DATABASE_READY).message())
                .contains(message);
        assertThat(Serialization.asJson(refused)).doesNotContain("wrong-and-secret");
        assertThat(refused.getStatus().database()).isNull();
        if (what.equals("occupied")) {
            assertThat(server.query(database, "SELECT count(*) FROM pg_namespace WHERE nspname ~ '^(svc_|proj_)'"))
                    .isEqualTo("0");
        }
        operator.at(what).delete();
        operator.awaitGone(what);
    }

    @Test
    void aChangedPasswordIsFollowedAndTheProjectServedMeanwhile() {
        String database = server.database();
        server.sql(database, "CREATE ROLE turning LOGIN SUPERUSER PASSWORD 'first'");
        projects.secret("turning", server.secret(database, "turning", "first"));
        projects.create("turning");
        Project first = operator.ready("turning");

        server.sql(database, "ALTER ROLE turning PASSWORD 'second'");
        Project away = operator.await(
                "turning", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ConnectionFailed"));
        assertThat(away.getStatus().database()).isEqualTo(first.getStatus().database());
        assertThat(away.getStatus().anonKey()).isEqualTo(first.getStatus().anonKey());

        projects.secret("turning", server.secret(database, "turning", "second"));
        operator.ready("turning");
    }

    @Test
    void aDatabaseHoldsOneProject() {
        String database = server.database();
        projects.secret("first", server.secret(database));
        projects.secret("second", server.secret(database));
        projects.create("first");
        operator.ready("first");
        projects.create("second", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.await("second", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DatabaseInUse"));

        operator.at("second").delete();
        operator.awaitGone("second");
        assertThat(server.query(database, "SELECT to_regclass('auth.users')")).isEqualTo("auth.users");
    }

    @Test
    void anotherDatabaseIsNotTakenForTheProjects() {
        projects.secret("moved", server.secret(server.database()));
        projects.create("moved");
        operator.ready("moved");
        String empty = server.database();
        projects.secret("moved", server.secret(empty));

        operator.await("moved", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ProjectMissing"));
        assertThat(server.query(empty, "SELECT count(*) FROM pg_namespace WHERE nspname ~ '^(svc_|proj_)'"))
                .isEqualTo("0");
    }

    @Test
    void comesBackAsItWasAfterRetainAndIsGoneAfterDelete() throws SQLException {
        String database = server.database();
        projects.secret("back", server.secret(database));
        projects.create("back");
        Project before = operator.ready("back");
        projects.run(before, DatabaseRole.OWNER, "CREATE TABLE todos AS SELECT 42 AS answer");

        operator.at("back").delete();
        operator.awaitGone("back");
        assertThatThrownBy(() -> projects.login(before, DatabaseRole.API))
                .hasMessageContaining("not permitted to log in");
        projects.create("back");
        Project after = operator.ready("back");
        assertThat(after.getStatus().ref()).isEqualTo(before.getStatus().ref());
        assertThat(after.getStatus().anonKey()).isEqualTo(before.getStatus().anonKey());
        assertThat(server.query(
                        database, "SELECT answer FROM " + after.getStatus().schema() + ".todos"))
                .isEqualTo("42");

        operator.edit("back", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.at("back").delete();
        operator.awaitGone("back");
        assertThat(server.query(database, """
                SELECT string_agg(x, ',') FROM (
                    SELECT nspname::text FROM pg_namespace WHERE nspname ~ '^(svc_|proj_|auth|storage|realtime)' UNION ALL
                    SELECT evtname::text FROM pg_event_trigger UNION ALL
                    SELECT rolname::text FROM pg_roles WHERE rolname ~ '%s') left_behind (x)""".formatted(after.getStatus().schema())))
                .isNull();
    }

    @Test
    void aDeletionWithoutItsSecretWaitsAndSaysWhy() {
        projects.secret("stuck", server.secret(server.database()));
        projects.create("stuck");
        operator.ready("stuck");
        var secret =
                operator.client().secrets().inNamespace(operator.namespace()).withName("stuck-database");
        secret.delete();
        operator.at("stuck").delete();

        Project waiting =
                operator.await("stuck", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DeletionBlocked"));
        assertThat(condition(waiting, ProjectCondition.DATABASE_READY).message())
                .contains("ConnectionSecretMissing");
        operator.annotate("stuck", "svc.platform/force-delete", "true");
        operator.awaitGone("stuck");
    }
}
