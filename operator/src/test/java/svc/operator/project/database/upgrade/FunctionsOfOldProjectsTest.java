package svc.operator.project.database.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/**
 * Promise: projects from before the common functions are led to them, whatever has called the old ones goes on, and no code of a
 * tenant runs on the way.
 */
class FunctionsOfOldProjectsTest {
    private static final TestingDatabases DATABASES = TestingDatabases.create();
    private static final String USER = "00000000-0000-0000-0000-00000000000a";

    private static final Map<String, String> OLD = Map.of(
            "S_auth.uid()", "uuid STABLE RETURN svc_functions.auth_uid()",
            "S_auth.jwt()", "jsonb STABLE RETURN svc_functions.auth_jwt()",
            "S_auth.role()", "text STABLE RETURN svc_functions.auth_role()",
            "S_auth.email()", "text STABLE RETURN svc_functions.auth_email()",
            "S_storage.foldername(name text)", "text[] IMMUTABLE RETURN svc_functions.storage_foldername(name)",
            "S_storage.filename(name text)", "text IMMUTABLE RETURN svc_functions.storage_filename(name)",
            "S_storage.extension(name text)", "text IMMUTABLE RETURN svc_functions.storage_extension(name)",
            "S_realtime.topic()", "text STABLE RETURN svc_functions.realtime_topic()");

    private ProvisionRequest request;
    private ProjectRecord project;

    @BeforeEach
    void provisionAsBefore() {
        request = TestingDatabases.request("old", DATABASES);
        project = ((Provisioned) DATABASES.projects().provision(request)).project();
        OLD.forEach((signature, body) -> DATABASES.asOperator(sql("CREATE FUNCTION " + signature + " RETURNS "
                + body.replaceFirst(" (?=STABLE|IMMUTABLE)", " LANGUAGE sql ") + ";ALTER FUNCTION "
                + signature.replace("name ", "") + " OWNER TO svc_companion")));
    }

    private String sql(String text) {
        String s = project.names().schemaName();
        return text.replaceAll("\\bS_", s + "_").replaceAll("\\bS\\b", s);
    }

    private void asOwner(String text) throws SQLException {
        try (Connection owner = DATABASES.login(project, DatabaseRole.OWNER)) {
            TestingDatabases.execute(owner, sql(text));
        }
    }

    private List<String> asUser(String question) throws SQLException {
        try (Connection api = DATABASES.login(project, DatabaseRole.API)) {
            TestingDatabases.execute(
                    api,
                    sql("SET ROLE S_authenticated; SET request.jwt.claims = '{\"sub\":\"" + USER
                            + "\",\"role\":\"authenticated\"}'"));
            return TestingDatabases.query(api, sql(question));
        }
    }

    private List<String> asOperator(String question) throws SQLException {
        try (Connection operator = DATABASES.server().connect(DATABASES.sharedName())) {
            TestingDatabases.execute(operator, "SET search_path = pg_catalog");
            return TestingDatabases.query(operator, sql(question));
        }
    }

    private List<String> left() throws SQLException {
        return asOperator("SELECT proname FROM pg_proc WHERE pronamespace::regnamespace::text"
                + " IN ('S_auth', 'S_storage', 'S_realtime') ORDER BY 1");
    }

    private List<String> reconcile() {
        return ((Provisioned) DATABASES.projects().provision(request)).steps();
    }

    @Test
    void aProjectWithoutCallersLosesThem() throws SQLException {
        assertThat(reconcile()).hasSize(2);
        assertThat(left()).isEmpty();
        assertThat(reconcile()).isEmpty();
    }

    @Test
    void policiesDefaultsViewsAndBodiesCallTheCommonOnes() throws SQLException {
        asOwner("""
                CREATE TYPE mood AS ENUM ('sad', 'ok');
                CREATE TABLE todos (id int PRIMARY KEY, user_id uuid DEFAULT S_auth.uid(), title text, feels mood);
                ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON todos TO S_authenticated USING (user_id = (SELECT S_auth.uid()) AND feels = 'ok')
                    WITH CHECK (user_id = (SELECT S_auth.uid()) AND (S_auth.jwt() ->> 'aal') IS DISTINCT FROM 'x''y');
                CREATE VIEW mine WITH (security_invoker = true) AS SELECT t.*, S_auth.uid() FROM todos t;
                CREATE FUNCTION whoami() RETURNS uuid LANGUAGE plpgsql AS 'BEGIN RETURN "S_auth" . uid ( ); END';
                CREATE FUNCTION whoami_sql() RETURNS text LANGUAGE sql AS 'SELECT S_auth.uid() || S_auth.role()';
                CREATE FUNCTION later() RETURNS text LANGUAGE plpgsql AS
                    $$DECLARE t text; BEGIN EXECUTE 'SELECT S_auth.uid()' INTO t; RETURN t; END$$;
                """);
        DATABASES.asOperator(sql("CREATE POLICY files ON S_storage.objects TO S_authenticated"
                + " USING ((S_storage.foldername(name))[1] = S_auth.uid()::text)"));
        assertThat(reconcile()).hasSize(2);
        assertThat(left()).isEmpty();
        assertThat(reconcile()).isEmpty();

        assertThat(asUser("INSERT INTO S.todos (id, title, feels) VALUES (1, 'a', 'ok') RETURNING user_id"))
                .containsExactly(USER);
        assertThat(asUser("SELECT title FROM S.todos")).containsExactly("a");
        assertThat(asUser("SELECT uid FROM S.mine")).containsExactly(USER);
        assertThat(asUser("SELECT S.whoami()")).containsExactly(USER);
        assertThat(asUser("SELECT S.whoami_sql()")).containsExactly(USER + "authenticated");
        assertThat(asUser("SELECT S.later()")).containsExactly(USER);
        assertThat(asOperator("SELECT reloptions::text FROM pg_class WHERE oid = 'S.mine'::regclass"))
                .containsExactly("{security_invoker=true}");
        assertThat(asOperator("SELECT relowner::regrole::text FROM pg_class WHERE oid = 'S.mine'::regclass"))
                .containsExactly(sql("S_owner"));
        assertThat(asOperator("SELECT qual FROM pg_policies WHERE schemaname = 'S_storage' AND policyname = 'files'"))
                .containsExactly("((svc_storage.foldername(name))[1] = (svc_auth.uid())::text)");
    }

    @Test
    void whatCannotBeReplacedKeepsItsFunctionAndNoCodeOfTheTenantRuns() throws SQLException {
        asOwner("""
                CREATE TABLE witness (who text);
                CREATE FUNCTION trap(text) RETURNS boolean LANGUAGE plpgsql AS
                    'BEGIN INSERT INTO S.witness VALUES (current_user); RETURN true; END';
                CREATE DOMAIN bait AS text CHECK (trap(VALUE));
                CREATE TABLE letters (id int, owner uuid, seal bait, path text,
                    folder text GENERATED ALWAYS AS (S_storage.filename(path)) STORED);
                ALTER TABLE letters ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON letters USING (owner = S_auth.uid() AND seal = 'x'::bait);
                CREATE FUNCTION standard() RETURNS text LANGUAGE sql RETURN S_auth.role();
                CREATE FUNCTION hidden() RETURNS text LANGUAGE plpgsql AS
                    $$DECLARE t text; BEGIN EXECUTE format('SELECT %I.email()', current_schema() || '_auth') INTO t;
                    RETURN coalesce(t, 'none'); END$$;
                TRUNCATE witness;
                """);
        assertThat(reconcile()).isNotEmpty();
        assertThat(left()).containsExactly("email", "filename", "role", "uid");
        assertThat(reconcile()).isEmpty();
        assertThat(asOperator("SELECT count(*) FROM S.witness")).containsExactly("0");
        assertThat(asUser("SELECT S.standard()")).containsExactly("authenticated");
        try (Connection owner = DATABASES.login(project, DatabaseRole.OWNER)) {
            assertThat(TestingDatabases.query(owner, "SELECT hidden()")).containsExactly("none");
            TestingDatabases.execute(owner, "INSERT INTO letters (id, path) VALUES (1, 'a/b')");
            assertThat(TestingDatabases.query(owner, "SELECT folder FROM letters"))
                    .containsExactly("b");
        }
    }

    @Test
    void aBusyTableIsLeftUntilTheNextLook() throws SQLException {
        asOwner("""
                CREATE TABLE busy (user_id uuid);
                ALTER TABLE busy ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON busy USING (user_id = S_auth.uid());
                """);
        try (Connection owner = DATABASES.login(project, DatabaseRole.OWNER)) {
            owner.setAutoCommit(false);
            TestingDatabases.query(owner, "SELECT count(*) FROM busy");
            assertThat(reconcile()).isNotEmpty();
            assertThat(left()).containsExactly("uid");
            owner.rollback();
        }
        assertThat(reconcile()).isNotEmpty();
        assertThat(left()).isEmpty();
        assertThat(reconcile()).isEmpty();
    }
}
