package svc.operator.project.database.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.database.project.companion.CompanionSchema;
import svc.database.shared.ServiceRequests;
import svc.database.shared.ServiceRequests.ServiceRequest;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: the owner writes its users as Supabase's postgres does; no other login can, and no row harms the platform. */
class UsersOfTheOwnerTest {
    private static final TestingDatabases DATABASES = TestingDatabases.create();
    private static final String ALICE = "00000000-0000-0000-0000-00000000000a";

    private ProjectRecord project;

    @BeforeEach
    void provision() {
        project =
                ((Provisioned) DATABASES.projects().provision(TestingDatabases.request("users", DATABASES))).project();
        DATABASES.serviceTables().complete(project.projectId(), CompanionSchema.AUTH);
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

    private List<String> ask(DatabaseRole role, String preamble, String question) throws SQLException {
        try (Connection login = DATABASES.login(project, role)) {
            TestingDatabases.execute(login, sql(preamble));
            return TestingDatabases.query(login, sql(question));
        }
    }

    private List<String> asUser(String user, String question) throws SQLException {
        return ask(
                DatabaseRole.API,
                "SET ROLE S_authenticated; SET request.jwt.claims = '{\"sub\":\"" + user + "\",\"aal\":\"aal1\"}'",
                question);
    }

    @Test
    void rowsGetTheFormInWhichTheServiceLooksThemUp() throws SQLException {
        as(
                DatabaseRole.OWNER,
                "INSERT INTO S_auth.users (id, email, phone, role) VALUES ('" + ALICE
                        + "', 'Alice@X.org', '+4917', '')");
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT concat_ws(' ', email, phone, aud, role) FROM S_auth.users"))
                .containsExactly("alice@x.org 4917 authenticated authenticated");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "23505 | INSERT INTO S_auth.users (id, email) VALUES (gen_random_uuid(), 'A@x'), (gen_random_uuid(), 'a@X')",
                "23514 | INSERT INTO S_auth.users (id, role) VALUES (gen_random_uuid(), 'service_role')",
                "23514 | INSERT INTO S_auth.users (id, role) VALUES (gen_random_uuid(), 'supabase_admin')",
                "54000 | INSERT INTO S_auth.users (id, raw_app_meta_data) SELECT gen_random_uuid(), to_jsonb(repeat('x', 2000000))",
                "54000 | INSERT INTO S_auth.users (id, raw_user_meta_data) SELECT gen_random_uuid(), to_jsonb(repeat('x', 2000000))",
                "54000 | INSERT INTO S_auth.users (id, raw_app_meta_data) SELECT gen_random_uuid(), concat(repeat('[', 200), repeat(']', 200))::jsonb",
                "54000 | INSERT INTO S_auth.users (id, raw_app_meta_data) SELECT gen_random_uuid(), jsonb_build_object('a', jsonb_build_object(repeat('k', 2000), 1))",
                "54000 | INSERT INTO S_auth.users (id, raw_app_meta_data) VALUES (gen_random_uuid(), '[1e5000]')",
                "23514 | INSERT INTO S_auth.users (id, email) VALUES (gen_random_uuid(), E'a@b.c\\nBcc: d@e.f')",
                "54000 | INSERT INTO S_auth.users (id, phone_change) VALUES (gen_random_uuid(), repeat('x', 300))",
                "22001 | INSERT INTO S_auth.users (id, encrypted_password) VALUES (gen_random_uuid(), repeat('x', 300))",
                "23502 | INSERT INTO S_auth.users (id, is_sso_user) VALUES (gen_random_uuid(), NULL)",
                "23503 | INSERT INTO S_auth.identities (provider_id, user_id, identity_data, provider) VALUES ('1', gen_random_uuid(), '{}', 'email')",
            })
    void rowsThatTheServiceCouldNotBearAreErrors(String state, String statement) {
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(DatabaseRole.OWNER, statement))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo(state));
    }

    /** The service's own rows may be larger: changing another column of one is no reason to refuse it. */
    @Test
    void whatTheServiceHasWrittenStays() throws SQLException {
        as(
                DatabaseRole.SYSTEM,
                "INSERT INTO S_auth.users (id, role, raw_user_meta_data) SELECT '" + ALICE
                        + "', 'service_role', to_jsonb(repeat('x', 500000))");
        as(DatabaseRole.OWNER, "UPDATE S_auth.users SET raw_app_meta_data = '{\"a\": 1}'");
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT raw_app_meta_data ->> 'a' FROM S_auth.users"))
                .containsExactly("1");
    }

    @Test
    void aUserHasABoundedNumberOfIdentities() throws SQLException {
        as(DatabaseRole.OWNER, "INSERT INTO S_auth.users (id) VALUES ('" + ALICE + "')");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(
                        DatabaseRole.OWNER,
                        "INSERT INTO S_auth.identities (provider_id, user_id, identity_data, provider)"
                                + " SELECT i::text, '" + ALICE + "', '{}', 'p' FROM generate_series(1, 21) i"))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("54000"));
    }

    @Test
    void aUserDeletesItselfWithAllThatHangsOnIt() throws SQLException {
        as(DatabaseRole.OWNER, """
                CREATE TABLE profiles (id uuid PRIMARY KEY REFERENCES S_auth.users ON DELETE CASCADE);
                CREATE FUNCTION delete_me() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = '' AS
                    'DELETE FROM S_auth.users WHERE id = svc_auth.uid()';
                INSERT INTO S_auth.users (id) VALUES ('%1$s'), (gen_random_uuid());
                INSERT INTO S_auth.identities (provider_id, user_id, identity_data, provider)
                    VALUES ('1', '%1$s', '{"email": "a@b"}', 'email');
                INSERT INTO S.profiles SELECT id FROM S_auth.users;
                """.formatted(ALICE));
        as(DatabaseRole.SYSTEM, """
                INSERT INTO S_auth.sessions (id, user_id) VALUES (gen_random_uuid(), '%1$s');
                INSERT INTO S_auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
                    VALUES (gen_random_uuid(), '%1$s', 'totp', 'verified', now(), now());
                """.formatted(ALICE));
        asUser(ALICE, "SELECT S.delete_me()");
        assertThat(ask(DatabaseRole.OWNER, "", """
                SELECT concat_ws(' ', (SELECT count(*) FROM S_auth.users), (SELECT count(*) FROM profiles),
                    (SELECT count(*) FROM S_auth.identities), (SELECT count(*) FROM S_auth.sessions),
                    (SELECT count(id) FROM S_auth.mfa_factors))""")).containsExactly("1 1 0 0 0");
    }

    /** Supabase's documented policy for users who have enrolled a factor. */
    @Test
    void thePolicyForUsersWithAFactorHoldsForEach() throws SQLException {
        String bob = "00000000-0000-0000-0000-00000000000b";
        as(DatabaseRole.OWNER, """
                CREATE TABLE notes (title text);
                ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
                CREATE POLICY everybody ON notes TO S_authenticated USING (true);
                CREATE POLICY enrolled ON notes AS RESTRICTIVE TO S_authenticated USING (
                    array[(SELECT svc_auth.jwt()->>'aal')] <@ (
                        SELECT CASE WHEN count(id) > 0 THEN array['aal2'] ELSE array['aal1', 'aal2'] END AS aal
                        FROM S_auth.mfa_factors
                        WHERE ((SELECT svc_auth.uid()) = user_id) AND status = 'verified'));
                INSERT INTO notes VALUES ('a');
                INSERT INTO S_auth.users (id) VALUES ('%s'), ('%s');
                """.formatted(ALICE, bob));
        as(
                DatabaseRole.SYSTEM,
                "INSERT INTO S_auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at, secret)"
                        + " VALUES (gen_random_uuid(), '" + bob + "', 'totp', 'verified', now(), now(), 'secret')");
        assertThat(asUser(ALICE, "SELECT title FROM S.notes")).containsExactly("a");
        assertThat(asUser(bob, "SELECT title FROM S.notes")).isEmpty();
        assertThat(asUser(bob, "SELECT status FROM S_auth.mfa_factors")).containsExactly("verified");
        assertThat(asUser(ALICE, "SELECT status FROM S_auth.mfa_factors")).isEmpty();
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT status FROM S_auth.mfa_factors"))
                .containsExactly("verified");
        for (String closed : List.of("secret", "*")) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> asUser(bob, "SELECT " + closed + " FROM S_auth.mfa_factors"))
                    .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SERVICE | SELECT 1",
                "API | SET ROLE S_anon",
                "API | SET ROLE S_authenticated",
            })
    void theDataPlaneGainsNothing(DatabaseRole role, String preamble) {
        for (String write : List.of(
                "INSERT INTO S_auth.users (id) VALUES (gen_random_uuid())",
                "UPDATE S_auth.users SET email = 'x'",
                "DELETE FROM S_auth.users",
                "DELETE FROM S_auth.identities",
                "DELETE FROM S_auth.sessions",
                "DELETE FROM S_auth.mfa_factors",
                "SELECT svc_statements.prepare_auth()")) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> ask(role, preamble, write))
                    .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
        }
    }

    @Test
    void aScriptOfTheOwnerMayRequestTheTablesOnceAndOnlyItsOwn() throws SQLException {
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT svc_statements.prepare_auth()"))
                .containsExactly("t");
        project = ((Provisioned) DATABASES.projects().provision(TestingDatabases.request("lean", DATABASES))).project();
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT svc_statements.prepare_auth()"))
                .containsExactly("f");
        try (Connection operator = DATABASES.server().connect(DATABASES.sharedName())) {
            assertThat(ServiceRequests.pending(operator)).contains(project.projectId());
            assertThat(ServiceRequests.of(operator, project.projectId()))
                    .contains(new ServiceRequest(project.projectId(), CompanionSchema.AUTH));
        }
    }
}
