package svc.management.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.database.key.ApiKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;
import svc.testing.TestingKeys;

/** A migration is applied and recorded exactly once, or not at all. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ApplyMigrationTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "migrated");
    }

    private String path() {
        return "/v1/projects/" + project.ref() + "/database/migrations";
    }

    private static ObjectNode body(String sql) {
        return JSON.createObjectNode().put("query", sql);
    }

    private Http.Answer apply(Http caller, ObjectNode body) {
        return caller.send("POST", path(), body.toString());
    }

    private Http.Answer apply(String sql) {
        return apply(api, body(sql));
    }

    private List<String> history() {
        return StreamSupport.stream(api.get(path()).json().spliterator(), false)
                .map(row -> row.get("version").asText() + " " + row.path("name").asText("-") + " "
                        + row.get("state").asText())
                .toList();
    }

    private List<String> audit() {
        JsonNode calls =
                api.get("/v1/projects/" + project.ref() + "/audit").json().get("calls");
        return StreamSupport.stream(calls.spliterator(), false)
                .map(row -> row.get("result").asText() + " " + row.path("code").asText("-"))
                .toList();
    }

    /** As the server sees it. */
    private String ask(String sql) {
        return project.owner().ask(sql.replace("$", project.owner().names().schemaName()));
    }

    @Test
    void isAppliedAndRecorded() {
        String sql = "CREATE TABLE todos (id int);\n INSERT INTO todos VALUES (1) -- done";
        Http.Answer answer = apply(api, body(sql).put("name", "create todos").put("version", "20300131120000"));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().get("version").asText()).isEqualTo("20300131120000");
        assertThat(answer.json().get("state").asText()).isEqualTo("applied");
        assertThat(answer.header("ratelimit-remaining")).hasValue("59");
        assertThat(ask("SELECT count(*) FROM $.todos")).isEqualTo("1");
        assertThat(history()).containsExactly("20300131120000 create todos applied");
        JsonNode one = api.get(path() + "/20300131120000").json();
        assertThat(one.get("statements")).isEqualTo(JSON.createArrayNode().add(sql));
        assertThat(one.get("applied_at").asText())
                .isEqualTo(answer.json().get("applied_at").asText());
        assertThat(audit()).containsExactly("committed -");
    }

    @Test
    void aVersionIsAppliedOnce() {
        ObjectNode body = body("CREATE TABLE IF NOT EXISTS t (id int); INSERT INTO t VALUES (1)")
                .put("version", "20300131120000");
        assertThat(apply(api, body).status()).isEqualTo(200);

        Http.Answer again = apply(api, body);

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.code()).isEqualTo("migration_exists");
        assertThat(ask("SELECT count(*) FROM $.t")).isEqualTo("1");
        assertThat(audit()).containsExactly("refused migration_exists", "committed -");
    }

    @Test
    void theSameKeyGetsTheSameAnswer() {
        Http caller = api.with("Idempotency-Key", "deploy 7");
        ObjectNode body = body("CREATE TABLE IF NOT EXISTS t (id int); INSERT INTO t VALUES (1)")
                .put("name", "once");
        Http.Answer first = apply(caller, body);
        Http.Answer second = apply(caller, body);

        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(first.header("idempotency-replayed")).isEmpty();
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("idempotency-replayed")).hasValue("true");
        assertThat(ask("SELECT count(*) FROM $.t")).isEqualTo("1");
        assertThat(audit()).containsExactly("replayed -", "committed -");

        for (ObjectNode other : List.of(
                body.deepCopy().put("query", "SELECT 1"),
                body.deepCopy().put("name", "twice"),
                body.deepCopy().put("version", "20300131120000"))) {
            Http.Answer refused = apply(caller, other);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.code()).isEqualTo("idempotency_key_reused");
        }
        assertThat(history()).hasSize(1);
    }

    @Test
    void aKeyIsOneProjects() {
        Http caller = api.with("Idempotency-Key", "k");
        apply(caller, body("CREATE TABLE a (id int)"));
        project = TestingProject.create(client, tenants, "other");
        assertThat(apply(caller, body("CREATE TABLE b (id int)")).status()).isEqualTo(200);
    }

    @Test
    void manyCallsWithOneKeyApplyItOnce() throws Exception {
        assertThat(apply("CREATE TABLE t (id int)").status()).isEqualTo(200);
        Http caller = api.with("Idempotency-Key", "race");
        ObjectNode body = body("INSERT INTO t VALUES (1); SELECT pg_sleep(0.3)").put("name", "race");
        List<Http.Answer> answers = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Http.Answer> call = () -> apply(caller, body);
            for (Future<Http.Answer> each : callers.invokeAll(List.of(call, call, call, call))) {
                answers.add(each.get());
            }
        }

        assertThat(answers).anySatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        for (Http.Answer answer : answers) {
            if (answer.status() != 200) {
                assertThat(answer.code()).as(answer.toString()).isEqualTo("migration_running");
                assertThat(answer.header("retry-after")).isPresent();
            }
        }
        assertThat(apply(caller, body).header("idempotency-replayed")).hasValue("true");
        assertThat(ask("SELECT count(*) FROM $.t")).isEqualTo("1");
        assertThat(history()).hasSize(2);
    }

    @Test
    void aFailureLeavesNothingAndFreesVersionAndKey() {
        Http caller = api.with("Idempotency-Key", "k");
        ObjectNode body = body("CREATE TABLE half (id int); SELECT 1/0").put("version", "20300131120000");
        for (int i = 0; i < 2; i++) {
            Http.Answer failed = apply(caller, body);
            assertThat(failed.status()).isEqualTo(400);
            assertThat(failed.json().get("sqlstate").asText()).isEqualTo("22012");
        }
        assertThat(history()).isEmpty();
        assertThat(ask("SELECT to_regclass('$.half')")).isNull();
        assertThat(apply(caller, body.put("query", "COPY x TO PROGRAM 'y'")).code())
                .isEqualTo("sql_forbidden_statement");

        assertThat(apply(caller, body.put("query", "CREATE TABLE half (id int)"))
                        .status())
                .isEqualTo(200);
        assertThat(history()).containsExactly("20300131120000 - applied");
        assertThat(audit())
                .containsExactly("committed -", "refused sql_forbidden_statement", "failed 22012", "failed 22012");
    }

    @Test
    void aFailureAtTheCommitLeavesNothing() {
        assertThat(apply("CREATE TABLE p (id int PRIMARY KEY);"
                                + "CREATE TABLE c (p int REFERENCES p DEFERRABLE INITIALLY DEFERRED)")
                        .status())
                .isEqualTo(200);
        Http.Answer failed = apply("INSERT INTO c VALUES (7)");
        assertThat(failed.json().path("sqlstate").asText()).isEqualTo("23503");
        assertThat(history()).hasSize(1);

        Http.Answer rehearsed = apply(api, body("INSERT INTO c VALUES (7)").put("dry_run", true));
        assertThat(rehearsed.json().path("sqlstate").asText()).isEqualTo("23503");
    }

    @Test
    void aDryRunLeavesNothing() {
        assertThat(apply("CREATE TABLE t (id serial, note text)").status()).isEqualTo(200);
        Http caller = api.with("Idempotency-Key", "dry");
        ObjectNode body = body("CREATE TABLE u (id int); INSERT INTO t (note) VALUES ('x')")
                .put("version", "20300131120000");
        Http.Answer dry = apply(caller, body.deepCopy().put("dry_run", true));

        assertThat(dry.status()).as(dry.toString()).isEqualTo(200);
        assertThat(dry.json().get("dry_run").asBoolean()).isTrue();
        assertThat(dry.json().get("version").asText()).isEqualTo("20300131120000");
        assertThat(dry.json().get("commands").toString()).isEqualTo("[\"CREATE TABLE\",\"INSERT\"]");
        assertThat(ask("SELECT to_regclass('$.u')")).isNull();
        assertThat(ask("SELECT count(*) FROM $.t")).isEqualTo("0");
        assertThat(history()).hasSize(1);
        assertThat(audit().getFirst()).isEqualTo("rolled_back -");
        // As documented, and as in PostgreSQL: values drawn from a sequence are not returned.
        assertThat(ask("SELECT last_value FROM $.t_id_seq")).isEqualTo("1");
        assertThat(ask("SELECT is_called FROM $.t_id_seq")).isEqualTo("t");

        assertThat(apply(caller, body).status()).isEqualTo(200);
        assertThat(apply(api, body.deepCopy().put("dry_run", true)).code()).isEqualTo("migration_exists");
        assertThat(apply(api, body("SELECT nope").put("dry_run", true))
                        .json()
                        .path("sqlstate")
                        .asText())
                .isEqualTo("42703");
    }

    @Test
    void versionsThatTheCallerOmitsAreTimesAndDiffer() {
        for (int i = 0; i < 4; i++) {
            assertThat(apply("SELECT " + i).status()).isEqualTo(200);
        }
        List<String> versions = history();
        assertThat(versions).hasSize(4).doesNotHaveDuplicates().allMatch(row -> row.matches("20\\d{12} - applied"));
    }

    @Test
    void pagesFollowTheVersions() {
        for (String version : List.of("20300000000003", "20300000000001", "20300000000002")) {
            apply(api, body("SELECT 1").put("version", version));
        }
        Http.Answer first = api.get(path() + "?limit=2");
        assertThat(first.json().findValuesAsText("version")).containsExactly("20300000000001", "20300000000002");
        String link = first.header("link").orElseThrow();
        assertThat(link).endsWith(">; rel=\"next\"");
        Http.Answer next = api.get(link.substring(link.indexOf("/v1/"), link.indexOf('>')));
        assertThat(next.json().findValuesAsText("version")).containsExactly("20300000000003");
        assertThat(next.header("link")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"query":"SELECT 1","version":""}                   | invalid_body
                    {"query":"SELECT 1","version":"2030013112000x"}     | invalid_body
                    {"query":"SELECT 1","version":"203001311200002030013112000020300"} | invalid_body
                    {"query":"SELECT 1","version":"２０３００１３１１２００００"} | invalid_body
                    {"query":"SELECT 1","version":20300131120000}       | invalid_body
                    {"query":"SELECT 1","name":""}                      | invalid_body
                    {"query":"SELECT 1","name":"a\\nb"}                 | invalid_body
                    {"query":"SELECT 1","name":"\\ud800"}               | invalid_body
                    {"query":"SELECT 1","dry_run":"yes"}                | invalid_body
                    {"query":"SELECT 1","read_only":true}               | invalid_body
                    {"query":"SELECT '\\u0000'"}                        | sql_unparseable
                    {"query":"SELECT '\\ud800'"}                        | sql_unparseable
                    {"name":"x"}                                        | invalid_body
                    []                                                  | invalid_body
                    """)
    void refusesWhatDoesNotFit(String body, String code) {
        Http.Answer answer = api.send("POST", path(), body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(history()).isEmpty();
    }

    @Test
    void refusesKeysVersionsAndPagesThatDoNotFit() {
        for (String key : List.of("", "x".repeat(256))) {
            Http.Answer answer = apply(api.with("Idempotency-Key", key), body("SELECT 1"));
            assertThat(answer.status()).as(key + answer).isEqualTo(400);
        }
        for (String query : List.of("?limit=0", "?limit=1001", "?limit=x", "?cursor=x", "?cursor=%00")) {
            assertThat(api.get(path() + query).code()).as(query).isEqualTo("invalid_parameter");
        }
        for (String version : List.of("20300131120000", "x", "%00", "%F0%9F%98%80")) {
            Http.Answer answer = api.get(path() + "/" + version);
            assertThat(answer.status()).as(version).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("migration_not_found");
        }
    }

    @Test
    void needsThePermissionOfTheProjectsOrganisation() {
        Http weak = Http.api(api.send("POST", "/v1/tokens", "{\"name\":\"t\",\"permissions\":{}}")
                .json()
                .findValue("token")
                .asText());
        for (Http.Answer answer :
                List.of(apply(weak, body("SELECT 1")), weak.get(path()), weak.get(path() + "/20300131120000"))) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.code()).isEqualTo("pat_database_query_forbidden");
        }
        assertThat(audit()).containsExactly("denied pat_database_query_forbidden");

        Http stranger = Http.api(api.send("POST", "/v1/organizations", "{\"slug\":\"m" + project.ref() + "\"}")
                .json()
                .findValue("token")
                .findValue("token")
                .asText());
        for (Http.Answer answer : List.of(
                apply(stranger, body("SELECT 1")), stranger.get(path()), stranger.get(path() + "/20300131120000"))) {
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("project_not_found");
        }
    }

    @Test
    void theServiceRoleKeyMigratesIntoTheSameHistory() {
        Http service = Http.api(serviceKey(project));
        String path = "/api/projects/" + project.ref() + "/migrate/service-role";
        Http.Answer made = service.send(
                "POST",
                path,
                body("CREATE TABLE s (id int)").put("name", "by key").toString());
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        assertThat(api.send("POST", path, body("CREATE TABLE t (id int)").toString())
                        .status())
                .isEqualTo(201);
        assertThat(service.send("POST", path, body("COMMIT").toString()).code()).isEqualTo("sql_forbidden_statement");
        assertThat(history()).hasSize(2).first().asString().endsWith(" by key applied");
        JsonNode calls = api.get("/v1/projects/" + project.ref() + "/audit?actor=service_role")
                .json()
                .get("calls");
        assertThat(calls.findValuesAsText("result")).containsExactly("refused", "committed");
        assertThat(calls.get(0).get("key_version").asInt()).isEqualTo(1);

        TestingProject other = TestingProject.create(client, tenants, "other");
        for (String ref : List.of(other.ref(), "nothere1")) {
            Http.Answer refused = service.send(
                    "POST",
                    "/api/projects/" + ref + "/migrate/service-role",
                    body("SELECT 1").toString());
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.code()).isEqualTo("service_key_invalid");
        }
    }

    @Test
    void hasALimitOfItsOwn() {
        for (int i = 0; i < 31; i++) {
            api.send("POST", project.path(), body("SELEC 1").toString());
        }
        assertThat(api.send("POST", project.path(), body("SELECT 1").toString()).status())
                .isEqualTo(429);
        for (int i = 0; i < 60; i++) {
            assertThat(apply("SELEC 1").status()).isEqualTo(400);
        }
        Http.Answer answer = apply("SELECT 1");
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.code()).isEqualTo("rate_limit_exceeded");
        assertThat(answer.json().path("hint").asText()).contains("folder");
        assertThat(history()).isEmpty();
    }

    @Test
    void supabasesOwnHistoryTableIsATableLikeAnyOther() {
        Http.Answer answer = apply("""
                CREATE SCHEMA IF NOT EXISTS supabase_migrations;
                CREATE TABLE IF NOT EXISTS supabase_migrations.schema_migrations (version text NOT NULL PRIMARY KEY);
                INSERT INTO supabase_migrations.schema_migrations VALUES ('20260101000000')""");
        assertThat(answer.status()).as(answer.toString()).isBetween(200, 201);
        assertThat(history()).hasSize(1);
    }

    private static String serviceKey(TestingProject project) {
        return ApiKey.of(TestingKeys.master()
                .root(Purpose.SERVICE_KEY)
                .leaf(new ProjectKeyScope(project.owner().names().projectId(), TestingKeys.INCARNATION, 1)));
    }
}
