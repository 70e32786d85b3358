package svc.operator.project.database.lean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: the functions of auth, storage and realtime cost a project nothing, a policy nothing, and cannot be led astray. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedFunctionsTest {
    private static final String USER = "00000000-0000-0000-0000-00000000000a";
    private static final String CLAIMS = "SET request.jwt.claims = '{\"sub\":\"" + USER
            + "\",\"role\":\"r\",\"email\":\"e@x\"}';" + "SET realtime.topic = 't'; SET storage.operation = 'o'";
    private static final String EVERY_FUNCTION = """
            SELECT concat_ws(' ', svc_auth.uid(), svc_auth.role(), svc_auth.email(), svc_auth.jwt() ->> 'sub', svc_realtime.topic(),
                svc_storage.foldername('a/b.c.d'), svc_storage.filename('a/b.c.d'), svc_storage.extension('a/b.c.d'),
                svc_storage.operation())""";
    private static final String EVERY_ANSWER = USER + " r e@x " + USER + " t {a} b.c.d d o";

    private final TestingDatabases databases = TestingDatabases.create();
    private ProjectRecord project;

    @BeforeAll
    void provision() throws SQLException {
        project =
                ((Provisioned) databases.projects().provision(TestingDatabases.request("shared", databases))).project();
        try (Connection owner = databases.login(project, DatabaseRole.OWNER)) {
            TestingDatabases.execute(owner, sql("""
                    CREATE TABLE todos (id int PRIMARY KEY, user_id uuid);
                    ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
                    CREATE POLICY own ON todos TO S_authenticated USING (user_id = svc_auth.uid());
                    CREATE FUNCTION auth_uid() RETURNS uuid LANGUAGE sql RETURN NULL::uuid;
                    CREATE FUNCTION current_setting(text, boolean) RETURNS text LANGUAGE sql RETURN 'shadow';
                    CREATE FUNCTION split_part(text, text, integer) RETURNS text LANGUAGE sql RETURN 'shadow';
                    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA S TO S_system, S_api;
                    """));
        }
    }

    private String sql(String text) {
        String s = project.names().schemaName();
        return text.replaceAll("\\bS_", s + "_").replaceAll("\\bS\\b", s);
    }

    private List<String> ask(DatabaseRole role, String preamble, String question) throws SQLException {
        try (Connection connection = databases.login(project, role)) {
            TestingDatabases.execute(connection, sql(preamble));
            return TestingDatabases.query(connection, sql(question));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OWNER", "SERVICE", "SYSTEM"})
    void everyLoginMayCallThem(DatabaseRole role) throws SQLException {
        assertThat(ask(role, CLAIMS, EVERY_FUNCTION)).containsExactly(EVERY_ANSWER);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANON", "AUTHENTICATED"})
    void callersMayCallThem(DatabaseRole role) throws SQLException {
        String become = "SET ROLE S_" + role.suffix() + ";";
        assertThat(ask(DatabaseRole.API, become + CLAIMS, EVERY_FUNCTION)).containsExactly(EVERY_ANSWER);
    }

    @Test
    void bothLevelsInlineInAPolicy() throws SQLException {
        String plan = String.join(
                "\n",
                ask(
                        DatabaseRole.API,
                        "SET ROLE S_authenticated",
                        "EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM S.todos"));
        assertThat(plan).contains("current_setting('request.jwt.claims'").doesNotContain("uid()");
    }

    @Test
    void aFunctionOfTheTenantsPathIsNotCalledInTheirPlace() throws SQLException {
        String ownFirst = CLAIMS + "; SET search_path = S, pg_catalog";
        assertThat(ask(DatabaseRole.OWNER, ownFirst, "SELECT current_setting('x', true)"))
                .containsExactly("shadow");
        assertThat(ask(DatabaseRole.OWNER, ownFirst, EVERY_FUNCTION)).containsExactly(EVERY_ANSWER);
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> ask(
                        DatabaseRole.OWNER,
                        "CREATE FUNCTION svc_auth.mine() RETURNS int LANGUAGE sql RETURN 1",
                        "SELECT 1"))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
    }

    /** PostgreSQL loads every function of a name before it chooses one: a call would be linear in projects. */
    @Test
    void noProjectHasOneOfItsOwn() throws SQLException {
        try (Connection operator = databases.server().connect(databases.sharedName())) {
            assertThat(TestingDatabases.query(
                            operator,
                            sql("SELECT proname FROM pg_proc WHERE pronamespace::regnamespace::text"
                                    + " IN ('S_auth', 'S_storage', 'S_realtime')")))
                    .isEmpty();
        }
    }
}
