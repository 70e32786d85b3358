package svc.management.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static svc.management.log.LogsForTests.NOW;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.sql.SqlFragment;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.PlatformUnavailable;

/** The dialect of log queries: what agents and Supabase's tools send, and nothing beyond the lines of one project. */
class LogQueriesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final UUID PROJECT = UUID.randomUUID();
    private static final UUID NEIGHBOUR = UUID.randomUUID();

    private static LogsForTests logs;
    private static LogQueries queries;

    @BeforeAll
    static void start() {
        logs = new LogsForTests("project_log_queries");
        queries = logs.queries();
        LogStore store = logs.storeAt(NOW);
        store.add(LogsForTests.request(PROJECT, NOW.minusSeconds(50), 1, "/rest/v1/todos", 200, 1_500));
        store.add(LogsForTests.request(PROJECT, NOW.minusSeconds(40), 1, "/rest/v1/todos", 401, 900));
        store.add(LogsForTests.request(PROJECT, NOW.minusSeconds(30), 2, "/auth/v1/token", 400, 70_000));
        store.add(LogsForTests.request(PROJECT, NOW.minusSeconds(20), 5, "/functions/v1/hello", 500, 5_000));
        store.add(LogsForTests.message(PROJECT, NOW.minusSeconds(10), 6, 3, "permission denied for table todos"));
        store.add(LogsForTests.message(PROJECT, NOW.minusSeconds(5), 7, 1, "a line of a function"));
        store.add(
                LogsForTests.request(NEIGHBOUR, NOW.minusSeconds(15), 1, "/rest/v1/secrets_of_the_neighbour", 200, 10));
        store.add(LogsForTests.message(NEIGHBOUR, NOW.minusSeconds(10), 6, 3, "secret of the neighbour"));
    }

    @AfterAll
    static void stop() {
        logs.close();
    }

    private static JsonNode run(String sql) {
        List<String> rows = queries.run(PROJECT, sql, Optional.empty(), Optional.empty(), 1 << 20);
        try {
            return JSON.readTree("[" + String.join(",", rows) + "]");
        } catch (IOException e) {
            throw new AssertionError(rows.toString(), e);
        }
    }

    private static ProblemCode refused(String sql) {
        ProblemException refusal = catchThrowableOfType(ProblemException.class, () -> run(sql));
        assertThat(refusal).as(sql).isNotNull();
        return refusal.problem().code();
    }

    @Test
    void whatSupabasesServerSends() {
        assertThat(run("""
                        select id, log_attributes['identifier'] as identifier, timestamp, event_message,
                          log_attributes['request.method'] as method, log_attributes['request.path'] as path,
                          log_attributes['response.status_code'] as status_code
                        from logs
                        where source = 'edge_logs'
                        order by timestamp desc
                        limit 100""").findValuesAsText("status_code")).containsExactly("500", "400", "401", "200");
        JsonNode postgres = run("""
                select log_attributes['identifier'] as identifier, timestamp, id, event_message,
                  log_attributes['parsed.error_severity'] as error_severity
                from logs where source = 'postgres_logs' order by timestamp desc limit 100""");
        assertThat(postgres).hasSize(1);
        assertThat(postgres.get(0).get("event_message").asText()).isEqualTo("permission denied for table todos");
        assertThat(postgres.get(0).get("error_severity").asText()).isEqualTo("ERROR");
        assertThat(postgres.get(0).get("timestamp").asText()).isEqualTo("2030-06-15T11:59:50.000000Z");
        JsonNode functions = run("""
                select id, timestamp, event_message, log_attributes['response.status_code'] as status_code,
                  log_attributes['execution_time_ms'] as execution_time_ms, log_attributes['version'] as version
                from logs where source = 'function_edge_logs' order by timestamp desc limit 100""");
        assertThat(functions.get(0).get("execution_time_ms").asText()).isEqualTo("5");
        assertThat(functions.get(0).get("version").isNull()).isTrue();
        assertThat(
                        run("select id, timestamp, event_message, log_attributes['level'] as level, log_attributes['msg'] as msg"
                                        + " from logs where source = 'auth_logs' order by timestamp desc limit 100")
                                .findValuesAsText("msg"))
                .containsExactly("GET /auth/v1/token 400");
    }

    @Test
    void whatSupabasesCommandLineSends() {
        JsonNode lines = run("""
                select id, toUnixTimestamp64Milli(timestamp) as ts_ms, source, severity_text, multiIf(
                source = 'postgres_logs', multiIf(upper(log_attributes['parsed.error_severity']) in
                ('ERROR','FATAL','PANIC'), 'error', upper(log_attributes['parsed.error_severity']) = 'WARNING',
                'warn', lower(log_attributes['parsed.error_severity'])),
                source in ('edge_logs','function_edge_logs'),
                multiIf(toInt32OrZero(log_attributes['response.status_code']) >= 500, 'error',
                toInt32OrZero(log_attributes['response.status_code']) >= 400, 'warn',
                toInt32OrZero(log_attributes['response.status_code']) >= 100, 'info', ''),
                source = 'auth_logs', multiIf(lower(log_attributes['level']) in ('error','fatal') or
                toInt32OrZero(log_attributes['status']) >= 500, 'error', lower(log_attributes['level']) in
                ('warn','warning') or toInt32OrZero(log_attributes['status']) >= 400, 'warn',
                lower(log_attributes['level'])),
                source = 'function_logs', multiIf(lower(log_attributes['level']) in ('error','fatal'), 'error',
                lower(log_attributes['level']) in ('warn','warning'), 'warn', lower(log_attributes['level'])),
                log_attributes['subservice'] = 'worker_ingress_logs',
                multiIf(toInt32OrZero(log_attributes['status']) >= 500, 'error',
                toInt32OrZero(log_attributes['status']) >= 400, 'warn', toInt32OrZero(log_attributes['status']) >=
                100, 'info', ''),
                log_attributes['subservice'] = 'worker_api_logs', if(log_attributes['event'] = 'build_failed',
                'error', 'info'),
                '') as level, event_message, log_attributes from logs where (source = 'edge_logs' or source =
                'postgres_logs' or source = 'postgrest_logs' or source = 'auth_logs' or source = 'auth_audit_logs'
                or source = 'storage_logs' or source = 'realtime_logs' or source = 'function_logs' or source =
                'function_edge_logs' or source = 'supavisor_logs' or source = 'pgbouncer_logs' or source =
                'pg_upgrade_logs') order by ts_ms desc, id desc limit 100""");

        assertThat(lines.findValuesAsText("level")).containsExactly("info", "error", "error", "warn", "warn", "info");
        assertThat(lines.get(0).get("ts_ms").asLong())
                .isEqualTo(NOW.minusSeconds(5).toEpochMilli());
        assertThat(lines.findValuesAsText("source")).contains("function_logs", "postgres_logs", "auth_logs");
        assertThat(refused("select if(id = '1', 'a') from logs")).isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select multiIf() from logs")).isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select multiIf(id = '1', 'a', id = '2', 'b') from logs"))
                .isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(
                        run("select multiIf(status >= 500, 2, status >= 400, 1, 0) as worst from logs order by worst desc limit 1")
                                .get(0)
                                .get("worst")
                                .asInt())
                .isEqualTo(2);
    }

    @Test
    void tablesOfSourcesWithUnnestedMetadata() {
        JsonNode edge = run("""
                select id, identifier, timestamp, event_message, request.method, request.path, response.status_code
                from edge_logs
                  cross join unnest(metadata) as m
                  cross join unnest(m.request) as request
                  cross join unnest(m.response) as response
                where response.status_code >= 400
                order by timestamp desc
                limit 100""".replace("identifier, ", ""));
        assertThat(edge.findValuesAsText("status_code")).containsExactly("500", "400", "401");
        assertThat(edge.get(0).get("timestamp").asLong())
                .isEqualTo(NOW.minusSeconds(20).toEpochMilli() * 1000);
        JsonNode postgres = run("""
                select postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.sql_state_code
                from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed
                order by timestamp desc limit 5""");
        assertThat(postgres.get(0).get("sql_state_code").asText()).isEqualTo("42501");
        assertThat(run("select auth_logs.timestamp, metadata.status, metadata.path from auth_logs"
                                + " cross join unnest(metadata) as metadata")
                        .findValuesAsText("path"))
                .containsExactly("/auth/v1/token");
    }

    @Test
    void whatAgentsAsk() {
        assertThat(run("select distinct source from logs order by source").findValuesAsText("source"))
                .containsExactly("auth_logs", "edge_logs", "function_edge_logs", "function_logs", "postgres_logs");
        assertThat(run("select log_attributes['request.path'] as path, count(*) as calls,"
                                + " countIf(toInt32OrZero(log_attributes['response.status_code']) >= 400) as failed, max(duration_ms)"
                                + " as slowest from logs where source in ('edge_logs', 'auth_logs') and timestamp > now() - interval"
                                + " 5 week group by path order by calls desc, path limit 1")
                        .toString())
                .isEqualTo("[{\"path\":\"/rest/v1/todos\",\"calls\":2,\"failed\":1,\"slowest\":1.5}]");
        assertThat(run("select log_attributes['request.path'] as path, count(*) as calls,"
                                + " countIf(toInt32OrZero(log_attributes['response.status_code']) >= 400) as failed"
                                + " from logs where source = 'edge_logs' group by path order by calls desc, path limit 2")
                        .toString())
                .isEqualTo("[{\"path\":\"/rest/v1/todos\",\"calls\":2,\"failed\":1},"
                        + "{\"path\":\"/auth/v1/token\",\"calls\":1,\"failed\":1}]");
        assertThat(
                        run("select toStartOfMinute(timestamp) as minute, count() as lines from logs group by minute order by minute")
                                .toString())
                .isEqualTo("[{\"minute\":\"2030-06-15T11:59:00.000000Z\",\"lines\":6}]");
        assertThat(
                        run(
                                "select `event_message` from logs where event_message ilike '%PERMISSION%' and source <> 'edge_logs'"))
                .hasSize(1);
        assertThat(run("select status, duration_ms from logs where status between 400 and 499 order by 2 desc limit 1")
                        .toString())
                .isEqualTo("[{\"status\":400,\"duration_ms\":70}]");
        assertThat(
                        run("select case when status >= 500 then 'bad' else 'good' end as kind, count(*) from logs where status is not"
                                        + " null group by 1 having count(*) > 1")
                                .findValuesAsText("kind"))
                .containsExactly("good");
        assertThat(run("select * from logs order by timestamp limit 1")
                        .get(0)
                        .get("log_attributes")
                        .get("request.path")
                        .asText())
                .isEqualTo("/rest/v1/todos");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select project_id from logs",
                "select l.project_id from logs as l",
                "select * from svc_platform.project_log",
                "select * from svc_platform.token",
                "select * from pg_catalog.pg_authid",
                "select rolname from pg_roles",
                "select * from logs, svc_platform.token",
                "select * from logs a, logs b",
                "select * from logs a cross join logs b cross join logs c",
                "select * from logs join logs b on true",
                "select (select hash from svc_platform.token limit 1) from logs",
                "select 1 from logs where exists (select 1 from svc_platform.token)",
                "select id from logs union all select secret from svc_platform.token",
                "with x as (delete from svc_platform.project_log returning 1) select * from x",
                "with x as (select 1) select * from logs",
                "select id into stolen from logs",
                "select id from logs for update",
                "delete from logs",
                "select 1; delete from logs",
                "select pg_sleep(100) from logs",
                "select pg_read_file('/etc/passwd') from logs",
                "select set_config('svc.log_project', 'x', true) from logs",
                "select set_config('role', 'none', true) from logs",
                "select current_setting('svc.log_project') from logs",
                "select current_user from logs, unnest(metadata) m where query_to_xml('select 1', true, true, '') is not null",
                "select generate_series(1, 1000000000) from logs",
                "select * from generate_series(1, 1000000000)",
                "select repeat('x', 1000000000) from logs",
                "select lpad('x', 1000000000) from logs",
                "select string_agg(event_message, '') from logs",
                "select array_agg(id) from logs",
                "select dblink('x') from logs",
                "select lo_import('/etc/passwd') from logs",
                "select pg_catalog.count(*) from logs",
                "select count(*) over () from logs",
                "select operator(pg_catalog.+) 1 from logs",
                "select 'svc_platform.token'::regclass from logs",
                "select id::xml from logs",
                "select xmin from logs",
                "select tableoid from logs",
                "select l from logs l",
                "select row(1) from logs",
                "select array[1,2] from logs",
                "select event_message collate \"C\" from logs",
                "select $1 from logs",
                "select id from logs tablesample system (1)",
                "select id from logs limit (select 1)",
                "select id from logs limit all offset 99999999",
                "select id from logs order by 99",
                "select id from only_logs",
                "values (1)",
                "explain select * from logs",
                "copy logs to program 'id'",
                "select",
                "select from logs",
                "nonsense",
                ""
            })
    void whatIsNotOfTheDialectIsRefused(String sql) {
        assertThat(refused(sql)).isEqualTo(ProblemCode.LOG_QUERY_INVALID);
    }

    @Test
    void whatIsMadeToBeLargeIsRefused() {
        assertThat(refused("select " + "lower(".repeat(500) + "id" + ")".repeat(500) + " from logs"))
                .isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select 1" + "+1".repeat(3_000) + " from logs")).isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select " + "toInt32OrZero(lower(".repeat(40) + "event_message" + "))".repeat(40)
                        + " from logs"))
                .isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select event_message" + " || event_message".repeat(100) + " from logs"))
                .isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select lower(event_message || '" + "x".repeat(2_000) + "') as a from logs where a = 'b'"
                        + " or a = 'b'".repeat(600)))
                .isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select id" + ", id".repeat(100) + " from logs")).isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("x".repeat(20_000))).isEqualTo(ProblemCode.LOG_QUERY_INVALID);
    }

    @Test
    void noTextOfAQueryReachesTheDatabase() {
        assertThat(run("select 'it''s' as a, '\\' as b, '?' as c, '-- ' as \"d \"\"; drop\" from logs limit 1")
                        .toString())
                .isEqualTo("[{\"a\":\"it's\",\"b\":\"\\\\\",\"c\":\"?\",\"d \\\"; drop\":\"-- \"}]");
        assertThat(run("select log_attributes['x'' from svc_platform.token --'] as none from logs limit 1")
                        .get(0)
                        .get("none")
                        .isNull())
                .isTrue();
    }

    @Test
    void errorsAtRunTimeAreReported() {
        assertThat(refused("select 1 / 0 from logs")).isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select id from logs where timestamp > 'yesterday evening'"))
                .isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select event_message from logs where event_message ~ '('"))
                .isEqualTo(ProblemCode.LOG_QUERY_INVALID);
        assertThat(refused("select source, count(*) from logs")).isEqualTo(ProblemCode.LOG_QUERY_INVALID);
    }

    @Test
    void theDatabaseItselfShowsNoOtherProject() {
        assertThat(run("select event_message from logs").toString()).doesNotContain("neighbour");
        String all = "SELECT count(*) FROM svc_platform.project_log";
        assertThat(logs.reads.read(
                        PROJECT,
                        SqlFragment.of("SELECT count(*) AS lines FROM svc_platform.project_log"),
                        row -> row.number("lines")))
                .containsExactly(6L);
        assertThat(logs.sql(all)).isEqualTo("8");
        for (SqlFragment other : List.of(
                SqlFragment.of("SELECT 1 AS one FROM svc_platform.token"),
                SqlFragment.of("SELECT 1 AS one FROM svc_platform.project_log_other"),
                SqlFragment.of("SELECT 1 AS one FROM svc_platform.project_log_volume"))) {
            assertThatThrownBy(() -> logs.reads.read(PROJECT, other, row -> row.number("one")))
                    .isInstanceOf(PlatformUnavailable.class)
                    .hasMessageContaining("permission denied for table");
        }
        SqlFragment delete =
                SqlFragment.of("WITH x AS (DELETE FROM svc_platform.project_log RETURNING 1) SELECT 1 AS one FROM x");
        assertThatThrownBy(() -> logs.reads.read(PROJECT, delete, row -> row.number("one")))
                .hasMessageContaining("read-only transaction");
    }

    @Test
    void windowsAreChecked() {
        assertThat(queries.run(
                        PROJECT,
                        "select event_message from logs",
                        Optional.of("2030-06-15T11:59:45Z"),
                        Optional.of("2030-06-15T11:59:53Z"),
                        1 << 20))
                .singleElement()
                .asString()
                .contains("permission denied");
        for (String start :
                List.of("yesterday", "2030-06-16T00:00:00Z", "1999-01-01T00:00:00Z", "+999999999-12-31T23:59:59Z")) {
            assertThatThrownBy(() ->
                            queries.run(PROJECT, "select id from logs", Optional.of(start), Optional.empty(), 1_000))
                    .as(start)
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            refusal -> assertThat(refusal.problem().code()).isEqualTo(ProblemCode.INVALID_PARAMETER));
        }
    }

    @Test
    void anAnswerIsBounded() {
        assertThat(queries.run(PROJECT, "select event_message from logs", Optional.empty(), Optional.empty(), 100))
                .hasSizeBetween(1, 3);
    }
}
