package svc.api.management.query.result;

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
import svc.api.db.owner.OwnerSessions;
import svc.api.db.owner.RunLimits;
import svc.api.db.owner.ScriptOutcome;
import svc.api.db.owner.ScriptRun;
import svc.api.db.owner.TestingOwner;

/** Our rendering of a value and PostgreSQL's own, side by side from the same server. */
class RowsAsJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static TestingOwner owner;
    private static OwnerSessions sessions;

    @BeforeAll
    static void start() {
        owner = TestingOwner.create();
        sessions = new OwnerSessions(RunLimits.defaults(), TestingOwner.platformLogin());
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
                "ARRAY[int4range(1, 5)]"
            })
    void looksAsToJsonMakesIt(String expression) throws IOException {
        JsonNode row = JSON.readTree(json("SELECT " + expression + " AS ours, to_json(" + expression + ") AS theirs"))
                .get(0);
        assertThat(row.get("ours")).isEqualTo(row.get("theirs"));
    }

    @Test
    void rendersRowsAndNames() throws IOException {
        assertThat(new String(
                        json("SELECT 1 AS a, 'x' AS \"Ä b\" UNION ALL SELECT 2, NULL ORDER BY 1"),
                        StandardCharsets.UTF_8))
                .isEqualTo("[{\"a\":1,\"Ä b\":\"x\"},{\"a\":2,\"Ä b\":null}]");
    }

    @Test
    void rendersADomainAsItsBaseType() throws IOException {
        assertThat(new String(
                        json("CREATE DOMAIN positive AS int CHECK (VALUE > 0); SELECT 5::positive AS n"),
                        StandardCharsets.UTF_8))
                .isEqualTo("[{\"n\":5}]");
    }

    private static byte[] json(String sql) {
        ScriptOutcome outcome = sessions.run(owner.ownerLogin(), ScriptRun.of(sql, Duration.ofSeconds(30)));
        assertThat(outcome).isInstanceOf(ScriptOutcome.Committed.class);
        return RowsAsJson.last((ScriptOutcome.Committed) outcome, 8L << 20).json();
    }
}
