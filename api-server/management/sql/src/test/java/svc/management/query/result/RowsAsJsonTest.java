package svc.management.query.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.RunLimits;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.TestingOwner;

/** Our rendering of values equals PostgreSQL's own, on the same server. */
class RowsAsJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static TestingOwner owner;
    private static OwnerSessions sessions;

    @BeforeAll
    static void start() {
        owner = TestingOwner.create();
        sessions = new OwnerSessions(RunLimits.defaults(), TestingOwner.platformLogin());
        makeTypes();
    }

    @AfterAll
    static void stop() {
        sessions.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1::int2",
                "-2147483648",
                "9223372036854775807",
                "12345678901234567890.123456789",
                "'NaN'::numeric",
                "'Infinity'::float8",
                "1e300::float8",
                "1.5::float4",
                "true",
                "false",
                "NULL::text",
                "'ä\"\\ \t😀'::text",
                "'x'::char(3)",
                "'{\"a\": [1, null, {\"b\": \"c\"}]}'::json",
                "'{\"a\":  1}'::jsonb",
                "'null'::jsonb",
                "date '2024-02-29'",
                "date '0044-03-15 BC'",
                "timestamp '2024-01-02 03:04:05.678'",
                "timestamp 'infinity'",
                "timestamptz '2024-01-02 03:04:05.678+00'",
                "timestamptz '1890-01-02 03:04:05+00'",
                "timestamptz '-infinity'",
                "timestamptz '0044-03-15 12:00:00+00 BC'",
                "time '01:02:03'",
                "interval '1 day 02:03:04'",
                "'\\xdeadbeef'::bytea",
                "'0f0e0d0c-0b0a-0908-0706-050403020100'::uuid",
                "'10.0.0.1/8'::inet",
                "26::oid",
                "int4range(1, 5)",
                "'{1,NULL,3}'::int[]",
                "'{}'::int[]",
                "'[0:1]={1,2}'::int[]",
                "'{{1,2},{3,4}}'::int[]",
                "ARRAY['a,b', 'c\"d', 'e\\f', '', 'NULL', NULL, ' g ', '{x}']",
                "ARRAY[true, false]",
                "ARRAY['{\"a\": 1}'::jsonb, '[1]']",
                "ARRAY[timestamptz '2024-01-02 03:04:05+00']",
                "ARRAY[date '2024-01-02', NULL]",
                "ARRAY['0f0e0d0c-0b0a-0908-0706-050403020100'::uuid]",
                "ARRAY[1.5, 'NaN']::numeric[]",
                "ARRAY[box '(1,1),(0,0)', box '(2,2),(0,0)']",
                "ARRAY[int4range(1, 5)]",
                "'-Infinity'::numeric",
                "'-0'::float8",
                "'1e-7'::float8",
                "0.1::float4",
                "1.10::numeric(10, 4)",
                "1e-20::numeric",
                "'12.50'::money",
                "''::text",
                "'\u2028 </script> ' || chr(1) || chr(127)",
                "'a'::name",
                "'a'::\"char\"",
                "'  {\"a\" : 1,\n \"a\" : 2}  '::json",
                "'\"text\"'::json",
                "'[1,  2]'::jsonb",
                "ARRAY['{\"a\":1}'::json, NULL]",
                "date 'infinity'",
                "timestamp '12024-01-02 03:04:05'",
                "timestamp '0044-03-15 12:00:00 BC'",
                "timestamptz '2024-07-02 03:04:05.000001+05:45'",
                "timetz '01:02:03+02'",
                "interval '-1 year 2 mons 3 days -04:05:06.7'",
                "ARRAY[interval '1 day', NULL]",
                "ARRAY['\\xdead'::bytea]",
                "'10.1.2.0/24'::cidr",
                "'08:00:2b:01:02:03'::macaddr",
                "'08:00:2b:01:02:03:04:05'::macaddr8",
                "B'1010'",
                "'10'::varbit(5)",
                "ARRAY[B'1', B'0']",
                "point '(1,2)'",
                "ARRAY[point '(1,2)', NULL]",
                "lseg '[(1,2),(3,4)]'",
                "path '((1,2),(3,4))'",
                "polygon '((1,2),(3,4))'",
                "circle '<(1,2),3>'",
                "line '{1,2,3}'",
                "'1 2'::int2vector",
                "'1 2'::oidvector",
                "ARRAY['1 2'::int2vector]",
                "to_tsvector('simple', 'a fat cat')",
                "'a & b'::tsquery",
                "'$.a'::jsonpath",
                "'pg_catalog.int4'::regtype",
                "ARRAY['pg_catalog.int4'::regtype]",
                "'(0,1)'::tid",
                "'16/B374D848'::pg_lsn",
                "'<a/>'::xml",
                "numrange(1.5, NULL)",
                "'empty'::tsrange",
                "tstzrange('2024-01-01 00:00+00', NULL)",
                "'{[1,3),[5,7)}'::int4multirange",
                "ARRAY['{[1,3)}'::int4multirange]",
                "'{{{1},{2}},{{3},{NULL}}}'::int[]",
                "'[2:3][-1:0]={{1,2},{3,4}}'::int[]",
                "ARRAY[repeat('x', 3), E'a\\nb', E'\\t']",
                "ARRAY['a'::varchar(3), 'b']",
                "ARRAY['a'::char(3)]",
                "current_schemas(false)",
                "ARRAY[1.5::float4, 'NaN', 'Infinity']"
            })
    void looksAsToJsonMakesIt(String expression) throws IOException {
        JsonNode row = JSON.readTree(json("SELECT " + expression + " AS ours, to_json(" + expression + ") AS theirs"))
                .get(0);
        assertThat(row.get("ours")).isEqualTo(row.get("theirs"));
    }

    private static void makeTypes() {
        assertThat(sessions.run(
                        owner.ownerLogin(),
                        ScriptRun.of(
                                "CREATE TYPE mood AS ENUM ('sad', 'so \"so\"', 'ha,ppy');"
                                        + " CREATE DOMAIN positive AS int CHECK (VALUE > 0);"
                                        + " CREATE DOMAIN numbers AS int[];"
                                        + " CREATE TYPE inner_part AS (\"a b\" int, note text, at timestamptz);"
                                        + " CREATE TYPE outer_part AS (part inner_part, parts inner_part[], m mood,"
                                        + " n positive, doc jsonb, flags bool[]);"
                                        + " CREATE TYPE shrunk AS (a int, b text, c int);"
                                        + " ALTER TYPE shrunk DROP ATTRIBUTE b;"
                                        + " CREATE TYPE price AS RANGE (subtype = numeric);"
                                        + " CREATE TABLE things (id int PRIMARY KEY, title text, made date)",
                                Duration.ofSeconds(30))))
                .isInstanceOf(ScriptOutcome.Committed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'so \"so\"'::mood",
                "ARRAY['sad', 'ha,ppy', NULL]::mood[]",
                "7::positive",
                "ARRAY[1, 2]::positive[]",
                "'{1,2}'::numbers",
                "ROW(1, 'x', '2024-01-02 03:04:05+00')::inner_part",
                "ROW(NULL, '', NULL)::inner_part",
                "ROW(1, 'a,b \"c\" \\d (e) NULL', NULL)::inner_part",
                "ARRAY[ROW(1, 'x', NULL)::inner_part, NULL, ROW(2, 'y \"z\"', NULL)::inner_part]",
                "ROW(ROW(1, 'q\"', NULL), ARRAY[ROW(2, 'a,\"b\\', '2024-01-02 03:04:05+00')::inner_part],"
                        + " 'ha,ppy', 3, '{\"a\": [\"b\"]}', '{t,NULL}')::outer_part",
                "ROW(NULL, NULL, NULL, NULL, NULL, NULL)::outer_part",
                "ROW(1, 2)::shrunk",
                "ROW(1, 'x', '2024-01-02')::things",
                "price(1, 2.50)",
                "ARRAY[price(1, 2.50)]",
                "extensions.hstore('a', '1')",
                "'\"k\\\"1\"=>NULL, b=>\"x, \\\\ y\", c=>\"=>\"'::extensions.hstore",
                "''::extensions.hstore",
                "ARRAY['a=>1', NULL]::extensions.hstore[]",
                "'A@b'::extensions.citext",
                "'a.b'::extensions.ltree"
            })
    void rendersTypesOfAProjectAndOfExtensions(String expression) throws IOException {
        looksAsToJsonMakesIt(expression);
    }

    @Test
    void rendersATypeOfTheSameScript() throws IOException {
        assertThat(new String(json("CREATE TYPE fresh AS (a int); SELECT ROW(1)::fresh AS f"), StandardCharsets.UTF_8))
                .isEqualTo("[{\"f\":{\"a\":1}}]");
        assertThat(new String(
                        json("CREATE TYPE brief AS (a int); SELECT ROW(1)::brief AS f; DROP TYPE brief"),
                        StandardCharsets.UTF_8))
                .isEqualTo("[{\"f\":\"(1)\"}]");
    }

    @Test
    void keepsColumnsOfOneNameApart() throws IOException {
        assertThat(new String(json("SELECT 1 AS a, 2 AS a"), StandardCharsets.UTF_8))
                .isEqualTo("[{\"a\":1,\"a\":2}]");
    }

    @Test
    void answersEveryStatement() throws IOException {
        var committed = (ScriptOutcome.Committed) sessions.run(
                owner.ownerLogin(),
                ScriptRun.of(
                                "CREATE TABLE listed (id int); INSERT INTO listed VALUES (1), (2);"
                                        + " SELECT id FROM listed ORDER BY id; SELECT FROM listed WHERE false;"
                                        + " DELETE FROM listed RETURNING id",
                                Duration.ofSeconds(30))
                        .keeping(ScriptRun.Results.ALL));
        RowsAsJson.Rendered all = RowsAsJson.all(committed, 8L << 20);
        assertThat(new String(all.json(), StandardCharsets.UTF_8))
                .isEqualTo("[{\"command\":\"CREATE TABLE\",\"rowCount\":null},"
                        + "{\"command\":\"INSERT\",\"rowCount\":2},"
                        + "{\"command\":\"SELECT\",\"rowCount\":2,\"rows\":[{\"id\":1},{\"id\":2}],\"cut\":false},"
                        + "{\"command\":\"SELECT\",\"rowCount\":0,\"rows\":[],\"cut\":false},"
                        + "{\"command\":\"DELETE\",\"rowCount\":2,\"rows\":[{\"id\":1},{\"id\":2}],\"cut\":false}]");
        assertThat(all.cut()).isFalse();
        assertThat(all.rows()).isEqualTo(4);
    }

    @Test
    void keepsAllStatementsTogetherWithinTheLimits() throws IOException {
        var committed = (ScriptOutcome.Committed) sessions.run(
                owner.ownerLogin(),
                ScriptRun.of(
                                "SELECT generate_series(1, 9000); SELECT generate_series(1, 9000); SELECT 1 AS one",
                                Duration.ofSeconds(30))
                        .keeping(ScriptRun.Results.ALL));
        RowsAsJson.Rendered all = RowsAsJson.all(committed, 8L << 20);
        JsonNode statements = JSON.readTree(all.json());
        assertThat(all.cut()).isTrue();
        assertThat(all.rows()).isEqualTo(10_000);
        assertThat(statements.get(0).get("cut").asBoolean()).isFalse();
        assertThat(statements.get(1).get("cut").asBoolean()).isTrue();
        assertThat(statements.get(1).get("rows")).hasSize(1000);
        assertThat(statements.get(1).get("rowCount").asInt()).isEqualTo(9000);
        assertThat(statements.get(2).get("rows")).isEmpty();
    }

    @Test
    void cutsWhatGrowsWhileItIsRendered() throws IOException {
        // Each control character is six characters of JSON.
        var committed = (ScriptOutcome.Committed) sessions.run(
                owner.ownerLogin(),
                ScriptRun.of("SELECT repeat(chr(1), 1000000) AS x FROM generate_series(1, 7)", Duration.ofSeconds(30)));
        assertThat(committed.rows().orElseThrow().rows()).hasSize(7);
        RowsAsJson.Rendered last = RowsAsJson.last(committed, 8L << 20);
        assertThat(last.json()).hasSizeLessThan((8 << 20) + 16);
        assertThat(last.rows()).isEqualTo(1);
        assertThat(last.cut()).isTrue();
        assertThat(JSON.readTree(last.json())).hasSize(1);
    }

    @Test
    void rendersRowsAndNames() throws IOException {
        assertThat(new String(
                        json("SELECT 1 AS a, 'x' AS \"Ä b\" UNION ALL SELECT 2, NULL ORDER BY 1"),
                        StandardCharsets.UTF_8))
                .isEqualTo("[{\"a\":1,\"Ä b\":\"x\"},{\"a\":2,\"Ä b\":null}]");
    }

    private static byte[] json(String sql) {
        ScriptOutcome outcome = sessions.run(owner.ownerLogin(), ScriptRun.of(sql, Duration.ofSeconds(30)));
        assertThat(outcome).isInstanceOf(ScriptOutcome.Committed.class);
        return RowsAsJson.last((ScriptOutcome.Committed) outcome, 8L << 20).json();
    }
}
