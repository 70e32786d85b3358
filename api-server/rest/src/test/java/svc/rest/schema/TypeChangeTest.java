package svc.rest.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.RestCall;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/**
 * A value is read as the type that its column has now, by every statement that was used before the change and on every
 * connection. Without notifications, on which nothing may depend.
 */
class TypeChangeTest {
    private static final String REPRESENTATION = "return=representation";

    private static TestingProjects projects;
    private static TestingDataPlane plane;
    private static Tenant tenant;

    @BeforeAll
    static void serve() {
        projects = TestingProjects.create();
        tenant = projects.project("types001");
        // So few connections that requests wait for them and go in one write.
        plane = new TestingDataPlane(projects, PoolSettings.defaults().withPerLogin(2), false);
        plane.serve(tenant);
    }

    @AfterAll
    static void close() {
        plane.close();
    }

    private static RestCall ask(String request) {
        return RestCall.ask(plane, tenant, request);
    }

    private static void asOwner(String sql) {
        projects.asOwner(tenant, sql);
    }

    /** Every shape of a statement with a filter finds the first of two rows, and only that. */
    private static void findsTheFirst(String value) {
        String v = URLEncoder.encode(value, StandardCharsets.UTF_8);
        String found = "[{\"id\":1}]";
        ask("GET /ev?select=id&at=eq." + v).answers(found);
        ask("GET /ev?select=id&at=in.(%22" + v + "%22)").answers(found);
        ask("GET /ev?select=id&at=not.neq." + v).answers(found);
        ask("GET /ev?select=id&or=(at.eq.%22" + v + "%22,id.eq.9)").answers(found);
        ask("GET /ev?select=id&at=eq." + v).prefer("count=exact").has("Content-Range", "0-0/1");
        ask("GET /ev?select=id&at=eq." + v).prefer("count=estimated").answers(found);
        ask("GET /place?select=id,ev(id)&ev.at=eq." + v).answers("[{\"id\":1,\"ev\":[{\"id\": 1}]}]");
        ask("GET /place?select=id,...ev(n:id)&ev.at=eq." + v).answers("[{\"id\":1,\"n\":[1]}]");
        ask("GET /place?select=id,ev!inner(id)&ev.at=eq." + v).answers("[{\"id\":1,\"ev\":[{\"id\": 1}]}]");
        ask("GET /rpc/all_ev?select=id&at=eq." + v).answers(found);
        ask("GET /rpc/some_ev?select=id&at=eq." + v).answers(found);
        ask("GET /ev_view?select=id&at=eq." + v).answers(found);
        ask("POST /rpc/all_ev?select=id&at=eq." + v).body("{}").answers(found);
        ask("PATCH /ev?select=id&at=eq." + v)
                .body("{\"note\":\"x\"}")
                .prefer(REPRESENTATION)
                .answers(found);
        ask("POST /")
                .body("[{\"path\":\"/ev?select=id&at=eq." + v + "\"},{\"path\":\"/ev?select=id&at=eq." + v + "\"}]")
                .status(200)
                .contains("[{\"id\":1}]")
                .hasNoText("\"id\":2");
        asOwner("CREATE TABLE kept AS TABLE ev");
        ask("DELETE /ev?select=id&at=eq." + v).prefer(REPRESENTATION).answers(found);
        asOwner("INSERT INTO ev SELECT * FROM kept WHERE id = 1; DROP TABLE kept");
    }

    private static void create(String type, String first, String second) {
        asOwner("""
                DROP TABLE IF EXISTS ev, place CASCADE;
                DROP FUNCTION IF EXISTS some_ev();
                DROP TYPE IF EXISTS mood CASCADE;
                CREATE TYPE mood AS ENUM ('m1', 'm2');
                CREATE TABLE place (id int PRIMARY KEY);
                CREATE TABLE ev (id int PRIMARY KEY, place int REFERENCES place DEFAULT 1, note text, at %1$s);
                INSERT INTO place VALUES (1);
                INSERT INTO ev (id, at) VALUES (1, '%2$s'), (2, '%3$s');
                """.formatted(type, first, second));
        dependents(type);
    }

    private static void dependents(String type) {
        asOwner("""
                CREATE VIEW ev_view AS SELECT id, at FROM ev;
                CREATE FUNCTION all_ev() RETURNS SETOF ev LANGUAGE sql STABLE AS 'SELECT * FROM ev';
                CREATE FUNCTION some_ev() RETURNS TABLE (id int, at %s) LANGUAGE sql STABLE AS 'SELECT id, at FROM ev';
                """.formatted(type));
    }

    private static void alter(String type, String using) {
        asOwner("DROP VIEW ev_view; DROP FUNCTION all_ev(), some_ev(); ALTER TABLE ev ALTER at TYPE " + type + " USING "
                + using);
        dependents(type);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "timestamp; timestamptz; at AT TIME ZONE 'UTC'; 2024-01-01 10:00; 2024-01-01 15:00; 2024-01-01T10:00:00;"
                        + " 2024-01-01T15:00:00+05:00",
                "timestamptz; timestamp; at AT TIME ZONE 'UTC'; 2024-01-01 15:00Z; 2024-01-01 10:00Z; 2024-01-01T15:00:00Z;"
                        + " 2024-01-01T15:00:00+05:00",
                "date; timestamptz; at::timestamp AT TIME ZONE 'UTC'; 2024-01-01; 2024-01-02; 2024-01-01;"
                        + " 2023-12-31T23:00:00-01:00",
                "date; timestamp; at + time '10:00'; 2024-01-01; 2024-01-02; 2024-01-01; 2024-01-01T10:00:00",
                "int; bigint; at::bigint + 3000000000; 5; 6; 5; 3000000005",
                "int; numeric; at + 0.5; 5; 6; 5; 5.5",
                "int; text; 'n' || at; 5; 6; 5; n5",
                "smallint; float8; at + 0.25; 5; 6; 5; 5.25",
                "bigint; int; at - 3000000000; 3000000005; 3000000006; 3000000005; 5",
                "float8; numeric; 12345678901234567 + at::numeric / 10; 1; 2; 1; 12345678901234567.1",
                "text; uuid; ('11111111-1111-1111-1111-11111111111' || at)::uuid; 1; 2; 1;"
                        + " 11111111-1111-1111-1111-111111111111",
                "uuid; text; 'u' || right(at::text, 1); 11111111-1111-1111-1111-111111111111;"
                        + " 11111111-1111-1111-1111-111111111112; 11111111-1111-1111-1111-111111111111; u1",
                "varchar(10); bigint; at::bigint + 3000000000; 1; 2; 1; 3000000001",
                "char(3); text; CASE at WHEN 'a' THEN 'a ' ELSE 'a' END; a; b; a; ~a ~",
                "text; mood; ('m' || at)::mood; 1; 2; 1; m1",
                "mood; text; 't' || at; m1; m2; m1; tm1",
                "jsonb; text; 'j' || at::text; 1; 2; 1; j1",
                "bool; int; CASE WHEN at THEN 7 ELSE 8 END; true; false; true; 7",
            })
    void aValueIsReadAsTheTypeThatTheColumnHasNow(
            String from, String to, String using, String first, String second, String before, String after) {
        create(from, first, second);
        findsTheFirst(before);
        findsTheFirst(before);
        alter(to, using);
        findsTheFirst(after);
        findsTheFirst(after);
    }

    @Test
    void anEnumMayBeReplaced() {
        create("mood", "m1", "m2");
        findsTheFirst("m1");
        asOwner("""
                DROP VIEW ev_view; DROP FUNCTION all_ev(), some_ev();
                ALTER TYPE mood RENAME TO mood_old; CREATE TYPE mood AS ENUM ('m1', 'm3', 'm2');
                ALTER TABLE ev ALTER at TYPE mood USING at::text::mood; DROP TYPE mood_old""");
        dependents("mood");
        findsTheFirst("m1");
        asOwner("UPDATE ev SET at = 'm3' WHERE id = 1");
        findsTheFirst("m3");
    }

    @Test
    void aColumnMayBeDroppedAndAddedAgain() {
        create("int", "5", "6");
        findsTheFirst("5");
        asOwner("""
                DROP VIEW ev_view; DROP FUNCTION all_ev(), some_ev();
                ALTER TABLE ev DROP at, ADD at timestamptz; UPDATE ev SET at = '2024-01-01T00:00Z'::timestamptz + id * interval '1 h'""");
        dependents("timestamptz");
        findsTheFirst("2024-01-01T02:00:00+01:00");
    }

    @Test
    void aFunctionMayBeReplacedByOneWithOtherArguments() {
        asOwner("CREATE FUNCTION shown(at timestamp) RETURNS text LANGUAGE sql STABLE AS $$SELECT 'local ' || at$$");
        for (int round = 0; round < 3; round++) {
            ask("GET /rpc/shown?at=2024-01-01T15:00:00%2B05:00").answers("\"local 2024-01-01 15:00:00\"");
            ask("POST /rpc/shown")
                    .body("{\"at\":\"2024-01-01T15:00:00+05:00\"}")
                    .answers("\"local 2024-01-01 15:00:00\"");
        }
        asOwner("""
                DROP FUNCTION shown(timestamp);
                CREATE FUNCTION shown(at timestamptz) RETURNS text LANGUAGE sql STABLE AS
                    $$SELECT 'zoned ' || (at AT TIME ZONE 'UTC')$$""");
        ask("GET /rpc/shown?at=2024-01-01T15:00:00%2B05:00").answers("\"zoned 2024-01-01 10:00:00\"");
        ask("POST /rpc/shown").body("{\"at\":\"2024-01-01T15:00:00+05:00\"}").answers("\"zoned 2024-01-01 10:00:00\"");
    }

    /** The value is 15:00 as a timestamp, which is row 2, and 10:00 as a timestamptz, which is row 1. */
    @Test
    void requestsDuringTheChangeAreRightForTheTypeBeforeOrAfter() throws Exception {
        asOwner("DROP TABLE IF EXISTS moment; CREATE TABLE moment (id int PRIMARY KEY, at timestamp, n int DEFAULT 0);"
                + " INSERT INTO moment VALUES (1, '2024-01-01 10:00'), (2, '2024-01-01 15:00')");
        String filter = "/moment?select=id&at=eq.2024-01-01T15:00:00%2B05:00";
        var over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<String>>> asking = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                boolean writes = i % 2 == 0;
                asking.add(threads.submit(() -> {
                    List<String> wrong = new ArrayList<>();
                    while (!over.get()) {
                        HttpResponse<String> answer = writes
                                ? plane.request(tenant, "PATCH", filter, Map.of("Prefer", REPRESENTATION), "{\"n\":1}")
                                : plane.request(tenant, "GET", filter, Map.of(), null);
                        if (!answer.body().equals("[{\"id\":1}]")
                                && !answer.body().equals("[{\"id\":2}]")) {
                            wrong.add(answer.statusCode() + " " + answer.body());
                        }
                    }
                    return wrong;
                }));
            }
            try {
                for (int round = 0; round < 8; round++) {
                    boolean zoned = round % 2 == 0;
                    asOwner("ALTER TABLE moment ALTER at TYPE " + (zoned ? "timestamptz" : "timestamp")
                            + " USING at AT TIME ZONE 'UTC'");
                    for (int i = 0; i < 12; i++) {
                        ask("GET " + filter).answers(zoned ? "[{\"id\":1}]" : "[{\"id\":2}]");
                    }
                }
            } finally {
                over.set(true);
            }
            for (Future<List<String>> one : asking) {
                assertThat(one.get()).isEmpty();
            }
        }
    }
}
