package svc.operator.project.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.KeysSpec;
import svc.crds.project.Project;
import svc.database.name.DatabaseRole;
import svc.operator.testing.TestingOperator;

/** Promise: a managed server without a superuser can hold a project: CREATEROLE, BYPASSRLS and CREATE on the database suffice. */
class ManagedServerTest {
    private static ProjectServerForTests server;
    private static TestingOperator operator;
    private static DedicatedProject projects;

    @BeforeAll
    static void start() {
        server = ProjectServerForTests.start();
        server.sql(
                "postgres",
                "CREATE ROLE master LOGIN CREATEROLE BYPASSRLS PASSWORD '" + ProjectServerForTests.PASSWORD + "'");
        operator = TestingOperator.prepared().start();
        projects = new DedicatedProject(operator, server.postgres());
    }

    @AfterAll
    static void stop() {
        operator.close();
        server.close();
    }

    @Test
    void isProvisionedRepairedAndLeft() throws SQLException {
        String database = server.database();
        server.sql("postgres", "ALTER DATABASE " + database + " OWNER TO master");
        projects.secret("shop", master(database));
        projects.create("shop");
        Project shop = operator.ready("shop");
        String schema = shop.getStatus().schema();

        projects.run(shop, DatabaseRole.OWNER, "CREATE TABLE todos (id int, who uuid DEFAULT auth.uid())");
        projects.run(shop, DatabaseRole.SERVICE, "INSERT INTO " + schema + ".todos VALUES (1)");
        projects.run(
                shop,
                DatabaseRole.SYSTEM,
                "INSERT INTO auth.users (id, email) VALUES (gen_random_uuid(), 'a@example.org')");
        projects.run(shop, DatabaseRole.API, "SET ROLE " + schema + "_anon; SELECT * FROM " + schema + ".todos");
        assertThatThrownBy(() -> projects.run(shop, DatabaseRole.API, "CREATE TABLE t (id int)"))
                .hasMessageContaining("permission denied");
        projects.run(
                shop,
                DatabaseRole.OWNER,
                "CALL svc_statements.write_policy('CREATE', 'objects', 'own', 'PERMISSIVE', 'SELECT',"
                        + " ARRAY['public'], 'bucket_id = ''avatars''', NULL)");
        projects.run(shop, DatabaseRole.OWNER, """
                CALL svc_statements.create_schema('private', false, ARRAY['CREATE TABLE t (id int)']);
                CALL svc_statements.grant_on_schemas('{private}', ARRAY['$S_anon'], true);
                CALL svc_statements.create_schema('passing', false, NULL);
                CALL svc_statements.rename_schema('passing', 'gone');
                CALL svc_statements.drop_schemas('{gone}', false, false)""".replace("$S", schema));
        projects.run(shop, DatabaseRole.OWNER, """
                CALL svc_statements.create_extension('pgmq');
                SELECT svc_pgmq.create('jobs'), svc_pgmq.send('jobs', '{}');
                SELECT q.msg_id FROM pgmq.q_jobs q;
                SET svc.vault_key = '1:$K';
                CALL svc_statements.create_extension('supabase_vault');
                SELECT svc_vault.create_secret('s3cret', 'token');
                SELECT 1 / count(*) FROM svc_vault.decrypted_secrets WHERE decrypted_secret = 's3cret'""".replace("$K", "ab".repeat(32)));
        assertThat(server.query(database, "SELECT count(*) FROM pg_event_trigger"))
                .isEqualTo("0");

        assertThat(operator.events("shop")).doesNotContain("DriftRepaired");
        server.sql(database, "REVOKE ALL ON auth.users FROM " + schema + "_system");
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .ignoreExceptionsInstanceOf(SQLException.class)
                .untilAsserted(() -> projects.run(shop, DatabaseRole.SYSTEM, "SELECT count(*) FROM auth.users"));
        // After an attempt that a busy server failed, the repair is reported as the end of that failure.
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .untilAsserted(() -> assertThat(operator.events("shop")).containsAnyOf("DriftRepaired", "Recovered"));

        operator.edit("shop", spec -> spec.keys(rotated()));
        Project rotated = operator.await(
                "shop",
                project -> project.isReady()
                        && project.getStatus().keys().database().version() == 2);
        projects.run(rotated, DatabaseRole.API, "SELECT 1");
        assertThatThrownBy(() -> projects.login(shop, DatabaseRole.API)).hasMessageContaining("password");

        operator.edit("shop", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.at("shop").delete();
        operator.awaitGone("shop");
        assertThat(server.query(database, "SELECT count(*) FROM pg_roles WHERE rolname ~ '^(proj_|svc_companion)'"))
                .isEqualTo("0");
        assertThat(server.query(
                        database,
                        "SELECT count(*) FROM pg_namespace WHERE nspname ~ '^(proj_|svc_|auth|private|gone)'"))
                .isEqualTo("0");
    }

    private static KeysSpec rotated() {
        return io.fabric8.kubernetes.client.utils.Serialization.unmarshal(
                "{\"database\": {\"version\": 2}}", KeysSpec.class);
    }

    private static Map<String, String> master(String database) {
        return server.secret(database, "master", ProjectServerForTests.PASSWORD);
    }
}
