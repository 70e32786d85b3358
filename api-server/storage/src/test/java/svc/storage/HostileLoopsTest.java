package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.storage.StorageForTests.SERVICE;

import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.redis.client.Redis;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.crds.project.service.BucketSpec;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.storage.bucket.DeclaredBuckets;
import svc.storage.rows.BucketRows;
import svc.testing.TestingProjects;

/**
 * Promise: a tenant that locks what a loop of the service needs, or whose state makes its SQL fail, delays no neighbour. The
 * locks are held until the neighbour is served. Sweeps: {@link SweepScheduleTest}.
 */
@Timeout(120)
class HostileLoopsTest {
    private static final List<String> HELD = List.of("held0000", "held1111", "held2222", "held3333");
    private static final String DAMAGED = "damaged0";
    private static final String NEIGHBOUR = "neighbor";

    private static StorageForTests storage;
    private static Vertx vertx;

    private final List<Connection> open = new ArrayList<>();
    private ProjectRunner runner;

    @BeforeAll
    static void serve() {
        vertx = Vertx.vertx();
        storage = new StorageForTests();
        HELD.forEach(HostileLoopsTest::project);
        project(DAMAGED);
        project(NEIGHBOUR);
    }

    @AfterAll
    static void close() {
        storage.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @BeforeEach
    void start() {
        runner = new ProjectRunner("test", RunnerSettings.of(2, 1, Duration.ofSeconds(10)));
    }

    @AfterEach
    void stop() throws Exception {
        runner.close();
        for (Connection connection : open) {
            connection.close();
        }
    }

    private static void project(String ref) {
        Tenant tenant = storage.project(ref);
        storage.bucket(ref, "b", true);
        storage.serve(tenant.withStorage(
                tenant.storage().withBuckets(List.of(new BucketSpec("declared", true, null, List.of(), null)))));
    }

    /** Until the end of the test, as a long transaction of the tenant does. */
    private void lock(String ref, String table) throws Exception {
        Connection holder = TestingProjects.SERVER.connect(storage.projects().database());
        open.add(holder);
        holder.setAutoCommit(false);
        try (var statement = holder.createStatement()) {
            statement.execute("LOCK TABLE " + table(ref, table));
        }
    }

    private static String table(String ref, String name) {
        return storage.tenant(ref).names().storage().sql() + "." + name;
    }

    @Test
    void aNeighboursBucketsAreDeclared() throws Exception {
        var declared =
                new DeclaredBuckets(new BucketRows(storage.backgroundTransactions()), storage.directory(), runner);
        storage.projects().asOperator("ALTER TABLE " + table(DAMAGED, "buckets") + " ADD CHECK (id = 'b')");
        for (String ref : HELD) {
            lock(ref, "buckets");
            var unused = declared.changed(ref);
        }
        var refused = declared.changed(DAMAGED);

        declared.changed(NEIGHBOUR).get();

        assertThat(storage.get(NEIGHBOUR, "/bucket/declared", SERVICE).status()).isEqualTo(200);
        assertThatThrownBy(refused::get).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(() -> declared.changed(HELD.getFirst()).get())
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("lock timeout");
    }

    @Test
    void aNeighboursEventsAreFound() throws Exception {
        var schedule = new WebhookSchedule(
                storage.webhooks(),
                new Directory(),
                runner,
                // Without Redis each instance does the work.
                new RedisAPI(io.vertx.redis.client.RedisAPI.api(Redis.createClient(vertx, "redis://127.0.0.1:9"))),
                true);
        for (String ref : HELD) {
            eventOfGoneWebhook(ref);
            lock(ref, "object_events");
            runner.due(schedule, ref);
        }
        eventOfGoneWebhook(DAMAGED);
        storage.projects()
                .asOperator("ALTER TABLE " + table(DAMAGED, "object_events") + " RENAME COLUMN webhook TO renamed");
        runner.due(schedule, DAMAGED);
        eventOfGoneWebhook(NEIGHBOUR);

        runner.submit(schedule, NEIGHBOUR).get();

        assertThat(events(NEIGHBOUR)).isEqualTo("0");
        // Each run has given up: the locks are still held.
        for (String ref : HELD) {
            runner.submit(schedule, ref).get();
        }
        assertThat(events(DAMAGED)).isEqualTo("1");
    }

    private static void eventOfGoneWebhook(String ref) {
        storage.projects()
                .asOperator("INSERT INTO " + table(ref, "object_events") + " (webhook, event) VALUES ('gone', '{}')");
    }

    private static String events(String ref) {
        return storage.projects().ask("SELECT count(*) FROM " + table(ref, "object_events"));
    }

    /** Of the projects of the test, which do not change. */
    private static final class Directory implements TenantDirectory {
        @Override
        public Optional<Tenant> find(String ref) {
            return storage.directory().find(ref);
        }

        @Override
        public void onChange(Listener listener) {}
    }
}
