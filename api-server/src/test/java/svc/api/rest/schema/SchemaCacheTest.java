package svc.api.rest.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.api.db.CatalogDatabase;
import svc.api.db.PoolSettings;
import svc.api.rest.Wire;
import svc.api.tenancy.Tenant;
import svc.api.testing.TestingDataPlane;
import svc.api.testing.TestingProjects;
import svc.database.key.Purpose;

/** A request sees the DDL that was answered before it; other projects notice nothing; many schemas take little memory. */
class SchemaCacheTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static TestingProjects projects;
    private static Tenant tenant;
    private static Tenant neighbour;

    private TestingDataPlane plane;

    @BeforeAll
    static void layOut() {
        projects = TestingProjects.create();
        tenant = projects.project("schema12");
        neighbour = projects.project("schema34");
    }

    private void serve(boolean listening) {
        plane = new TestingDataPlane(projects, PoolSettings.defaults(), listening);
        plane.serve(tenant);
        plane.serve(neighbour);
    }

    @AfterEach
    void close() {
        plane.close();
    }

    private Wire ask(String request) {
        return Wire.ask(plane, tenant, request);
    }

    /** With notifications, and with none at all: what is promised must not rest on a hint. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatChangedIsSeenByTheNextRequest(boolean listening) {
        serve(listening);
        for (int round = 0; round < 5; round++) {
            ask("GET /fresh").fails(404, "PGRST205");
            projects.asOwner(tenant, "CREATE TABLE fresh (id int PRIMARY KEY, a int)");
            ask("GET /fresh").status(200);
            ask("POST /fresh").body("{\"id\":1,\"b\":\"x\"}").fails(400, "PGRST204");
            projects.asOwner(tenant, "ALTER TABLE fresh ADD b text");
            ask("POST /fresh").body("{\"id\":1,\"b\":\"x\"}").status(201);
            ask("GET /fresh").answers("[{\"id\":1,\"a\":null,\"b\":\"x\"}]");
            projects.asOwner(tenant, "ALTER TABLE fresh ALTER a TYPE text");
            ask("POST /fresh").body("{\"id\":2,\"a\":\"007\"}").status(201);
            ask("GET /fresh?id=eq.2&select=a").answers("[{\"a\":\"007\"}]");
            projects.asOwner(tenant, "ALTER TABLE fresh RENAME b TO c");
            ask("GET /fresh?id=eq.1&select=c").answers("[{\"c\":\"x\"}]");
            ask("GET /fresh?b=eq.1").fails(400, "42703");
            ask("PATCH /fresh?id=eq.1").body("{\"b\":\"y\"}").fails(400, "PGRST204");
            ask("PATCH /fresh?id=eq.1").body("{\"c\":\"y\"}").status(204);
            projects.asOwner(
                    tenant,
                    "UPDATE fresh SET c = COALESCE(c, 'z'); ALTER TABLE fresh DROP CONSTRAINT fresh_pkey, ADD PRIMARY KEY (c)");
            ask("POST /fresh")
                    .prefer("resolution=merge-duplicates")
                    .body("{\"id\":9,\"c\":\"y\"}")
                    .status(200);
            projects.asOwner(tenant, "ALTER TABLE fresh ALTER a TYPE jsonb USING '{\"k\":1}'");
            ask("GET /fresh?c=eq.y&select=a->k").answers("[{\"k\":1}]");
            projects.asOwner(tenant, "DROP TABLE fresh");
            ask("GET /fresh").fails(404, "PGRST205");
            ask("DELETE /fresh").fails(404, "PGRST205");
        }
    }

    @Test
    void aNeighbourKeepsItsSchema() throws Exception {
        serve(true);
        projects.asOwner(neighbour, "CREATE TABLE IF NOT EXISTS same (x int)");
        Wire.ask(plane, neighbour, "GET /same").status(200);
        ask("GET /same").fails(404, "PGRST205");
        awaitListener();
        ProjectSchema before = plane.schemas().get(neighbour);
        projects.asOwner(tenant, "CREATE TABLE other (x int)");
        Thread.sleep(200);
        assertThat(plane.schemas().get(neighbour)).isSameAs(before);
        ask("GET /other").status(200);
        projects.asOwner(tenant, "DROP TABLE other");
    }

    @Test
    void aNotificationArrivesWithoutARequest() throws Exception {
        serve(true);
        ask("GET /").status(200);
        plane.schemas().get(tenant);
        awaitListener();
        plane.schemas().get(tenant);
        projects.asOwner(tenant, "CREATE TABLE heard (x int); DROP TABLE heard");
        awaitForgotten("heard of");
    }

    @Test
    void aLostListenerForgetsEverythingAndComesBack() throws Exception {
        serve(true);
        plane.schemas().get(tenant);
        awaitListener();
        plane.schemas().get(tenant);
        projects.ask("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                + " WHERE usename = 'svc_catalog' AND query LIKE 'LISTEN%' AND datname = current_database()");
        awaitForgotten("what could not be heard of");
        awaitListener();
        plane.schemas().get(tenant);
        projects.asOwner(tenant, "CREATE TABLE heard (x int); DROP TABLE heard");
        awaitForgotten("it listens again");
    }

    private void awaitForgotten(String why) {
        await(why).atMost(LIMIT).until(() -> plane.schemas().size() == 0);
    }

    /** Until the server has it, and what was loaded before is forgotten, which is the first that it does. */
    private static void awaitListener() throws InterruptedException {
        await("a listener")
                .atMost(LIMIT)
                .until(() -> projects.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'svc_catalog'"
                                + " AND query LIKE 'LISTEN%' AND datname = current_database()")
                        .equals("1"));
        // Nothing tells from outside that it has forgotten: there may have been nothing to forget.
        Thread.sleep(500);
    }

    @Test
    void manyCallersLoadOnce() throws Exception {
        serve(false);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ProjectSchema>> loaded = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                loaded.add(callers.submit(() -> plane.schemas().get(tenant)));
            }
            ProjectSchema first = loaded.getFirst().get();
            for (Future<ProjectSchema> each : loaded) {
                assertThat(each.get()).isSameAs(first);
            }
        }
    }

    @Test
    void aThousandProjectsTakeLittleMemory() {
        serve(false);
        var tables = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            tables.append("CREATE TABLE many")
                    .append(i)
                    .append(
                            " (id bigint PRIMARY KEY, name text, made timestamptz, done bool, size numeric, owner uuid, extra jsonb, tags text[]);");
        }
        for (int i = 1; i < 10; i++) {
            tables.append("ALTER TABLE many" + i + " ADD many_id bigint REFERENCES many" + (i - 1) + ";");
        }
        tables.append("CREATE VIEW shown AS SELECT * FROM many9;"
                + "CREATE FUNCTION total(many1) RETURNS numeric LANGUAGE sql AS 'SELECT 1.0';"
                + "CREATE FUNCTION find(word text, most int DEFAULT 10) RETURNS SETOF many0 LANGUAGE sql AS 'SELECT * FROM many0';"
                + "CREATE TYPE mood AS ENUM ('sad', 'happy'); ALTER TABLE many0 ADD feeling mood;"
                + "COMMENT ON TABLE many0 IS 'The first of many tables';");
        Tenant typical = projects.project("schema56");
        projects.asOwner(typical, tables.toString());
        try (var catalog =
                new CatalogDatabase(() -> projects.platformPassword(Purpose.LOGIN_CATALOG), PoolSettings.defaults())) {
            var reader = new SchemaReader(catalog);
            reader.read(SchemaScope.of(typical));
            ProjectSchema one = reader.read(SchemaScope.of(typical));
            assertThat(one.tables()).hasSize(11);
            int estimated = one.estimatedBytes();
            // Whatever else this process takes or drops meanwhile, a megabyte perhaps, is counted too: so there are
            // many.
            long each = bytesEach(reader, typical, 2000);
            System.out.printf(
                    "schema of 10 tables, 1 view, 2 functions, 100 columns: %d bytes of heap, estimated %d%n",
                    each, estimated);
            assertThat(each).isLessThan(16_000);
            assertThat((double) estimated / each).isBetween(0.75, 1.35);
        }
    }

    private static long bytesEach(SchemaReader reader, Tenant tenant, int count) {
        List<ProjectSchema> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            held.add(reader.read(SchemaScope.of(tenant)));
        }
        long with = usedHeap();
        held.clear();
        return (with - usedHeap()) / count;
    }

    /** The serial collector leaves some of the dead lie where they are, but for every fourth time. */
    private static long usedHeap() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
