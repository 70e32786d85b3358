package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** Every operator lets through the rows that PostgreSQL itself finds by the same condition. */
@Timeout(120)
class FilterOperatorsTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("filters");
    private final TestingFeed process = new TestingFeed(projects, REDIS.url());

    /** A filter, and the condition that it stands for. */
    private record Case(String filter, String sql) {}

    private static final List<Case> CASES = List.of(
            new Case("i=eq.2", "i = 2"),
            new Case("i=neq.2", "i <> 2"),
            new Case("i=lt.2", "i < 2"),
            new Case("i=lte.2", "i <= 2"),
            new Case("i=gt.2", "i > 2"),
            new Case("i=gte.2", "i >= 2"),
            new Case("i=in.(1,3)", "i IN (1, 3)"),
            new Case("i=not.in.(1,3)", "i NOT IN (1, 3)"),
            new Case("i=not.eq.2", "NOT i = 2"),
            new Case("i=is.null", "i IS NULL"),
            new Case("i=not.is.null", "i IS NOT NULL"),
            new Case("i=isdistinct.2", "i IS DISTINCT FROM 2"),
            new Case("i=not.isdistinct.2", "i IS NOT DISTINCT FROM 2"),
            new Case("i=gt.1,t=eq.b", "i > 1 AND t = 'b'"),
            new Case("t=eq.b", "t = 'b'"),
            new Case("t=eq.a,b", "t = 'a,b'"),
            new Case("t=eq.\"a,b\"", "t = 'a,b'"),
            new Case("t=eq.\"say \\\"hi\\\"\"", "t = 'say \"hi\"'"),
            new Case("t=in.(b,\"a,b\")", "t IN ('b', 'a,b')"),
            new Case("t=neq.b", "t <> 'b'"),
            new Case("t=lt.b", "t < 'b'"),
            new Case("t=gte.b", "t >= 'b'"),
            new Case("t=like.%a%", "t LIKE '%a%'"),
            new Case("t=like._", "t LIKE '_'"),
            new Case("t=like.50\\%", "t LIKE '50\\%'"),
            new Case("t=not.like.%a%", "t NOT LIKE '%a%'"),
            new Case("t=ilike.%A%", "t ILIKE '%A%'"),
            new Case("t=ilike.Ü%", "t ILIKE 'Ü%'"),
            new Case("t=match.^[ab]", "t ~ '^[ab]'"),
            new Case("t=not.match.^[ab]", "NOT t ~ '^[ab]'"),
            new Case("t=imatch.^[AB]", "t ~* '^[AB]'"),
            new Case("t=isdistinct.b", "t IS DISTINCT FROM 'b'"),
            new Case("c=eq.x", "c = 'x'"),
            new Case("c=like.x%", "c LIKE 'x%'"),
            new Case("n=gt.1.5", "n > 1.5"),
            new Case("n=eq.1.50", "n = 1.50"),
            new Case("n=lt.NaN", "n < 'NaN'"),
            new Case("n=gt.1e1", "n > 1e1"),
            new Case("f=gte.0.1", "f >= 0.1::float8"),
            new Case("f=lt.Infinity", "f < 'Infinity'"),
            new Case("r=eq.0.1", "r = 0.1::float4"),
            new Case("b=eq.true", "b = true"),
            new Case("b=is.true", "b IS TRUE"),
            new Case("b=is.false", "b IS FALSE"),
            new Case("b=is.unknown", "b IS UNKNOWN"),
            new Case("b=not.is.true", "b IS NOT TRUE"),
            new Case("b=lt.yes", "b < true"),
            new Case("u=eq.A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "u = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"),
            new Case("u=eq.{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}", "u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"),
            new Case("u=gt.b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "u > 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"),
            new Case("d=lte.2026-01-02", "d <= '2026-01-02'"),
            new Case("d=gt.infinity", "d > 'infinity'"),
            new Case("ts=lt.2026-01-02 03:04:05.5", "ts < '2026-01-02 03:04:05.5'"),
            new Case("tz=gte.2026-01-02T03:04:05+02:00", "tz >= '2026-01-02T03:04:05+02:00'"),
            new Case("tz=lt.2026-01-02T03:04:05Z", "tz < '2026-01-02T03:04:05Z'"),
            new Case("tz=lt.2026-01-02", "tz < '2026-01-02'"),
            new Case("ti=gt.03:04", "ti > '03:04'"),
            new Case("m=gt.happy", "m > 'happy'"),
            new Case("m=in.(sad,ok)", "m IN ('sad', 'ok')"),
            new Case("a=eq.{1,2}", "a = '{1,2}'"),
            new Case("j=eq.{\"k\":1}", "j = '{\"k\":1}'"),
            new Case("dom=gt.5", "dom > 5"));

    @AfterEach
    void stop() {
        process.close();
    }

    @Test
    void everyOperatorDecidesAsPostgresqlDoes() {
        projects.asOwner(tenant, """
                CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy', 'glad');
                CREATE DOMAIN positive AS int4 CHECK (value > 0);
                CREATE TABLE v (id int PRIMARY KEY, i int4, t text, c char(3), n numeric, f float8, r float4, b bool, u uuid,
                    d date, ts timestamp, tz timestamptz, ti time, m mood, a int[], j jsonb, dom positive);
                GRANT SELECT ON v TO %1$s_anon""".formatted(tenant.names().schemaName()));
        TestingFeed.publish(projects, tenant, "v");
        List<Recorded> channels = new ArrayList<>();
        for (int i = 0; i < CASES.size(); i++) {
            channels.add(process.subscribe(
                    tenant,
                    Caller.anon(),
                    binding(i + 1, "INSERT", "v", CASES.get(i).filter(), null)));
        }
        for (int i = 0; i < CASES.size(); i++) {
            assertThat(channels.get(i).nextState()).as(CASES.get(i).filter()).isEqualTo("subscribed");
        }
        projects.asOwner(tenant, """
                INSERT INTO v (id) VALUES (0);
                INSERT INTO v VALUES
                (1, 1, 'a', 'x', 1.5, 0.1, 0.1, true, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '2026-01-01',
                 '2026-01-02 03:04:05', '2026-01-02T03:04:05+02:00', '03:03', 'sad', '{1,2}', '{"k": 1}', 1),
                (2, 2, 'b', 'xy', 1.51, -0.0, 0, false, 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '2026-01-02',
                 '2026-01-02 03:04:05.5', '2026-01-02T03:04:05Z', '03:04', 'ok', '{1}', '{"k": 2}', 5),
                (3, 3, 'a,b', 'y', 'NaN', 'NaN', 'NaN', NULL, 'c0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'infinity',
                 'infinity', '-infinity', '23:59:59.999', 'happy', '{}', 'null', 6),
                (4, -4, 'say "hi"', '', -20, 'Infinity', 1e10, true, NULL, '0044-01-01 BC', '2027-01-01',
                 '2025-12-31T23:59:59.999999Z', '00:00', 'glad', NULL, NULL, NULL),
                (5, 2147483647, '50%', 'x', 1e20, 1e-300, 16777216, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                 '[]', 100),
                (6, 0, 'ünder', NULL, 0, 0.1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                (7, 7, 'Üa', NULL, 0, 0.1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                (8, 8, E'lines\\nA', NULL, 0, 0.1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)""");
        for (int i = 0; i < CASES.size(); i++) {
            Case tried = CASES.get(i);
            String expected = TestingFeed.ask(
                    projects,
                    tenant,
                    "SELECT coalesce(string_agg(id::text, ',' ORDER BY id), '') FROM v WHERE " + tried.sql());
            Set<Integer> found = new TreeSet<>();
            int count = expected.isEmpty() ? 0 : expected.split(",").length;
            for (int row = 0; row < count; row++) {
                found.add(channels.get(i).next().record().get("id").asInt());
            }
            assertThat(found.stream().map(Object::toString).toList())
                    .as(tried.filter())
                    .containsExactlyElementsOf(expected.isEmpty() ? List.of() : List.of(expected.split(",")));
        }
        // What comes last has arrived everywhere, so nothing else is on its way.
        for (int i = 0; i < CASES.size(); i++) {
            assertThat(channels.get(i).hasNothing()).as(CASES.get(i).filter()).isTrue();
            assertThat(channels.get(i).states()).as(CASES.get(i).filter()).isEmpty();
        }
    }
}
