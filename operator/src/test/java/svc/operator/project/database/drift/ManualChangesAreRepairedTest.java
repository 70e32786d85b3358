package svc.operator.project.database.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.database.name.DatabaseRole;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/**
 * Promise: the next run repairs what was removed, altered or added manually, also when the project was converged before, so that
 * its fingerprint alone decides whether it still is. P stands for the schema.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManualChangesAreRepairedTest {
    private final TestingDatabases databases = TestingDatabases.create();
    private final ProjectProvisioner projects = databases.projects();

    static Stream<String> damage() {
        return Stream.of(
                // Roles.
                "DROP OWNED BY P_anon; DROP ROLE P_anon",
                "DROP OWNED BY P_system; DROP ROLE P_system",
                "ALTER ROLE P_api SUPERUSER",
                "ALTER ROLE P_owner CREATEROLE CREATEDB",
                // As projects were before row security stopped to hold for their owners.
                "ALTER ROLE P_owner NOBYPASSRLS",
                "ALTER ROLE P_api INHERIT",
                "ALTER ROLE P_anon LOGIN PASSWORD 'known'",
                "ALTER ROLE P_owner PASSWORD 'known'",
                "ALTER ROLE P_owner NOLOGIN",
                "ALTER ROLE P_service CONNECTION LIMIT -1 VALID UNTIL '2001-01-01'",
                "ALTER ROLE P_owner SET statement_timeout = 0",
                "ALTER ROLE P_owner SET work_mem = '1GB'",
                "ALTER ROLE P_api RESET ALL",
                "DO $$BEGIN EXECUTE format('ALTER ROLE P_api IN DATABASE %I SET search_path = x', current_database()); END$$",
                "REVOKE P_anon FROM P_api",
                "GRANT P_anon TO P_api WITH INHERIT TRUE",
                "GRANT P_anon TO P_owner WITH INHERIT TRUE",
                "GRANT P_system TO P_owner",
                // As projects were before their owners could take the roles of callers.
                "REVOKE P_anon, P_authenticated FROM P_owner; ALTER ROLE P_owner INHERIT",
                "ALTER ROLE P_anon PASSWORD 'x'; ALTER ROLE P_anon SET work_mem = '1GB'",
                "GRANT P_system TO P_api",
                "GRANT P_owner TO P_service WITH ADMIN OPTION",
                "GRANT pg_read_all_data TO P_owner",
                "GRANT P_owner TO pg_monitor",
                // Schemas and what enters them.
                "DROP SCHEMA P CASCADE",
                "DROP SCHEMA P_auth CASCADE",
                "DROP SCHEMA P_storage CASCADE; DROP SCHEMA P_realtime CASCADE",
                "ALTER SCHEMA P OWNER TO P_owner",
                "REVOKE USAGE ON SCHEMA P FROM P_anon",
                "REVOKE CREATE ON SCHEMA P FROM P_owner",
                "GRANT CREATE ON SCHEMA P TO P_anon",
                "GRANT USAGE ON SCHEMA P TO PUBLIC",
                "GRANT ALL ON SCHEMA P_auth TO P_owner WITH GRANT OPTION",
                "ALTER DEFAULT PRIVILEGES FOR ROLE P_owner GRANT EXECUTE ON FUNCTIONS TO PUBLIC",
                // Companion tables.
                "DROP TABLE P_auth.users",
                "DROP TABLE P_storage.objects",
                "DROP TABLE P_storage.buckets CASCADE",
                "DROP TABLE P_realtime.messages",
                "ALTER TABLE P_auth.users DROP COLUMN phone CASCADE",
                "ALTER TABLE P_storage.buckets ALTER COLUMN type DROP NOT NULL",
                "ALTER TABLE P_auth.users ALTER COLUMN email_change_confirm_status SET DEFAULT 7",
                "ALTER TABLE P_auth.users ALTER COLUMN email SET NOT NULL",
                "ALTER TABLE P_storage.buckets ALTER COLUMN created_at DROP DEFAULT",
                "ALTER TABLE P_storage.objects DROP COLUMN path_tokens",
                "ALTER TABLE P_storage.objects DROP CONSTRAINT objects_pkey",
                "ALTER TABLE P_auth.users DROP CONSTRAINT users_pkey",
                "ALTER TABLE P_storage.objects DISABLE ROW LEVEL SECURITY",
                "ALTER TABLE P_storage.buckets FORCE ROW LEVEL SECURITY",
                "ALTER TABLE P_auth.users ENABLE ROW LEVEL SECURITY",
                "ALTER TABLE P_auth.users OWNER TO P_owner",
                "REVOKE ALL ON P_auth.users FROM svc_companion",
                // Access.
                "REVOKE SELECT ON P_auth.users FROM P_owner",
                "GRANT SELECT ON P_auth.users TO P_anon",
                "GRANT SELECT (encrypted_password) ON P_auth.users TO P_anon",
                "GRANT ALL ON P_auth.users TO PUBLIC",
                "GRANT UPDATE ON P_auth.users TO P_owner WITH GRANT OPTION",
                "GRANT SELECT ON P_auth.users TO P_owner WITH GRANT OPTION",
                "DROP POLICY svc_owner ON P_storage.buckets",
                "ALTER POLICY svc_owner ON P_storage.buckets TO PUBLIC",
                "ALTER POLICY svc_owner ON P_storage.buckets USING (false)",
                "CREATE POLICY svc_other ON P_storage.objects USING (true)",
                // A function that the database has once.
                "CREATE FUNCTION P_auth.uid() RETURNS uuid LANGUAGE sql STABLE RETURN NULL::uuid");
    }

    @ParameterizedTest
    @MethodSource("damage")
    void isRepaired(String damage) {
        ProvisionRequest request = TestingDatabases.request("damaged", databases);
        String schema =
                ((Provisioned) projects.provision(request)).project().names().schemaName();
        assertThat(((Provisioned) projects.provision(request)).change()).isEqualTo(Change.NONE);
        databases.asOperator(damage.replaceAll("\\bP(?=[_. ,;']|$)", schema));

        Provisioned repaired = (Provisioned) projects.provision(request);
        assertThat(repaired.change()).isEqualTo(Change.REPAIRED);
        assertThat(((Provisioned) projects.provision(request)).steps()).isEmpty();
    }

    @Test
    void whatTheProjectSetsForItsRolesStays() {
        ProvisionRequest request = TestingDatabases.request("settled", databases);
        String schema =
                ((Provisioned) projects.provision(request)).project().names().schemaName();
        for (String setting : List.of(
                "ALTER ROLE P_anon SET statement_timeout = '3s'",
                "ALTER ROLE P_authenticated SET lock_timeout = '1s'",
                "ALTER ROLE P_anon SET app.site = 'x'",
                "ALTER ROLE P_owner SET app.site = 'x'",
                "ALTER ROLE P_service SET app.site = 'x'")) {
            databases.asOperator(setting.replace("P_", schema + "_"));
            assertThat(((Provisioned) projects.provision(request)).steps())
                    .as(setting)
                    .isEmpty();
        }
    }

    @Test
    void severalDamagesAtOnceAreRepairedTogether() {
        ProvisionRequest request = TestingDatabases.request("damaged-much", databases);
        String schema =
                ((Provisioned) projects.provision(request)).project().names().schemaName();
        damage().filter(sql ->
                        !sql.contains("DROP SCHEMA") && !sql.contains("DROP TABLE") && !sql.contains("DROP ROLE"))
                .filter(sql -> !sql.contains("DROP FUNCTION") && !sql.contains("DROP POLICY"))
                .forEach(sql -> databases.asOperator(sql.replaceAll("\\bP(?=[_. ,;']|$)", schema)));
        assertThat(((Provisioned) projects.provision(request)).steps()).isNotEmpty();
        assertThat(((Provisioned) projects.provision(request)).steps()).isEmpty();
    }

    @Test
    void whatOnlyRewritingRowsCouldUndoIsRefusedAndNamed() {
        ProvisionRequest request = TestingDatabases.request("altered", databases);
        String schema =
                ((Provisioned) projects.provision(request)).project().names().schemaName();
        databases.asOperator("ALTER TABLE " + schema + "_storage.buckets ALTER COLUMN owner TYPE text");
        assertThatExceptionOfType(DatabaseFailure.class)
                .isThrownBy(() -> projects.provision(request))
                .withMessageContaining("column storage.buckets.owner: uuid")
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(FailureReason.COMPANION_ALTERED));
    }

    @Test
    void whatTheTenantMadeIsLeftAlone() throws Exception {
        ProvisionRequest request = TestingDatabases.request("tenant", databases);
        var project = ((Provisioned) projects.provision(request)).project();
        try (var owner = databases.login(project, DatabaseRole.OWNER)) {
            TestingDatabases.execute(owner, """
                    CREATE TABLE todos (id int PRIMARY KEY);
                    ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
                    CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                    """);
            String s = project.names().schemaName();
            TestingDatabases.execute(
                    owner,
                    "CREATE TRIGGER noted AFTER INSERT ON " + s + "_auth.users FOR EACH ROW EXECUTE FUNCTION noted()");
            TestingDatabases.execute(owner, "GRANT SELECT ON todos TO " + s + "_anon");
            TestingDatabases.execute(
                    owner, "ALTER DEFAULT PRIVILEGES IN SCHEMA " + s + " REVOKE ALL ON TABLES FROM " + s + "_anon");
            TestingDatabases.execute(owner, "CALL svc_statements.comment_on_schema('public', 'The shop')");
        }
        databases.asOperator("CREATE POLICY mine ON " + project.names().schemaName() + "_storage.objects USING (true)");
        assertThat(((Provisioned) projects.provision(request)).steps()).isEmpty();
    }
}
