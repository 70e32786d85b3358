package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Statements that the platform executes itself or rewrites, judged by their effect in the database. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class TranslatedStatementsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "translated");
    }

    /** {@code $S} is the project's schema. */
    private Http.Answer run(String sql) {
        return api.send(
                "POST",
                project.path(),
                JSON.createObjectNode().put("query", fill(sql)).toString());
    }

    private String fill(String sql) {
        return sql.replace("$S", project.owner().names().schemaName());
    }

    private void works(String sql) {
        Http.Answer answer = run(sql);
        assertThat(answer.status()).as(sql + " → " + answer).isEqualTo(201);
    }

    private Http.Answer refused(String sql) {
        Http.Answer answer = run(sql);
        assertThat(answer.status()).as(sql + " → " + answer).isEqualTo(400);
        return answer;
    }

    private String policies() {
        return project.owner()
                .ask(fill("SELECT string_agg(concat_ws(' ', p.tablename, p.policyname, p.permissive, p.cmd,"
                        + " replace(p.roles::text, '$S_', ''), p.qual, p.with_check), '; ' ORDER BY p.policyname)"
                        + " FROM pg_policies p WHERE p.schemaname LIKE '$S\\_%' AND p.policyname NOT LIKE 'svc\\_%'"));
    }

    private String published() {
        return run("SELECT string_agg(tablename, ',' ORDER BY tablename) AS t FROM pg_publication_tables"
                        + " WHERE pubname = 'supabase_realtime'")
                .json()
                .get(0)
                .path("t")
                .asText();
    }

    @Test
    void policiesOnStorageAreMadeAlteredAndDropped() {
        works("""
                ALTER TABLE $S_storage.objects ENABLE ROW LEVEL SECURITY;
                DROP POLICY IF EXISTS "Give users access" ON $S_storage.objects;
                CREATE POLICY "Give users access" ON $S_storage.objects AS PERMISSIVE FOR SELECT
                    TO anon, authenticated
                    USING (bucket_id = 'it''s (a)' /* ) */ AND $S_auth.uid()::text = ($S_storage.foldername(name))[1] -- )
                    );
                CREATE POLICY w ON $S_storage.objects FOR INSERT WITH CHECK (bucket_id = $$b$$);
                COMMENT ON POLICY w ON $S_storage.objects IS 'why';""");
        assertThat(policies())
                .isEqualTo(fill("objects Give users access PERMISSIVE SELECT {anon,authenticated}"
                        + " ((bucket_id = 'it''s (a)'::text) AND ((svc_auth.uid())::text ="
                        + " (svc_storage.foldername(name))[1])); objects w PERMISSIVE INSERT {public}"
                        + " (bucket_id = 'b'::text)"));
        works("ALTER POLICY w ON $S_storage.objects RENAME TO w2; ALTER POLICY w2 ON $S_storage.objects TO service_role"
                + " WITH CHECK (true); DROP POLICY \"Give users access\" ON $S_storage.objects");
        assertThat(policies()).isEqualTo("objects w2 PERMISSIVE INSERT {service} true");
        Http.Answer twice = refused("SELECT 1;\nCREATE POLICY w2 ON $S_storage.objects USING (true)");
        assertThat(twice.json().path("sqlstate").asText()).isEqualTo("42710");
        Http.Answer unknown = refused("CREATE POLICY x ON $S_storage.objects USING (nowhere = 1)");
        assertThat(unknown.json().path("message").asText()).contains("column \"nowhere\" does not exist");
        assertThat(unknown.json().toString()).doesNotContain("svc_statements");
    }

    @Test
    void policiesAreMadeInsideOfBlocksToo() {
        String block = """
                DO $$
                BEGIN
                  -- CREATE POLICY p ON $S_storage.objects FOR ALL USING (bucket_id = 'a');
                  IF NOT EXISTS (SELECT 1 FROM pg_policies WHERE policyname = 'p' AND tablename = 'objects') THEN
                    CREATE POLICY p ON $S_storage.objects FOR ALL USING (bucket_id = 'a');
                  END IF;
                  BEGIN
                    CREATE POLICY p ON $S_storage.objects FOR ALL USING (bucket_id = 'a');
                  EXCEPTION WHEN duplicate_object THEN NULL;
                  END;
                END $$;""";
        works(block);
        works(block);
        assertThat(policies()).isEqualTo("objects p PERMISSIVE ALL {public} (bucket_id = 'a'::text)");
        works("DO 'BEGIN DROP POLICY p ON $S_storage.objects; END'");
        assertThat(policies()).isNull();
        refused("DO 'BEGIN CREATE POLICY p ON $S_storage.objects USING (name = ''a''); END'");
        refused("DO $$ BEGIN EXECUTE 'DROP POLICY p ON $S_storage.objects'; END $$");
        refused("CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'DROP POLICY p ON $S_storage.objects'");
    }

    @Test
    void triggersOnUsersComeAndGo() {
        String migration = """
                CREATE TABLE IF NOT EXISTS $S.profiles (
                    id uuid PRIMARY KEY REFERENCES $S_auth.users (id) ON DELETE CASCADE, email text);
                CREATE OR REPLACE FUNCTION $S.handle_new_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
                SET search_path = '' AS $$
                BEGIN
                  INSERT INTO $S.profiles (id, email) VALUES (new.id, new.email);
                  RETURN new;
                END $$;
                DROP TRIGGER IF EXISTS on_auth_user_created ON $S_auth.users;
                CREATE TRIGGER on_auth_user_created AFTER INSERT ON $S_auth.users
                  FOR EACH ROW EXECUTE PROCEDURE $S.handle_new_user();
                COMMENT ON TRIGGER on_auth_user_created ON $S_auth.users IS 'makes a profile';""";
        works(migration);
        works(migration);
        project.owner().asOperator(fill("INSERT INTO $S_auth.users (id, email) VALUES (gen_random_uuid(), 'a@b')"));
        assertThat(project.owner().ask(fill("SELECT email FROM $S.profiles"))).isEqualTo("a@b");
        project.owner().asOperator(fill("DELETE FROM $S_auth.users"));
        assertThat(project.owner().ask(fill("SELECT count(*) FROM $S.profiles")))
                .isEqualTo("0");
        works("ALTER TABLE $S_auth.users DISABLE TRIGGER on_auth_user_created");
        project.owner().asOperator(fill("INSERT INTO $S_auth.users (id, email) VALUES (gen_random_uuid(), 'c@d')"));
        assertThat(project.owner().ask(fill("SELECT count(*) FROM $S.profiles")))
                .isEqualTo("0");
        works("ALTER TRIGGER on_auth_user_created ON $S_auth.users RENAME TO t; DROP TRIGGER t ON $S_auth.users");
        assertThat(refused("DROP TRIGGER t ON $S_auth.users")
                        .json()
                        .path("sqlstate")
                        .asText())
                .isEqualTo("42704");
        refused("ALTER TABLE $S_auth.users ADD COLUMN x int");
    }

    @Test
    void thePublicationIsTheProjectsList() {
        works("CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY); CREATE TABLE c (id int)");
        works("""
                begin;
                drop publication if exists supabase_realtime;
                create publication supabase_realtime;
                commit;
                alter publication supabase_realtime add table a, $S.b;""");
        assertThat(published()).isEqualTo("a,b");
        String once = """
                DO $$ BEGIN
                  IF NOT EXISTS (SELECT 1 FROM pg_publication_tables
                      WHERE pubname = 'supabase_realtime' AND tablename = 'c') THEN
                    ALTER PUBLICATION supabase_realtime ADD TABLE c;
                  END IF;
                END $$""";
        works(once);
        works(once);
        assertThat(published()).isEqualTo("a,b,c");
        assertThat(refused("ALTER PUBLICATION supabase_realtime ADD TABLE a")
                        .json()
                        .path("sqlstate")
                        .asText())
                .isEqualTo("42710");
        works("ALTER PUBLICATION svc_realtime DROP TABLE a; DROP TABLE b");
        assertThat(published()).isEqualTo("c");
        works("ALTER PUBLICATION supabase_realtime SET TABLE a");
        assertThat(published()).isEqualTo("a");
        works("DROP PUBLICATION supabase_realtime; CREATE PUBLICATION supabase_realtime FOR ALL TABLES");
        assertThat(published()).isEqualTo("a,c");
        refused("ALTER PUBLICATION supabase_realtime ADD TABLE a (id)");
        refused("ALTER PUBLICATION supabase_realtime ADD TABLE $S_auth.users");
        refused("CREATE PUBLICATION mine");
    }

    @Test
    void extensionsAreThereAndTheirTypesWork() {
        works("""
                CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA extensions;
                CREATE EXTENSION pgcrypto; CREATE EXTENSION citext CASCADE; CREATE EXTENSION pg_trgm;
                COMMENT ON EXTENSION citext IS 'x';
                CREATE TABLE e (id uuid DEFAULT extensions.uuid_generate_v4(), k text DEFAULT encode(gen_random_bytes(4), 'hex'),
                    mail citext, path ltree, extra hstore);
                CREATE INDEX ON e USING gin (k gin_trgm_ops);
                INSERT INTO e (mail, path, extra) VALUES ('A@b', 'x.y', 'a=>1');""");
        assertThat(run("SELECT count(*) AS n FROM e WHERE mail = 'a@B' AND id IS NOT NULL AND length(k) = 8")
                        .json()
                        .get(0)
                        .path("n")
                        .asInt())
                .isEqualTo(1);
        assertThat(refused("CREATE EXTENSION postgres_fdw").json().path("hint").asText())
                .contains("citext", "pgcrypto");
        refused("DROP EXTENSION pgcrypto");
        refused("ALTER EXTENSION pgcrypto UPDATE");
    }

    @Test
    void theLinesThatDumpsBeginWithAreTaken() {
        works("""
                SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
                SET transaction_timeout = 0; SET client_encoding = 'UTF8'; SET standard_conforming_strings = on;
                SELECT pg_catalog.set_config('search_path', '', false);
                SET check_function_bodies = false; SET xmloption = content; SET client_min_messages = warning;
                SET row_security = off; SET default_tablespace = ''; SET default_table_access_method = heap;
                CREATE SCHEMA IF NOT EXISTS $S; CREATE SCHEMA IF NOT EXISTS extensions;
                ALTER SCHEMA $S OWNER TO pg_database_owner; COMMENT ON SCHEMA $S IS 'standard public schema';
                CREATE FUNCTION $S.early() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM $S.late';
                ALTER FUNCTION $S.early() OWNER TO postgres;
                CREATE TABLE $S.late (id int);
                ALTER TABLE $S.late OWNER TO postgres;
                REVOKE ALL ON SCHEMA $S FROM PUBLIC; GRANT ALL ON SCHEMA $S TO postgres;
                GRANT USAGE ON SCHEMA $S TO anon, authenticated, service_role;
                NOTIFY pgrst, 'reload schema';""");
        assertThat(run("SELECT early() AS n").json().get(0).path("n").asInt()).isZero();
        works("SET search_path = $S, extensions; DO $$ BEGIN PERFORM pg_notify('pgrst', 'reload schema'); END $$");
        refused("SET search_path = $S_auth");
        refused("GRANT CREATE ON SCHEMA $S TO anon");
        refused("NOTIFY other");
    }

    @Test
    void resultsCarryTheTagsOfWhatWasWritten() {
        Http.Answer answer = api.send(
                "POST",
                project.path() + "?results=all",
                JSON.createObjectNode()
                        .put(
                                "query",
                                fill("BEGIN; CREATE EXTENSION pgcrypto; SELECT 1 AS a; CREATE POLICY p ON"
                                        + " $S_storage.objects USING (true); NOTIFY pgrst; COMMIT"))
                        .toString());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertThat(answer.json().findValuesAsText("command"))
                .containsExactly("BEGIN", "CREATE EXTENSION", "SELECT", "CREATE POLICY", "NOTIFY", "COMMIT");
    }

    @Test
    void aScriptIsOneTransactionWithOrWithoutItsOwnWords() {
        works("BEGIN; CREATE TABLE one (id int); COMMIT; START TRANSACTION; CREATE TABLE two (id int); END;");
        assertThat(project.owner().ask(fill("SELECT to_regclass('$S.two')"))).isNotNull();
        for (String sql : new String[] {
            "BEGIN; CREATE TABLE x (id int)",
            "CREATE TABLE x (id int); COMMIT",
            "BEGIN; CREATE TABLE x (id int); ROLLBACK",
            "BEGIN; SAVEPOINT a; COMMIT",
            "BEGIN ISOLATION LEVEL SERIALIZABLE; COMMIT",
            "BEGIN; BEGIN; COMMIT",
            "COMMIT; BEGIN"
        }) {
            assertThat(refused(sql).code()).isEqualTo("sql_forbidden_statement");
        }
        refused("BEGIN; CREATE TABLE x (id int); COMMIT; SELECT nowhere");
        assertThat(project.owner().ask(fill("SELECT to_regclass('$S.x')"))).isNull();
    }

    /** The server reports no position in the rewritten text: the position is that of the original statement. */
    @Test
    void anErrorOfAReplacedStatementIsAtItsPlaceInTheText() {
        for (String sql : new String[] {
            "SELECT 'ä';\n  CREATE POLICY p ON $S_storage.objects USING (nowhere)",
            "SELECT 'ä';\n  CREATE POLICY svc_p ON $S_storage.objects USING (true)",
            "SELECT 'ä';\n  DROP POLICY missing ON $S_storage.objects",
            "SELECT 'ä';\n  DROP TRIGGER missing ON $S_auth.users",
            "SELECT 'ä';\n  ALTER PUBLICATION supabase_realtime ADD TABLE missing",
            "SELECT 'ä';\n  SELECT 1 / (length('') * 2)",
        }) {
            Http.Answer answer = refused(sql);
            assertThat(answer.code()).as(answer.toString()).isEqualTo("sql_error");
            assertThat(answer.json().path("statement").asInt())
                    .as(answer.toString())
                    .isEqualTo(2);
            assertThat(answer.json().path("line").asInt()).as(answer.toString()).isEqualTo(2);
            assertThat(answer.json().path("column").asInt())
                    .as(answer.toString())
                    .isEqualTo(3);
            assertThat(answer.json().path("position").asInt())
                    .as(answer.toString())
                    .isEqualTo(15);
        }
    }

    @Test
    void aFailedCommitIsOfNoStatement() {
        works("CREATE TABLE late (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
        Http.Answer answer = refused("INSERT INTO late VALUES (1), (1); SELECT 1");
        assertThat(answer.json().path("sqlstate").asText()).isEqualTo("23505");
        assertThat(answer.json().has("statement")).as(answer.toString()).isFalse();
        assertThat(answer.json().has("line")).as(answer.toString()).isFalse();
    }
}
