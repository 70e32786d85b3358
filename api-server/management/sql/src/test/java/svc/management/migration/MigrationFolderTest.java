package svc.management.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A folder of migrations: what is new of it is applied, up to the first file that fails, and the history can be corrected. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class MigrationFolderTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VERSION = "2030013112%04d";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "folder");
    }

    private String path() {
        return "/v1/projects/" + project.ref() + "/database/migrations";
    }

    /** File i of the folder, as Supabase's command line names it. */
    private static ObjectNode file(int i, String sql) {
        return JSON.createObjectNode()
                .put("name", VERSION.formatted(i) + "_step_" + i + ".sql")
                .put("query", sql);
    }

    private static ArrayNode folder(ObjectNode... files) {
        return JSON.createArrayNode().addAll(List.of(files));
    }

    private Http.Answer send(String method, String path, JsonNode body) {
        return api.send(method, path, body.toString());
    }

    private Http.Answer apply(JsonNode body) {
        return send("POST", path(), body);
    }

    private static List<String> states(Http.Answer answer) {
        return StreamSupport.stream(answer.json().path("migrations").spliterator(), false)
                .map(file -> Integer.parseInt(file.path("version").asText().substring(10)) + " "
                        + file.path("state").asText())
                .toList();
    }

    private List<String> history() {
        return StreamSupport.stream(api.get(path()).json().spliterator(), false)
                .map(row -> Integer.parseInt(row.get("version").asText().substring(10)) + " "
                        + row.path("name").asText("-"))
                .toList();
    }

    private String ask(String sql) {
        return project.owner().ask(sql.replace("$", project.owner().names().schemaName()));
    }

    @Test
    void isAppliedByVersionAndOnce() {
        JsonNode body = folder(
                file(2, "INSERT INTO public.todos VALUES (2)"),
                file(1, "CREATE TABLE public.todos (id int);\nINSERT INTO public.todos VALUES (1);"));
        Http.Answer first = apply(body);
        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(states(first)).containsExactly("1 applied", "2 applied");
        assertThat(first.json().at("/migrations/0/name").asText()).isEqualTo("step_1");
        assertThat(first.json().at("/migrations/0/applied_at").asText()).isNotEmpty();
        assertThat(first.header("ratelimit-remaining")).hasValue("59");
        assertThat(history()).containsExactly("1 step_1", "2 step_2");

        ObjectNode more = JSON.createObjectNode();
        more.putArray("migrations")
                .add(file(1, "CREATE TABLE public.todos (id int);\r\nINSERT INTO public.todos VALUES (1);\r\n"))
                .add(file(3, "INSERT INTO public.todos VALUES (3)"))
                .add(file(2, "INSERT INTO public.todos VALUES (2)"));
        assertThat(states(apply(more))).containsExactly("1 already_applied", "2 already_applied", "3 applied");
        assertThat(ask("SELECT count(*) FROM $.todos")).isEqualTo("3");
        JsonNode calls =
                api.get("/v1/projects/" + project.ref() + "/audit").json().path("calls");
        assertThat(calls.findValuesAsText("result")).containsExactly("committed", "committed", "committed");
    }

    @Test
    void versionsAreAnyDigitsAndOrderAsText() {
        ArrayNode files = folder();
        for (String name : List.of("010_third.sql", "001_init.sql", "1_last.sql", "002_second.sql")) {
            files.addObject()
                    .put("name", name)
                    .put("query", name.startsWith("001") ? "CREATE TABLE t (n int)" : "INSERT INTO t VALUES (1)");
        }
        Http.Answer first = apply(files);
        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(first.json().findValuesAsText("version")).containsExactly("001", "002", "010", "1");
        assertThat(api.get(path()).json().findValuesAsText("version")).containsExactly("001", "002", "010", "1");
        assertThat(api.get(path() + "?limit=2").header("link").orElseThrow()).contains("cursor=002");
        assertThat(api.get(path() + "?cursor=002").json().findValuesAsText("version"))
                .containsExactly("010", "1");
        assertThat(api.get(path() + "/001").json().path("name").asText()).isEqualTo("init");
        assertThat(apply(files).json().findValuesAsText("state")).containsOnly("already_applied");
        assertThat(send("POST", path() + "/repair", revert("1")).status()).isEqualTo(200);
        assertThat(api.get(path()).json()).hasSize(3);

        files.addObject().put("name", "002_again.sql").put("query", "SELECT 1");
        Http.Answer twice = apply(files);
        assertThat(twice.status()).isEqualTo(400);
        assertThat(twice.json().path("message").asText()).contains("002_second.sql", "002_again.sql");
        Http.Answer failed = apply(folder(
                JSON.createObjectNode().put("name", "011_broken.sql").put("query", "INSERT INTO absent VALUES (1)")));
        assertThat(failed.json().path("message").asText())
                .contains("011 (broken)")
                .contains("absent");
    }

    @Test
    void aFileMayBeADumpOfTwoMegabytes() {
        var dump =
                new StringBuilder("SET check_function_bodies = false;\nCREATE TABLE public.words (n int, w text);\n");
        for (int n = 0; dump.length() < 1_900_000; n++) {
            dump.append("INSERT INTO public.words (n, w) VALUES (")
                    .append(n)
                    .append(", 'auth.users; it''s -- \"dump\" /* ; */ ')")
                    .append(";\n");
            if (n % 1000 == 0) {
                dump.append(
                                "CREATE FUNCTION public.f%d(x int) RETURNS bigint LANGUAGE plpgsql AS $f$ BEGIN RETURN (SELECT count(*)"
                                        .formatted(n))
                        .append(" FROM public.words WHERE words.n < x); END $f$;\n");
            }
        }
        ObjectNode file = JSON.createObjectNode().put("name", "001_dump.sql").put("query", dump.toString());
        Http.Answer applied = apply(folder(file));
        assertThat(applied.status()).as(applied.toString()).isEqualTo(200);
        assertThat(ask("SELECT count(*) = max(n) + 1 FROM $.words")).isEqualTo("t");
        assertThat(apply(folder(file)).json().at("/migrations/0/state").asText())
                .isEqualTo("already_applied");

        String broken = dump.substring(0, 1_500_000).replace("words", "others").replace("public.f", "public.g");
        broken = broken.substring(0, broken.lastIndexOf("INSERT")) + "\n  INSERT INTO public.absent VALUES (1)";
        Http.Answer failed =
                apply(folder(JSON.createObjectNode().put("name", "002_b.sql").put("query", broken)));
        assertThat(failed.code()).isEqualTo("sql_error");
        assertThat(failed.json().path("line").asInt())
                .isEqualTo((int) broken.lines().count());
        assertThat(failed.json().path("column").asInt()).isEqualTo(15);
        assertThat(ask("SELECT to_regclass('$.others')")).isNull();

        Http.Answer refused = apply(folder(JSON.createObjectNode()
                .put("name", "002_b.sql")
                .put("query", broken.substring(0, broken.lastIndexOf("INSERT")) + "CREATE ROLE x")));
        assertThat(refused.code()).isEqualTo("sql_forbidden_statement");
        assertThat(refused.json().path("line").asInt())
                .isEqualTo((int) broken.lines().count());
        Http.Answer large = apply(
                folder(JSON.createObjectNode().put("name", "002_b.sql").put("query", dump + " ".repeat(300_000))));
        assertThat(large.code()).isEqualTo("sql_too_large");
        assertThat(large.json().path("message").asText()).contains("002 (b)");
    }

    @Test
    void stopsAtTheFirstThatFailsAndGoesOnWhenItIsMended() {
        Http.Answer failed = apply(folder(
                file(1, "CREATE TABLE t (id int)"),
                file(2, "INSERT INTO t VALUES (1);\n INSERT INTO t VALUES (nope)"),
                file(3, "DROP TABLE t")));
        assertThat(failed.status()).isEqualTo(400);
        assertThat(failed.code()).isEqualTo("sql_error");
        assertThat(states(failed)).containsExactly("1 applied", "2 failed", "3 not_run");
        assertThat(failed.json().path("version").asText()).isEqualTo(VERSION.formatted(2));
        assertThat(failed.json().path("message").asText()).contains("step_2").contains("nope");
        assertThat(failed.json().path("line").asInt()).isEqualTo(2);
        assertThat(ask("SELECT count(*) FROM $.t")).isEqualTo("0");
        assertThat(history()).containsExactly("1 step_1");

        Http.Answer refused = apply(folder(file(2, "SELECT 1"), file(3, "COPY t TO PROGRAM 'x'")));
        assertThat(refused.code()).isEqualTo("sql_forbidden_statement");
        assertThat(states(refused)).containsExactly("2 applied", "3 failed");
        assertThat(states(apply(folder(file(2, "SELECT 1"), file(3, "DROP TABLE t")))))
                .containsExactly("2 already_applied", "3 applied");
    }

    @Test
    void nothingRunsIfAnAppliedFileHasChanged() {
        apply(folder(file(1, "CREATE TABLE t (id int)")));
        Http.Answer changed = apply(folder(file(1, "CREATE TABLE t (id bigint)"), file(2, "CREATE TABLE u (id int)")));
        assertThat(changed.status()).isEqualTo(409);
        assertThat(changed.code()).isEqualTo("migration_changed");
        assertThat(states(changed)).containsExactly("1 changed", "2 not_run");
        assertThat(ask("SELECT to_regclass('$.u')")).isNull();
    }

    @Test
    void aDryRunSeesWhatTheFilesBeforeHaveMadeAndLeavesNothing() {
        ObjectNode body = JSON.createObjectNode().put("dry_run", true);
        ArrayNode files = body.putArray("migrations")
                .add(file(1, "CREATE TABLE t (id int); SET check_function_bodies = off"))
                .add(file(2, "INSERT INTO t VALUES (1); SELECT * FROM t"));
        Http.Answer dry = apply(body);
        assertThat(dry.status()).as(dry.toString()).isEqualTo(200);
        assertThat(states(dry)).containsExactly("1 would_apply", "2 would_apply");
        assertThat(dry.json().at("/migrations/1/commands"))
                .isEqualTo(JSON.createArrayNode().add("INSERT").add("SELECT"));
        assertThat(ask("SELECT to_regclass('$.t')")).isNull();
        assertThat(history()).isEmpty();

        files.add(file(3, "CREATE TABLE u (id int REFERENCES t)")).add(file(4, "SELECT 1"));
        Http.Answer failed = apply(body);
        assertThat(failed.code()).isEqualTo("sql_error");
        assertThat(states(failed)).containsExactly("1 would_apply", "2 would_apply", "3 failed", "4 not_run");
        assertThat(ask("SELECT to_regclass('$.t')")).isNull();
        files.add(file(5, "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p"));
        Http.Answer refused = apply(body);
        assertThat(refused.code()).isEqualTo("sql_forbidden_statement");
        assertThat(states(refused)).containsExactly("1 not_run", "2 not_run", "3 not_run", "4 not_run", "5 failed");
    }

    @Test
    void aDatabaseThatHasItsObjectsIsRecorded() {
        api.send("POST", project.path(), "{\"query\":\"CREATE TABLE t (id int)\"}");
        JsonNode files = folder(file(1, "CREATE TABLE t (id int)"), file(2, "CREATE TABLE u (id int)"));
        Http.Answer recorded = send("PUT", path(), folder(file(1, "CREATE TABLE t (id int)")));
        assertThat(recorded.status()).as(recorded.toString()).isEqualTo(200);
        assertThat(states(recorded)).containsExactly("1 applied");
        assertThat(states(apply(files))).containsExactly("1 already_applied", "2 applied");
        assertThat(states(send("PUT", path(), files))).containsExactly("1 already_applied", "2 already_applied");
        assertThat(send("PUT", path(), folder(file(1, "SELECT 1"))).code()).isEqualTo("migration_changed");
        ObjectNode one = JSON.createObjectNode().put("query", "SELECT 1");
        assertThat(states(send("PUT", path(), one.put("version", VERSION.formatted(3)))))
                .containsExactly("3 applied");
        assertThat(send("PUT", path(), one.put("dry_run", true)).status()).isEqualTo(400);
    }

    @Test
    void oneThatIsRecordedWithoutAVersionHasTheTimeOfTheCall() {
        ObjectNode one = JSON.createObjectNode()
                .put("name", "made by hand")
                .put("query", "CREATE TABLE t (id int)")
                .put("rollback", "DROP TABLE t");
        JsonNode first = send("PUT", path(), one).json().at("/migrations/0");
        JsonNode second = send("PUT", path(), one.put("name", "another")).json().at("/migrations/0");

        assertThat(first.path("state").asText()).as(first.toString()).isEqualTo("applied");
        assertThat(first.path("version").asText())
                .matches("\\d{14}")
                .isNotEqualTo(second.path("version").asText());
        assertThat(ask("SELECT to_regclass('$.t')")).isNull();
        JsonNode kept = api.get(path() + "/" + first.path("version").asText()).json();
        assertThat(kept.path("name").asText()).isEqualTo("made by hand");
        assertThat(kept.path("statements")).isEqualTo(JSON.createArrayNode().add("CREATE TABLE t (id int)"));
        assertThat(kept.path("rollback")).isEqualTo(JSON.createArrayNode().add("DROP TABLE t"));
        assertThat(send("PUT", path(), one.put("query", "SELECT '\0'")).code()).isEqualTo("invalid_body");
    }

    @Test
    void whatUndoesAMigrationIsKeptAndShown() {
        String version = VERSION.formatted(1);
        ObjectNode body = JSON.createObjectNode()
                .put("version", version)
                .put("query", "CREATE TABLE t (id int)")
                .put("rollback", "DROP TABLE t");
        assertThat(send("POST", path(), body).status()).isEqualTo(200);
        assertThat(ask("SELECT count(*) FROM $.t")).isEqualTo("0");
        String one = path() + "/" + version;
        assertThat(api.get(one).json().at("/rollback/0").asText()).isEqualTo("DROP TABLE t");
        assertThat(api.get(path()).json().get(0).has("rollback")).isFalse();

        assertThat(states(send("PUT", path(), body.put("rollback", "DROP TABLE t CASCADE"))))
                .containsExactly("1 already_applied");
        Http.Answer named = send("PATCH", one, JSON.createObjectNode().put("name", "todos"));
        assertThat(named.status()).as(named.toString()).isEqualTo(200);
        assertThat(named.json().path("name").asText()).isEqualTo("todos");
        assertThat(named.json().at("/rollback/0").asText()).isEqualTo("DROP TABLE t CASCADE");
        assertThat(named.json().at("/statements/0").asText()).isEqualTo("CREATE TABLE t (id int)");
        assertThat(send("PATCH", one, JSON.createObjectNode().put("rollback", ""))
                        .json()
                        .has("rollback"))
                .isFalse();
        assertThat(history()).containsExactly("1 todos");
        assertThat(api.get("/v1/projects/" + project.ref() + "/audit").text())
                .contains("describe migration " + version);

        String absent = path() + "/" + VERSION.formatted(2);
        assertThat(send("PATCH", absent, JSON.createObjectNode().put("name", "x"))
                        .code())
                .isEqualTo("migration_not_found");
        assertThat(send("PATCH", path() + "/x", JSON.createObjectNode().put("name", "x"))
                        .code())
                .isEqualTo("migration_not_found");
        for (String wrong :
                List.of("{}", "{\"name\":\"\"}", "{\"rollback\":\"\\u0000\"}", "{\"query\":\"SELECT 1\"}")) {
            assertThat(api.send("PATCH", one, wrong).status()).as(wrong).isEqualTo(400);
        }
        assertThat(send("POST", path(), body.put("rollback", "x".repeat((256 << 10) + 1)))
                        .code())
                .isEqualTo("invalid_body");
        assertThat(states(send("POST", path() + "/repair", revert(version)))).containsExactly("1 reverted");
        assertThat(history()).isEmpty();
    }

    private static ObjectNode revert(String version) {
        ObjectNode body = JSON.createObjectNode().put("status", "reverted");
        body.putArray("versions").add(version);
        return body;
    }

    @Test
    void theHistoryIsRepaired() {
        String repair = path() + "/repair";
        apply(folder(file(1, "CREATE TABLE t (id int)")));
        ObjectNode body = JSON.createObjectNode().put("status", "applied");
        body.putArray("versions").add(VERSION.formatted(1)).add(VERSION.formatted(2));
        Http.Answer applied = send("POST", repair, body);
        assertThat(applied.status()).as(applied.toString()).isEqualTo(200);
        assertThat(states(applied)).containsExactly("1 already_applied", "2 applied");
        // Recorded without a text, it stands for any.
        assertThat(states(apply(folder(file(2, "CREATE TABLE u (id int)"))))).containsExactly("2 already_applied");

        body.put("status", "reverted");
        ((ArrayNode) body.path("versions")).add(VERSION.formatted(9));
        assertThat(states(send("POST", repair, body))).containsExactly("1 reverted", "2 reverted", "9 not_found");
        assertThat(history()).isEmpty();
        assertThat(ask("SELECT count(*) FROM $.t")).isEqualTo("0");
        assertThat(states(apply(folder(file(2, "CREATE TABLE u (id int)"))))).containsExactly("2 applied");
        JsonNode kinds =
                api.get("/v1/projects/" + project.ref() + "/audit").json().path("calls");
        assertThat(kinds.findValues("statement_kinds").toString())
                .contains("revert migration " + VERSION.formatted(1), "record migration " + VERSION.formatted(2));

        body.put("status", "forgotten");
        assertThat(send("POST", repair, body).status()).isEqualTo(400);
        assertThat(send("POST", repair, JSON.createObjectNode().put("status", "applied"))
                        .status())
                .isEqualTo(400);
        String other = api.send("POST", "/v1/tokens", "{\"name\":\"t\",\"permissions\":{\"projects_create\":true}}")
                .json()
                .findValue("token")
                .asText();
        assertThat(Http.api(other).send("POST", repair, "{}").code()).isEqualTo("pat_database_query_forbidden");
    }

    @Test
    void whatNeedsNoTransactionIsRefusedAndNotHalfRecorded() {
        apply(folder(file(1, "CREATE TABLE t (id int)")));
        Http.Answer alone = apply(folder(file(2, "CREATE INDEX CONCURRENTLY i ON t (id)")));
        assertThat(alone.status()).isEqualTo(400);
        assertThat(alone.code()).isEqualTo("sql_forbidden_statement");
        assertThat(apply(JSON.createObjectNode().put("query", "VACUUM t")).code())
                .isEqualTo("sql_forbidden_statement");
        assertThat(ask("SELECT to_regclass('$.i')")).isNull();
        assertThat(history()).containsExactly("1 step_1");
    }

    @Test
    void isDescribedByTheOpenApiDocument() {
        JsonNode paths = api.with("Accept", "application/json")
                .get("/v1/openapi.json")
                .json()
                .path("paths");
        JsonNode migrations = paths.path("/v1/projects/{ref}/database/migrations");
        assertThat(migrations.has("put")).isTrue();
        assertThat(migrations.at("/post/responses").has("409")).isTrue();
        assertThat(paths.path("/v1/projects/{ref}/database/migrations/repair").has("post"))
                .isTrue();
    }
}
