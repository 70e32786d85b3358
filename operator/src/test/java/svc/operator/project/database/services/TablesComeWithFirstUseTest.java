package svc.operator.project.database.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.database.project.companion.CompanionSchema;
import svc.database.shared.ServiceRequests;
import svc.database.shared.ServiceRequests.ServiceRequest;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: a project gets the tables of a service when it first uses it, and tenants gain no right by them. */
class TablesComeWithFirstUseTest {
    private static final String USER = "'00000000-0000-0000-0000-00000000000a'";

    private static final TestingDatabases DATABASES = TestingDatabases.create();

    private ProvisionRequest request;
    private ProjectRecord project;

    @BeforeEach
    void provision() {
        request = TestingDatabases.request("services", DATABASES);
        project = ((Provisioned) DATABASES.projects().provision(request)).project();
    }

    private String sql(String text) {
        String s = project.names().schemaName();
        return text.replaceAll("\\bS_", s + "_").replaceAll("\\bS\\b", s);
    }

    private void as(DatabaseRole role, String text) throws SQLException {
        try (Connection login = DATABASES.login(project, role)) {
            TestingDatabases.execute(login, sql(text));
        }
    }

    private List<String> asked(DatabaseRole role, String question) throws SQLException {
        try (Connection login = DATABASES.login(project, role)) {
            return TestingDatabases.query(login, sql(question));
        }
    }

    private List<String> complete() {
        return DATABASES.serviceTables().complete(project.projectId(), CompanionSchema.AUTH);
    }

    private List<String> reconcile() {
        return ((Provisioned) DATABASES.projects().provision(request)).steps();
    }

    @Test
    void theSecondTimeAndTheReconcileFindNothingToDo() {
        assertThat(complete()).isNotEmpty();
        assertThat(complete()).isEmpty();
        assertThat(reconcile()).isEmpty();
    }

    @Test
    void whatTenantsHaveBuiltOnTheLeanTableStaysAndWorks() throws SQLException {
        as(DatabaseRole.OWNER, """
                CREATE TABLE profiles (id uuid PRIMARY KEY REFERENCES S_auth.users ON DELETE CASCADE, email text);
                CREATE VIEW members AS SELECT id, email FROM S_auth.users;
                CREATE FUNCTION welcome() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
                BEGIN INSERT INTO S.profiles VALUES (NEW.id, NEW.email); RETURN NEW; END $$;
                CREATE TRIGGER welcome AFTER INSERT ON S_auth.users FOR EACH ROW EXECUTE FUNCTION welcome();
                """);
        complete();
        as(DatabaseRole.SYSTEM, "INSERT INTO S_auth.users (id, email) VALUES (" + USER + ", 'a@b.c')");
        assertThat(asked(DatabaseRole.OWNER, "SELECT email FROM profiles")).containsExactly("a@b.c");
        assertThat(asked(DatabaseRole.OWNER, "SELECT email FROM members")).containsExactly("a@b.c");
        as(DatabaseRole.SYSTEM, "DELETE FROM S_auth.users");
        assertThat(asked(DatabaseRole.OWNER, "SELECT email FROM profiles")).isEmpty();
    }

    @Test
    void aUserTakesItsRowsAlongAndLongOnesHaveRoom() throws SQLException {
        complete();
        as(DatabaseRole.SYSTEM, """
                INSERT INTO S_auth.users (id, email, raw_user_meta_data) SELECT %1$s, 'a@b.c', jsonb_build_object('a',
                    (SELECT string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 400)));
                INSERT INTO S_auth.identities (provider_id, user_id, identity_data, provider)
                    VALUES ('1', %1$s, '{"email": "A@b.c"}', 'email');
                INSERT INTO S_auth.sessions (id, user_id) VALUES (gen_random_uuid(), %1$s);
                """.formatted(USER));
        assertThat(asked(DatabaseRole.OWNER, "SELECT email FROM S_auth.identities"))
                .containsExactly("a@b.c");
        as(DatabaseRole.SYSTEM, "DELETE FROM S_auth.users");
        assertThat(asked(DatabaseRole.SYSTEM, "SELECT id FROM S_auth.sessions UNION SELECT id FROM S_auth.identities"))
                .isEmpty();
    }

    @Test
    void anAddressIsOneUsersAndDamageIsRepaired() throws SQLException {
        complete();
        as(DatabaseRole.SYSTEM, "INSERT INTO S_auth.users (id, email) VALUES (gen_random_uuid(), 'a@b.c')");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(
                        DatabaseRole.SYSTEM,
                        "INSERT INTO S_auth.users (id, email) VALUES (gen_random_uuid(), 'a@b.c')"))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("23505"));
        DATABASES.asOperator(
                sql("DROP INDEX S_auth.sessions_user_id_idx; REVOKE ALL ON S_auth.flow_state FROM S_system"));
        assertThat(reconcile()).hasSize(3);
        assertThat(reconcile()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Its cascades run with the rights of the platform: a tenant's trigger would have them.
                "CREATE TRIGGER t BEFORE DELETE ON S_auth.sessions FOR EACH ROW EXECUTE FUNCTION f()",
                "CREATE TRIGGER t BEFORE DELETE ON S_auth.identities FOR EACH ROW EXECUTE FUNCTION f()",
                "CREATE TRIGGER t BEFORE INSERT ON S_auth.audit_log_entries FOR EACH ROW EXECUTE FUNCTION f()",
                "CREATE TABLE mine (id uuid REFERENCES S_auth.sessions)",
                "SELECT secret FROM S_auth.mfa_factors",
                "SELECT token_hash FROM S_auth.one_time_tokens",
                "SELECT auth_code FROM S_auth.flow_state",
                "SELECT otp_code FROM S_auth.mfa_challenges",
                "CREATE TRIGGER t BEFORE DELETE ON S_auth.mfa_factors FOR EACH ROW EXECUTE FUNCTION f()",
                "CREATE TABLE mine (id uuid REFERENCES S_auth.identities)",
                "TRUNCATE S_auth.users CASCADE",
                "ALTER TABLE S_auth.users DISABLE TRIGGER svc_user",
                "DROP TRIGGER svc_user ON S_auth.users",
                "ALTER POLICY svc_own ON S_auth.mfa_factors USING (true)",
                "INSERT INTO S_auth.sessions (id, user_id) VALUES (gen_random_uuid(), gen_random_uuid())",
                "UPDATE S_auth.sessions SET aal = 'aal2'",
                "INSERT INTO S_auth.one_time_tokens (user_id) VALUES (gen_random_uuid())",
                "UPDATE S_auth.mfa_factors SET status = 'verified'",
                "INSERT INTO S_auth.audit_log_entries (id) VALUES (gen_random_uuid())",
                "DELETE FROM S_auth.audit_log_entries",
                "INSERT INTO svc_guard.service_request VALUES ('S', 'auth')",
                "SELECT svc_statements.request_service('auth')",
            })
    void theOwnerCannot(String statement) throws SQLException {
        complete();
        as(DatabaseRole.OWNER, "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(DatabaseRole.OWNER, statement))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
    }

    @Test
    void onlyServicesMayRequestAndOnlyForTheirOwnProject() throws SQLException {
        as(DatabaseRole.SYSTEM, "SELECT svc_statements.request_service('auth')");
        as(DatabaseRole.SYSTEM, "SELECT svc_statements.request_service('auth')");
        var own = new ServiceRequest(project.projectId(), CompanionSchema.AUTH);
        try (Connection operator = DATABASES.server().connect(DATABASES.sharedName())) {
            assertThat(ServiceRequests.pending(operator)).containsOnlyOnce(project.projectId());
            assertThat(ServiceRequests.of(operator, project.projectId())).containsExactly(own);
            ServiceRequests.complete(operator, own);
            assertThat(ServiceRequests.pending(operator)).doesNotContain(project.projectId());
        }
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(DatabaseRole.SERVICE, "SELECT svc_statements.request_service('auth')"))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(DatabaseRole.SYSTEM, "SELECT svc_statements.request_service('pg')"))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("23514"));
    }

    @Test
    void severalOperatorsAtOnceMakeThemOnce() throws Exception {
        try (var pool = Executors.newFixedThreadPool(4)) {
            Callable<List<String>> complete = this::complete;
            long working = pool.invokeAll(List.of(complete, complete, complete, complete)).stream()
                    .filter(done -> !done.resultNow().isEmpty())
                    .count();
            assertThat(working).isOne();
        }
        assertThat(reconcile()).isEmpty();
    }

    @Test
    void aProjectThatIsGoneGetsNothing() {
        assertThat(DATABASES.serviceTables().complete(UUID.randomUUID(), CompanionSchema.AUTH))
                .isEmpty();
    }
}
