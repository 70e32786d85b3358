package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** Old rows, long values, changed tables: what a change carries in each case. */
@Timeout(120)
class RowFormsTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("forms");
    private final TestingFeed process = new TestingFeed(projects, REDIS.url());

    @AfterEach
    void stop() {
        process.close();
    }

    private Recorded channelOn(String table, String columns) {
        projects.asOwner(
                tenant,
                "CREATE TABLE " + table + " (" + columns + "); GRANT SELECT ON " + table + " TO "
                        + tenant.names().schemaName() + "_anon");
        TestingFeed.publish(projects, tenant, table);
        return process.subscribed(tenant, Caller.anon(), binding(1, "*", table));
    }

    @Test
    void theReplicaIdentityDecidesWhatAnOldRowHas() {
        Recorded channel = channelOn("t", "id int PRIMARY KEY, code text NOT NULL, v int");
        projects.asOwner(tenant, "INSERT INTO t VALUES (1, 'a', 5); UPDATE t SET id = 2");
        channel.next();
        assertThat(channel.next().old().toString()).isEqualTo("{\"id\":1}");
        projects.asOwner(tenant, "ALTER TABLE t REPLICA IDENTITY FULL; UPDATE t SET v = 6");
        Recorded.Event update = channel.next();
        assertThat(update.old().toString()).isEqualTo("{\"id\":2,\"code\":\"a\",\"v\":5}");
        assertThat(update.record().get("v").asInt()).isEqualTo(6);
        projects.asOwner(
                tenant,
                "CREATE UNIQUE INDEX by_code ON t (code); ALTER TABLE t REPLICA IDENTITY USING INDEX by_code;"
                        + " DELETE FROM t");
        assertThat(channel.next().old().toString()).isEqualTo("{\"code\":\"a\"}");
    }

    @Test
    void aFilterOnADeletedRowNeedsTheWholeOldRow() {
        Recorded keyed = channelOn("t", "id int PRIMARY KEY, v int");
        Recorded filtered = process.subscribed(tenant, Caller.anon(), binding(2, "DELETE", "t", "v=eq.5", null));
        projects.asOwner(
                tenant,
                "INSERT INTO t VALUES (1, 5); DELETE FROM t; ALTER TABLE t REPLICA IDENTITY FULL;"
                        + " INSERT INTO t VALUES (2, 5); DELETE FROM t");
        for (int i = 0; i < 4; i++) {
            keyed.next();
        }
        assertThat(filtered.next().old().toString()).isEqualTo("{\"id\":2,\"v\":5}");
        assertThat(filtered.hasNothing()).isTrue();
    }

    @Test
    void aLongValueThatAnUpdateLeavesAloneIsThereAllTheSame() {
        Recorded channel = channelOn("t", "id int PRIMARY KEY, v int, long text");
        projects.asOwner(
                tenant,
                "ALTER TABLE t ALTER long SET STORAGE EXTERNAL;"
                        + " INSERT INTO t VALUES (1, 1, repeat('x', 20000)); UPDATE t SET v = 2");
        channel.next();
        assertThat(channel.next().record().get("long").asText()).hasSize(20000);
        projects.asOwner(tenant, "ALTER TABLE t REPLICA IDENTITY FULL; UPDATE t SET v = 3");
        Recorded.Event full = channel.next();
        assertThat(full.record().get("long").asText()).hasSize(20000);
        assertThat(full.old().get("long").asText()).hasSize(20000);
    }

    @Test
    void aChangeOfMoreThanAMegabyteKeepsItsShortValues() {
        Recorded channel = channelOn("t", "id int PRIMARY KEY, short text, long text");
        projects.asOwner(tenant, "INSERT INTO t VALUES (1, 'kept', repeat('x', 2000000)), (2, 'next', 'x')");
        Recorded.Event large = channel.next();
        assertThat(large.data().get("errors").toString()).isEqualTo("[\"Error 413: Payload Too Large\"]");
        assertThat(large.record().toString()).isEqualTo("{\"id\":1,\"short\":\"kept\"}");
        assertThat(channel.next(1, "id")).containsExactly("2");
        projects.asOwner(tenant, "INSERT INTO t VALUES (3, 'kept', repeat('x', 40000000)), (4, 'next', 'x')");
        assertThat(channel.next().record().toString()).isEqualTo("{\"id\":3,\"short\":\"kept\"}");
        assertThat(channel.next(1, "id")).containsExactly("4");
    }

    @Test
    void aTableWithoutAPrimaryKeySaysSo() {
        Recorded channel = channelOn("t", "v int");
        projects.asOwner(tenant, "INSERT INTO t VALUES (1)");
        assertThat(channel.next().data().get("errors").toString())
                .isEqualTo("[\"Error 400: Bad Request, no primary key\"]");
    }

    @Test
    void aTableMayChangeWhileItIsSubscribedTo() {
        Recorded channel = channelOn("t", "id int PRIMARY KEY, v int");
        projects.asOwner(
                tenant,
                "INSERT INTO t VALUES (1, 1); ALTER TABLE t ADD COLUMN w text DEFAULT 'd';"
                        + " INSERT INTO t VALUES (2, 2); ALTER TABLE t DROP COLUMN v; INSERT INTO t VALUES (3, 'e');"
                        + " ALTER TABLE t ALTER id TYPE bigint");
        channel.next();
        channel.next();
        assertThat(channel.next().record().toString()).isEqualTo("{\"id\":3,\"w\":\"e\"}");
        projects.asOwner(tenant, "INSERT INTO t VALUES (5000000000)");
        Recorded.Event last = channel.next();
        assertThat(last.record().toString()).isEqualTo("{\"id\":5000000000,\"w\":\"d\"}");
        assertThat(last.data().get("columns").get(0).get("type").asText()).isEqualTo("int8");
    }

    @Test
    void valuesAreWrittenAsTheRestApiWritesThem() {
        Recorded channel = channelOn(
                "t",
                "id int PRIMARY KEY, a text[], b int[], c timestamptz[], d bytea, e interval, f date, g timestamp,"
                        + " h numeric, i float4, j json, k uuid, l time, m inet, n int4range, o boolean[], p jsonb[]");
        projects.asOwner(tenant, """
                INSERT INTO t VALUES
                (1, ARRAY['a', NULL, 'null', '"q"', '{', ',', '\\', '', 'ü'], '{{1,2},{3,NULL}}', '{2026-01-02T03:04:05.25Z}',
                 '\\x00ff', '1 day 02:00:00', '2026-01-02', '2026-01-02T03:04:05', -0.50, 1e20, '{"a" : [1, "x"]}',
                 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '03:04', '10.0.0.1/8', '[1,5)', '{t,f}', ARRAY['{"a":1}', '"s"']::jsonb[]),
                (2, '[0:1]={x,y}', '{}', '{infinity}', NULL, '-1 mon', 'infinity', '0044-03-15 BC', 'NaN', 'Infinity', 'null',
                 NULL, NULL, NULL, 'empty', NULL, NULL)""");
        for (int id = 1; id <= 2; id++) {
            String asRest = TestingFeed.ask(projects, tenant, "SELECT to_json(t)::text FROM t WHERE id = " + id);
            assertThat(sorted(channel.next().record().toString())).isEqualTo(sorted(asRest));
        }
    }

    private static String sorted(String json) {
        try {
            var mapper = new com.fasterxml.jackson.databind.ObjectMapper()
                    .enable(com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
            return new java.util.TreeMap<>(mapper.readValue(json, java.util.Map.class)).toString();
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException(json, e);
        }
    }

    @Test
    void selectedColumnsComeWithTheKey() {
        channelOn("t", "id int PRIMARY KEY, v int, w int");
        Recorded some = process.subscribed(tenant, Caller.anon(), binding(3, "*", "t", "v=gt.0", List.of("w")));
        projects.asOwner(tenant, "INSERT INTO t VALUES (1, 1, 2)");
        assertThat(some.next().record().toString()).isEqualTo("{\"id\":1,\"w\":2}");
    }

    @Test
    void generatedColumnsAreThereAsTheRestApiHasThem() {
        Recorded channel = channelOn(
                "g",
                "id int PRIMARY KEY, price numeric, qty int, total numeric GENERATED ALWAYS AS (price * qty) STORED,"
                        + " twice int GENERATED ALWAYS AS (qty * 2) VIRTUAL");
        Recorded filtered = process.subscribed(tenant, Caller.anon(), binding(2, "*", "g", "total=gt.10", null));
        projects.asOwner(tenant, "INSERT INTO g (id, price, qty) VALUES (1, 2.5, 3)");
        assertThat(channel.next().record().toString())
                .isEqualTo("{\"id\":1,\"price\":2.5,\"qty\":3,\"total\":7.5,\"twice\":6}");
        projects.asOwner(tenant, "UPDATE g SET qty = 5");
        assertThat(channel.next().record().toString())
                .isEqualTo("{\"id\":1,\"price\":2.5,\"qty\":5,\"total\":12.5,\"twice\":10}");
        assertThat(filtered.next().record().get("total").toString()).isEqualTo("12.5");
        assertThat(filtered.hasNothing()).isTrue();
    }

    @Test
    void whatTheLogHasNotPassesNoFilter() {
        Recorded keyed = channelOn("t", "id int PRIMARY KEY, v int");
        Recorded filtered = process.subscribed(tenant, Caller.anon(), binding(2, "DELETE", "t", "v=is.null", null));
        projects.asOwner(tenant, "INSERT INTO t VALUES (1, 5); DELETE FROM t; INSERT INTO t VALUES (2, 5)");
        keyed.next();
        keyed.next();
        keyed.next();
        assertThat(filtered.hasNothing()).isTrue();
    }
}
