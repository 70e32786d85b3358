package svc.operator.project.database.supabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: what migrations written for Supabase do with auth, storage and realtime works, and row security holds per role. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnerBuildsOnCompanionsTest {
    private static final String ALICE = "00000000-0000-0000-0000-00000000000a";
    private static final String BOB = "00000000-0000-0000-0000-00000000000b";

    private final TestingDatabases databases = TestingDatabases.create();
    private ProjectRecord project;

    @BeforeAll
    void migrate() throws SQLException {
        project = ((Provisioned) databases.projects().provision(TestingDatabases.request("app", databases))).project();
        run(DatabaseRole.OWNER, """
                CREATE TABLE profiles (id uuid PRIMARY KEY REFERENCES S_auth.users (id) ON DELETE CASCADE, mail text);
                CREATE FUNCTION handle_new_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
                    'BEGIN INSERT INTO S.profiles VALUES (NEW.id, NEW.email); RETURN NEW; END';
                CREATE TRIGGER on_auth_user_created AFTER INSERT ON S_auth.users
                    FOR EACH ROW EXECUTE FUNCTION handle_new_user();
                CREATE TABLE todos (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    user_id uuid NOT NULL DEFAULT svc_auth.uid() REFERENCES S_auth.users (id), task text);
                ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON todos TO S_authenticated
                    USING (user_id = (SELECT svc_auth.uid())) WITH CHECK (user_id = (SELECT svc_auth.uid()));
                CREATE VIEW people AS SELECT id, email FROM S_auth.users;
                CREATE FUNCTION whoami() RETURNS text LANGUAGE sql RETURN current_user;
                INSERT INTO S_storage.buckets (id, name, public) VALUES ('avatars', 'avatars', true)
                    ON CONFLICT (id) DO NOTHING;
                """);
        run(
                DatabaseRole.SYSTEM,
                "INSERT INTO S_auth.users (id, email) VALUES ('" + ALICE + "', 'alice@x'), ('" + BOB + "', 'bob@x');"
                        + "INSERT INTO S_storage.objects (id, bucket_id, name) VALUES ('" + ALICE + "', 'avatars',"
                        + " 'alice/me.tar.gz')");
    }

    private String sql(String text) {
        String s = project.names().schemaName();
        return text.replaceAll("\\bS_", s + "_").replaceAll("\\bS\\.", s + ".");
    }

    private void run(DatabaseRole role, String text) throws SQLException {
        try (Connection connection = databases.login(project, role)) {
            TestingDatabases.execute(connection, sql(text));
        }
    }

    private List<String> ask(DatabaseRole role, String preamble, String question) throws SQLException {
        try (Connection connection = databases.login(project, role)) {
            connection.setAutoCommit(false);
            if (!preamble.isEmpty()) {
                TestingDatabases.execute(connection, sql(preamble));
            }
            List<String> answer = TestingDatabases.query(connection, sql(question));
            connection.commit();
            return answer;
        }
    }

    private List<String> asUser(String user, String question) throws SQLException {
        return ask(
                DatabaseRole.API,
                "SET LOCAL ROLE S_authenticated; SET LOCAL request.jwt.claims = '{\"sub\":\"" + user
                        + "\",\"role\":\"authenticated\",\"email\":\"e@x\"}'",
                question);
    }

    @Test
    void theTriggerOnUsersFilledProfiles() throws SQLException {
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT mail FROM profiles ORDER BY 1"))
                .containsExactly("alice@x", "bob@x");
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT email FROM people ORDER BY 1"))
                .containsExactly("alice@x", "bob@x");
    }

    @Test
    void rowSecurityWithUidHoldsPerUser() throws SQLException {
        asUser(ALICE, "INSERT INTO todos (task) VALUES ('of alice') RETURNING id");
        asUser(BOB, "INSERT INTO todos (task) VALUES ('of bob') RETURNING id");
        assertThat(asUser(ALICE, "SELECT task FROM todos")).containsExactly("of alice");
        assertThat(ask(DatabaseRole.API, "SET LOCAL ROLE S_anon", "SELECT task FROM todos"))
                .isEmpty();
        assertThat(ask(DatabaseRole.SERVICE, "", "SELECT count(*) FROM todos")).containsExactly("2");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> asUser(ALICE, "INSERT INTO todos (user_id) VALUES ('" + BOB + "') RETURNING id"))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
    }

    @Test
    void theFunctionsReadTheClaimsAndOldSettings() throws SQLException {
        assertThat(
                        asUser(
                                ALICE,
                                "SELECT concat_ws(' ', svc_auth.uid(), svc_auth.role(), svc_auth.email(), svc_auth.jwt() ->> 'sub')"))
                .containsExactly(ALICE + " authenticated e@x " + ALICE);
        assertThat(ask(
                        DatabaseRole.API,
                        "SET LOCAL ROLE S_anon; SET LOCAL request.jwt.claim.sub = '" + BOB
                                + "'; SET LOCAL realtime.topic = 't'",
                        "SELECT svc_auth.uid() || svc_realtime.topic()"))
                .containsExactly(BOB + "t");
        assertThat(ask(
                        DatabaseRole.API,
                        "SET LOCAL ROLE S_anon",
                        "SELECT svc_auth.uid() IS NULL AND svc_auth.jwt() IS NULL"))
                .containsExactly("t");
        assertThat(
                        ask(
                                DatabaseRole.SERVICE,
                                "",
                                "SELECT array_to_string(svc_storage.foldername('a/b/c.tar.gz'), ',') || ' '"
                                        + " || svc_storage.filename('a/b/c.tar.gz') || ' ' || svc_storage.extension('a/b/c.tar.gz')"))
                .containsExactly("a,b c.tar.gz gz");
        assertThat(ask(DatabaseRole.SERVICE, "", "SELECT cardinality(svc_storage.foldername('top.txt'))"))
                .containsExactly("0");
    }

    @Test
    void bucketsAndObjectsShowByPolicyOnly() throws SQLException {
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT id FROM S_storage.buckets"))
                .containsExactly("avatars");
        assertThat(ask(DatabaseRole.OWNER, "", "SELECT path_tokens[2] FROM S_storage.objects"))
                .containsExactly("me.tar.gz");
        assertThat(ask(DatabaseRole.API, "SET LOCAL ROLE S_anon", "SELECT id FROM S_storage.buckets"))
                .isEmpty();
        assertThat(ask(DatabaseRole.SERVICE, "", "SELECT name FROM S_storage.objects"))
                .containsExactly("alice/me.tar.gz");
        assertRefused(DatabaseRole.OWNER, "INSERT INTO S_storage.objects (name) VALUES ('x')");
    }

    @Test
    void levelsOfRightStayApart() {
        assertRefused(DatabaseRole.API, "SELECT * FROM S.todos");
        assertRefused(DatabaseRole.API, "SET ROLE S_owner");
        assertRefused(DatabaseRole.API, "SET ROLE S_service");
        assertRefused(DatabaseRole.SERVICE, "SELECT * FROM S_auth.users");
        assertRefused(DatabaseRole.SYSTEM, "SELECT * FROM S.todos");
        assertRefused(DatabaseRole.OWNER, "INSERT INTO S_auth.users (id) VALUES (gen_random_uuid())");
        assertRefused(DatabaseRole.OWNER, "DROP TABLE S_auth.users");
        assertRefused(DatabaseRole.OWNER, "CREATE TABLE S_auth.mine (id int)");
        assertRefused(DatabaseRole.OWNER, "DROP SCHEMA S_auth CASCADE");
        assertRefused(DatabaseRole.OWNER, "SET ROLE svc_companion");
    }

    private void assertRefused(DatabaseRole role, String text) {
        assertThatExceptionOfType(SQLException.class)
                .as(text)
                .isThrownBy(() -> run(role, text))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
    }
}
