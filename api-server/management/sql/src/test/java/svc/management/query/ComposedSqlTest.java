package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusMock;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.sqlgate.MappedText;
import svc.sqlgate.mapping.SupabaseAliases;
import svc.sqlgate.parser.SqlReader;
import svc.testing.Http;

/** SQL that is composed while it runs means the same names as the script around it, and reaches nothing else. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ComposedSqlTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Statements of the gate's reading at once. */
    private static final int BATCH = 100;

    private static final int TEXTS = 6_000;

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    SqlReader reader;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeAll
    static void allowManyCalls() {
        QuarkusMock.installMockForType(() -> 1000, SqlQuota.class);
    }

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "composed");
    }

    private Http.Answer run(String sql, List<String> texts) {
        ObjectNode body = JSON.createObjectNode().put("query", sql);
        if (!texts.isEmpty()) {
            body.putArray("parameters").add(JSON.valueToTree(texts));
        }
        return api.send("POST", project.path(), body.toString());
    }

    private JsonNode rows(String sql) {
        Http.Answer answer = run(sql, List.of());
        assertThat(answer.status()).as(sql + " → " + answer).isEqualTo(201);
        return answer.json();
    }

    private String named(String statement) {
        Http.Answer answer =
                run("SELECT svc_functions.own_names(t) AS x FROM unnest($1::text[]) t", List.of(statement));
        assertThat(answer.status()).as(statement + " → " + answer).isEqualTo(201);
        return answer.json()
                .get(0)
                .get("x")
                .asText()
                .replace(project.owner().names().schemaName(), "$S");
    }

    @Test
    void randomStatementsGetTheNamesThatTheGateGivesThem() {
        rows("CREATE SCHEMA app");
        var mapping = new MappedText(reader, SupabaseAliases.of(project.owner().names()));
        var random = new RandomNames(20_261_127);
        for (int made = 0; made < TEXTS; made += BATCH) {
            List<String> texts = random.statements(BATCH);
            // One reading for many.
            String[] expected = mapping.text(String.join("\n;;\n", texts)).split("\n;;\n");
            JsonNode actual = run(
                            "SELECT svc_functions.own_names(t) AS x FROM unnest($1::text[]) WITH ORDINALITY u (t, n)"
                                    + " ORDER BY n",
                            texts)
                    .json();
            assertThat(actual).as(texts.toString()).hasSize(BATCH);
            List<String> wrong = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) {
                if (!plain(actual.get(i).get("x").asText()).equals(plain(expected[i]))) {
                    wrong.add(texts.get(i) + "\n  gate: " + plain(expected[i]) + "\n  here: "
                            + plain(actual.get(i).get("x").asText()));
                }
            }
            assertThat(wrong).isEmpty();
        }
    }

    /** Names of projects need no quotes, and blanks before a dot mean nothing. */
    private static String plain(String sql) {
        return sql.replaceAll("\"((?:proj|svc)_[a-z0-9_]+)\"", "$1").replaceAll("\\s+\\.", ".");
    }

    @Test
    void stringsQuotedNamesAndCommentsStayAsTheyAre() {
        for (String statement : List.of(
                "select 'public.x', E'it\\'s public.y', 'it''s auth.z' from t",
                "select \"public.x\", \"to anon\" /* public.y */ -- auth.z\nfrom t",
                "select x as \"anon\" from t where role = 'authenticated'",
                "alter table t rename to postgres",
                "set app.role to authenticated",
                "select 1",
                "select public, auth from t",
                "select storage.size from t storage",
                "select t.public.x from t")) {
            assertThat(named(statement)).isEqualTo(statement);
        }
        assertThat(named("select '\u0001' from public.t")).isEqualTo("select '\u0001' from public.t");
        String large = "select 1 from public.t " + " ".repeat(262_144);
        assertThat(rows("SELECT svc_functions.own_names('select 1 from ' || 'public' || '.t' || repeat(' ', 262144)) = "
                                + "'select 1 from ' || 'public' || '.t' || repeat(' ', 262144) AS same")
                        .toString())
                .as(large.length() + " characters")
                .isEqualTo("[{\"same\":true}]");
    }

    @Test
    void changesOfThePublicationAndOfSchemasAreCalls() {
        assertThat(named("alter publication supabase_realtime add table only public.a, \"B c\";"))
                .isEqualTo("CALL svc_statements.publish('ADD', 'supabase_realtime', '{a,\"B c\"}')");
        assertThat(named("create schema if not exists app authorization postgres"))
                .isEqualTo("CALL svc_statements.create_schema('app', 't', '{}')");
        assertThat(named("DROP SCHEMA app CASCADE")).isEqualTo("CALL svc_statements.drop_schemas('{app}', 'f', 't')");
        assertThat(named("grant usage on schema app to anon, authenticated"))
                .isEqualTo("CALL svc_statements.grant_on_schemas('{app}', '{$S_anon,$S_authenticated}', 't')");
    }

    /** What is read wrongly, or on purpose so that it is, is judged by the server like any statement of the owner's. */
    @Test
    void noTextReachesAnythingElse() {
        TestingProject other = TestingProject.create(client, tenants, "neighbour");
        String neighbour = other.owner().names().schemaName();
        api.send(
                "POST",
                other.path(),
                JSON.createObjectNode()
                        .put("query", "CREATE TABLE secrets (body text); INSERT INTO secrets VALUES ('canary')")
                        .toString());
        rows(
                "CREATE FUNCTION run(q text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE r text; BEGIN EXECUTE q INTO r; RETURN r; END $$;"
                        + " CREATE FUNCTION act(q text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE q; END $$");
        for (String attack : List.of(
                "select body from " + neighbour + ".secrets",
                "select body from \"" + neighbour + "\".secrets -- public.",
                "select body from " + neighbour + ".secrets, public.x, auth.users",
                "select '''' || body from " + neighbour + ".secrets where 'public.x' <> E'\\''",
                "set role " + neighbour + "_owner",
                "set local role service_role",
                "grant " + neighbour + "_anon to postgres",
                "grant usage on schema " + neighbour + " to anon",
                "grant usage on schema app to " + neighbour + "_anon",
                "create schema x authorization " + neighbour + "_owner",
                "drop schema " + neighbour + " cascade",
                "drop schema auth cascade",
                "drop schema public cascade",
                "drop schema svc_guard cascade",
                "alter publication supabase_realtime add table " + neighbour + ".secrets",
                "alter publication supabase_realtime add table app.run",
                "alter publication svc_realtime owner to postgres",
                "create publication p for all tables",
                "select svc_guard.own_schema_name('x', 'public', '', '{}')",
                "select svc_guard.called_instead('" + neighbour + "', 'create schema x')",
                "insert into storage.objects (name) values ('x')",
                "drop table auth.users",
                "alter role anon superuser",
                "alter role postgres bypassrls",
                "copy public.t to program 'id'")) {
            for (String function : List.of("run", "act")) {
                Http.Answer answer = run("SELECT " + function + "(t) AS x FROM unnest($1::text[]) t", List.of(attack));
                assertThat(answer.status()).as(attack + " → " + answer).isEqualTo(400);
                assertThat(answer.text()).as(attack).doesNotContain("canary");
            }
        }
        assertThat(other.owner().ask("SELECT count(*) FROM " + neighbour + ".secrets"))
                .isEqualTo("1");
        assertThat(project.owner().ask("SELECT count(*) FROM pg_publication_tables WHERE tablename = 'secrets'"))
                .isEqualTo("0");
    }

    @Test
    void anErrorShowsTheStatementAndSaysWhatToWrite() {
        Http.Answer answer = run("""
                do $$ begin
                  execute format('insert into %s.notes values (1)', 'pub' || 'lic');
                end $$""", List.of());

        assertThat(answer.status()).isEqualTo(400);
        JsonNode problem = answer.json();
        assertThat(problem.path("sqlstate").asText()).isEqualTo("42P01");
        assertThat(problem.path("where").asText()).contains("insert into public.notes values (1)");

        answer = run("""
                do $$ begin
                  execute 'create policy p on storage.objects' || ' using (true)';
                end $$""", List.of());

        assertThat(answer.status()).isEqualTo(400);
        problem = answer.json();
        assertThat(problem.path("sqlstate").asText()).isEqualTo("42501");
        assertThat(problem.path("where").asText()).contains("create policy p on storage.objects using (true)");
        assertThat(problem.path("hint").asText()).contains("EXECUTE").contains("without EXECUTE");
    }
}
