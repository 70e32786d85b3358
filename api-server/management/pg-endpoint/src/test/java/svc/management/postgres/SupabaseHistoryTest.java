package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** The messages that {@code supabase db push}, {@code migration list} and {@code migration repair} were seen to send. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class SupabaseHistoryTest {
    private static final String VERSIONS = "SELECT version FROM supabase_migrations.schema_migrations ORDER BY version";
    private static final String INSERT =
            "INSERT INTO supabase_migrations.schema_migrations(version, name, statements) VALUES($1, $2, $3)";
    private static final String PROVISIONED = "SELECT count(*) = 3 AS provisioned FROM pg_catalog.pg_attribute a JOIN"
            + " pg_catalog.pg_class c ON c.oid = a.attrelid WHERE a.attrelid ="
            + " pg_catalog.to_regclass('supabase_migrations.schema_migrations') AND c.relkind IN ('r', 'p') AND NOT"
            + " a.attisdropped AND a.attname IN ('version', 'name', 'statements')";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PostgresEndpoint endpoint;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "history");
    }

    private WireClient connect() throws IOException {
        var wire = new WireClient(endpoint.port(), "127.0.0.1");
        assertThat(WireClient.types(wire.signIn("postgres." + project.ref(), TestingPlatform.ADMIN)))
                .endsWith("KZ");
        return wire;
    }

    private String history() {
        var text = new StringBuilder();
        api.send("GET", "/v1/projects/" + project.ref() + "/database/migrations")
                .json()
                .forEach(one -> text.append(one.path("version").asText())
                        .append(' ')
                        .append(one.path("name").asText())
                        .append(' ')
                        .append(one.path("state").asText())
                        .append(';'));
        return text.toString();
    }

    @Test
    void aPushAppliesTheFilesAndRecordsThemInTheOneHistory() throws IOException {
        try (WireClient wire = connect()) {
            assertThat(WireClient.types(wire.query(VERSIONS))).isEqualTo("TCZ");
            assertThat(wire.query(PROVISIONED).get(1).text()).endsWith("t");
            assertThat(WireClient.types(wire.query("RESET ALL"))).isEqualTo("CZ");
            wire.statement("create table public.todos (id bigint primary key)");
            wire.statement("alter table public.todos enable row level security");
            wire.statement(INSERT, "20300131120000", "create_todos", "{\"create table …\"}");
            assertThat(WireClient.types(wire.sync())).isEqualTo("12nC12nC12nCZ");
            assertThat(wire.query(VERSIONS).get(1).text()).contains("20300131120000");
        }
        assertThat(history()).isEqualTo("20300131120000 create_todos applied;");
        assertThat(api.send("GET", "/v1/projects/" + project.ref() + "/database/migrations/20300131120000")
                        .text())
                .contains("alter table public.todos enable row level security");
    }

    @Test
    void aFileThatFailsLeavesNothingAndNamesItsStatement() throws IOException {
        try (WireClient wire = connect()) {
            wire.statement("create table public.half (id int)");
            wire.statement("select nope from public.half");
            wire.statement(INSERT, "20300131120000", "half", "{}");
            List<WireClient.Message> answer = wire.sync();
            assertThat(WireClient.types(answer)).isEqualTo("12nCEZ");
            assertThat(WireClient.error(answer)).contains("C42703|").contains("P8|");
            assertThat(WireClient.types(wire.query("select to_regclass('public.half')")))
                    .isEqualTo("TDCZ");
        }
        assertThat(history()).isEmpty();
    }

    @Test
    void aVersionIsAppliedOnceWhicheverWayItCame() throws IOException {
        api.send(
                "POST",
                "/v1/projects/" + project.ref() + "/database/migrations",
                "{\"version\":\"20300131120000\",\"query\":\"create table a (id int)\"}");
        try (WireClient wire = connect()) {
            assertThat(wire.query(VERSIONS).get(1).text()).contains("20300131120000");
            wire.statement("create table b (id int)");
            wire.statement(INSERT, "20300131120000", "b", "{}");
            assertThat(WireClient.error(wire.sync())).contains("C23505|");
        }
    }

    @Test
    void aRepairChangesTheHistoryAtTheEndOfItsTransaction() throws IOException {
        try (WireClient wire = connect()) {
            wire.query("BEGIN");
            wire.statement(
                    INSERT
                            + " ON CONFLICT (version) DO UPDATE SET name = EXCLUDED.name, statements = EXCLUDED.statements",
                    "20300131120100",
                    "more",
                    "{\"select 1\"}");
            assertThat(WireClient.types(wire.sync())).isEqualTo("12nCZ");
            assertThat(history()).isEmpty();
            assertThat(WireClient.types(wire.query("COMMIT"))).isEqualTo("CZ");
            assertThat(history()).isEqualTo("20300131120100 more applied;");
            wire.query("BEGIN");
            wire.statement(
                    "DELETE FROM supabase_migrations.schema_migrations WHERE version = ANY($1)",
                    "{\"20300131120100\"}");
            wire.sync();
            wire.query("COMMIT");
        }
        assertThat(history()).isEmpty();
    }

    @Test
    void aTransactionChangesABoundedPartOfTheHistory() throws IOException {
        String record =
                INSERT + " ON CONFLICT (version) DO UPDATE SET name = EXCLUDED.name, statements = EXCLUDED.statements";
        String text = "{\"" + "x".repeat(400_000) + "\"}";
        try (WireClient wire = connect()) {
            wire.query("BEGIN");
            String error = "";
            for (long version = 20300131120000L; version <= 20300131120500L && error.isEmpty(); version++) {
                wire.statement(record, Long.toString(version), "short", "{\"select 1\"}");
                error = WireClient.error(wire.sync());
            }
            assertThat(error).contains("C54000|");
            assertThat(WireClient.types(wire.query("ROLLBACK"))).isEqualTo("CZ");
            wire.query("BEGIN");
            wire.statement(record, "20300131120000", "long", text);
            assertThat(WireClient.error(wire.sync())).as("one of them has room").isEmpty();
            assertThat(WireClient.types(wire.query("ROLLBACK"))).isEqualTo("CZ");
        }
        assertThat(history()).isEmpty();
    }

    private boolean exists(WireClient wire, String table) throws IOException {
        return wire.query("select to_regclass('public." + table + "') is not null")
                .get(1)
                .text()
                .endsWith("t");
    }

    @Test
    void whatCannotBeRecordedIsSaidBeforeTheCommitAndNothingIsCommitted() throws IOException {
        api.send(
                "POST",
                "/v1/projects/" + project.ref() + "/database/migrations",
                "{\"version\":\"20300131120000\",\"query\":\"create table a (id int)\"}");
        try (WireClient wire = connect()) {
            for (String[] values : List.of(
                    new String[] {"1x", "name", "{}"},
                    new String[] {"20300131120000", "name", "{\"other text\"}"},
                    new String[] {"20300131120100", "n".repeat(256), "{}"})) {
                wire.query("BEGIN");
                wire.query("create table public.half (id int)");
                wire.statement(INSERT, values);
                assertThat(WireClient.error(wire.sync())).as(values[0]).isNotEmpty();
                List<WireClient.Message> end = wire.query("COMMIT");
                assertThat(WireClient.error(end)).isEmpty();
                assertThat(end.getFirst().text()).contains("ROLLBACK");
                assertThat(exists(wire, "half")).isFalse();
            }
        }
        assertThat(history()).isEqualTo("20300131120000  applied;");
    }

    @Test
    void aMigrationIsRecordedWithTheTransactionThatRanIt() throws IOException {
        try (WireClient wire = connect()) {
            wire.query("BEGIN");
            wire.query("create table public.whole (id int)");
            wire.statement(INSERT, "20300131120000", "whole", "{\"create table …\"}");
            assertThat(WireClient.types(wire.sync())).isEqualTo("12nCZ");
            assertThat(history()).isEmpty();
            assertThat(wire.query("COMMIT").getFirst().text()).contains("COMMIT");
            assertThat(exists(wire, "whole")).isTrue();
        }
        assertThat(history()).isEqualTo("20300131120000 whole applied;");
    }

    @Test
    void aVersionThatIsTakenMeanwhileKeepsTheTransactionFromItsCommit() throws IOException {
        try (WireClient wire = connect()) {
            wire.query("create table public.late (id int)");
            wire.query("BEGIN");
            wire.query("insert into public.late values (1)");
            wire.statement(INSERT, "20300131120000", "late", "{\"insert into …\"}");
            assertThat(WireClient.types(wire.sync())).isEqualTo("12nCZ");
            api.send(
                    "POST",
                    "/v1/projects/" + project.ref() + "/database/migrations",
                    "{\"version\":\"20300131120000\",\"query\":\"select 1\"}");
            assertThat(WireClient.error(wire.query("COMMIT"))).isNotEmpty();
            assertThat(wire.query("select count(*) from public.late").get(1).text())
                    .endsWith("0");
        }
        assertThat(history()).isEqualTo("20300131120000  applied;");
    }

    @Test
    void aTransactionThatRunsSqlForgetsNoVersions() throws IOException {
        api.send(
                "POST",
                "/v1/projects/" + project.ref() + "/database/migrations",
                "{\"version\":\"20300131120000\",\"query\":\"create table a (id int)\"}");
        String revert = "DELETE FROM supabase_migrations.schema_migrations WHERE version = ANY($1)";
        try (WireClient wire = connect()) {
            wire.query("BEGIN");
            wire.query("create table public.half (id int)");
            wire.statement(revert, "{\"20300131120000\"}");
            assertThat(WireClient.error(wire.sync())).contains("C0A000|");
            wire.query("ROLLBACK");
            wire.query("BEGIN");
            wire.statement(revert, "{\"20300131120000\"}");
            assertThat(WireClient.types(wire.sync())).isEqualTo("12nCZ");
            assertThat(WireClient.error(wire.query("create table public.half (id int)")))
                    .contains("C0A000|");
            wire.query("COMMIT");
        }
        assertThat(history()).isEqualTo("20300131120000  applied;");
    }

    @Test
    void changesOfOneTransactionAreOneRowOfTheAudit() throws IOException {
        String record =
                INSERT + " ON CONFLICT (version) DO UPDATE SET name = EXCLUDED.name, statements = EXCLUDED.statements";
        try (WireClient wire = connect()) {
            wire.query("BEGIN");
            for (int i = 10; i < 30; i++) {
                wire.statement(record, "203001311200" + i, "many", "{}");
                assertThat(WireClient.types(wire.sync())).isEqualTo("12nCZ");
            }
            wire.query("COMMIT");
        }
        assertThat(history().split(";")).hasSize(20);
        assertThat(api.get("/v1/projects/" + project.ref() + "/audit").json().path("calls"))
                .hasSize(1);
        assertThat(api.get("/v1/projects/" + project.ref() + "/audit").text())
                .contains("record migration 20300131120010", "record migration 20300131120029");
    }

    @Test
    void noOtherSpellingMakesASecondHistory() throws IOException {
        try (WireClient wire = connect()) {
            assertThat(WireClient.error(wire.query("create schema supabase_migrations")))
                    .isEmpty();
            for (String sql : List.of(
                    "create table \"supabase_migrations\".\"schema_migrations\" (version text)",
                    "create table supabase_migrations . schema_migrations (version text)",
                    "create table U&\"supabase\\005fmigrations\".schema_migrations (version text)")) {
                assertThat(WireClient.error(wire.query(sql))).as(sql).contains("C0A000|");
            }
            assertThat(WireClient.types(wire.query(
                            "SELECT version FROM \"supabase_migrations\".\"schema_migrations\" ORDER BY version")))
                    .isEqualTo("TCZ");
        }
    }

    @Test
    void noStatementMakesASecondHistory() throws IOException {
        try (WireClient wire = connect()) {
            for (String sql : List.of(
                    "TRUNCATE supabase_migrations.schema_migrations",
                    "CREATE TABLE supabase_migrations.schema_migrations (v text)",
                    "SELECT * FROM supabase_migrations.schema_migrations")) {
                assertThat(WireClient.error(wire.query(sql))).as(sql).contains("C0A000|");
            }
            assertThat(WireClient.types(wire.query(
                            "CREATE TABLE IF NOT EXISTS supabase_migrations.schema_migrations (version text NOT NULL"
                                    + " PRIMARY KEY)")))
                    .isEqualTo("CZ");
        }
        assertThat(history()).isEmpty();
    }
}
