package svc.rest.schema;

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
import svc.catalog.ProjectSchema;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.RestCall;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/** A request sees all DDL that was answered before it; the schemas of other projects stay cached. */
class SchemaCacheTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

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

    private RestCall ask(String request) {
        return RestCall.ask(plane, tenant, request);
    }

    /** With and without notifications: the guarantee must not depend on them. */
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
        RestCall.ask(plane, neighbour, "GET /same").status(200);
        ask("GET /same").fails(404, "PGRST205");
        awaitListener();
        // A listener that has just connected drops everything once; on a busy machine that may come late.
        await("an untouched schema").atMost(LIMIT).untilAsserted(() -> {
            projects.asOwner(tenant, "DROP TABLE IF EXISTS other");
            ProjectSchema before = plane.schemas().get(neighbour);
            projects.asOwner(tenant, "CREATE TABLE other (x int)");
            Thread.sleep(200);
            assertThat(plane.schemas().get(neighbour)).isSameAs(before);
        });
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

    /** Until the listener is connected and has dropped the schemas that were loaded before. */
    private static void awaitListener() throws InterruptedException {
        await("a listener")
                .atMost(LIMIT)
                .until(() -> projects.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'svc_catalog'"
                                + " AND query LIKE 'LISTEN%' AND datname = current_database()")
                        .equals("1"));
        // Not observable from outside: there may have been no cached schema to drop.
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
}
