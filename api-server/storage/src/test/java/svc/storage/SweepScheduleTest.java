package svc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static svc.storage.StorageForTests.SERVICE;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.redis.client.Redis;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.crds.project.ProjectAnnotations;
import svc.crds.project.ProjectSpec;
import svc.crds.project.ProjectStatus;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.storage.FaultyS3.Fault;
import svc.storage.content.ContentKey;
import svc.testing.TestingProjects;

/** Instances share the sweeping, and what a deleted project had is deleted. */
class SweepScheduleTest {
    private static final Duration LONG = Duration.ofHours(6);
    private static final Duration GRACE = Duration.ofHours(1);

    private static StorageForTests storage;
    private static EmbeddedRedis redis;
    private static Vertx vertx;

    private final ProjectRunner runner = new ProjectRunner("test", RunnerSettings.of(2, 2, Duration.ofSeconds(1)));

    @BeforeAll
    static void start() {
        storage = StorageForTests.withNetwork(Duration.ofSeconds(30));
        redis = EmbeddedRedis.forTests();
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stopSchedules() {
        storage.network().mend();
        runner.close();
    }

    @AfterAll
    static void stop() {
        storage.close();
        redis.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private SweepSchedule instance(Duration interval, String redisUrl, Duration ahead) {
        return new SweepSchedule(
                storage.store(),
                storage.sweeps(GRACE, Clock.offset(Clock.systemUTC(), ahead)),
                new TenantDirectory() {
                    @Override
                    public Optional<Tenant> find(String ref) {
                        return Optional.ofNullable(storage.tenant(ref));
                    }

                    @Override
                    public void onChange(Listener listener) {}
                },
                runner,
                new RedisAPI(io.vertx.redis.client.RedisAPI.api(Redis.createClient(vertx, redisUrl))),
                new StorageConfig.Sweep() {
                    @Override
                    public Duration interval() {
                        return interval;
                    }

                    @Override
                    public Duration grace() {
                        return GRACE;
                    }
                },
                true,
                Clock.offset(Clock.systemUTC(), ahead));
    }

    /** A project with a file, and bytes that no row names. */
    private static Project project(String ref, String deletionPolicy) {
        Tenant tenant = storage.project(ref);
        storage.bucket(ref, "b", true);
        storage.upload(ref, "b/f", SERVICE, "x");
        storage.store().put(ContentKey.fresh(tenant.projectId()), new byte[] {1}, 1);
        var project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace("svc")
                .withName(ref)
                .withDeletionTimestamp(Instant.now().plusSeconds(5).toString())
                .build());
        project.setSpec(Serialization.unmarshal(
                "{\"name\": \"x\", \"organization\": \"o\", \"ref\": \"" + ref + "\", \"deletionPolicy\": \""
                        + deletionPolicy + "\"}",
                ProjectSpec.class));
        project.setStatus(Serialization.unmarshal(
                "{\"projectId\": \"" + tenant.projectId()
                        + "\", \"incarnation\": \"x\", \"conditions\": [{\"type\": \"Claimed\", \"status\": \"True\"}]}",
                ProjectStatus.class));
        return project;
    }

    @Test
    void oneOfTwoInstancesSweeps() {
        Project project = project("shared00", "Delete");
        SweepSchedule first = instance(LONG, redis.url(), LONG);
        SweepSchedule second = instance(LONG, redis.url(), LONG);
        first.seen(project);
        second.seen(project);
        int before = storage.store().listings();
        first.sweepAll().join();
        second.sweepAll().join();
        first.sweepAll().join();
        assertThat(storage.store().listings()).isEqualTo(before + 1);
        assertThat(storage.contents("shared00"))
                .isEqualTo(storage.named("shared00"))
                .hasSize(1);
    }

    @Test
    void projectsThatLockTheirTablesOrWhoseStateMakesTheSweepFailDelayNoNeighbour() throws Exception {
        SweepSchedule schedule = instance(LONG, redis.url(), LONG);
        schedule.seen(project("damaged0", "Delete"));
        storage.projects().asOperator("ALTER TABLE " + objects("damaged0") + " RENAME COLUMN version TO renamed");
        Project neighbour = project("neighbor", "Delete");
        try (Connection holder =
                TestingProjects.SERVER.connect(storage.projects().database())) {
            holder.setAutoCommit(false);
            for (String ref : List.of("held0000", "held1111", "held2222", "held3333", "held4444", "held5555")) {
                schedule.seen(project(ref, "Delete"));
                holder.createStatement().execute("LOCK TABLE " + objects(ref));
            }
            schedule.seen(neighbour);
            CompletableFuture<Void> all = schedule.sweepAll();
            await().untilAsserted(() -> assertThat(storage.contents("neighbor"))
                    .isEqualTo(storage.named("neighbor"))
                    .hasSize(1));
            assertThatThrownBy(all::join).isInstanceOf(CompletionException.class);
            assertThatThrownBy(() -> runner.submit(schedule, id("held5555")).get())
                    .hasMessageContaining("lock timeout");
            assertThatThrownBy(() -> runner.submit(schedule, id("damaged0")).get())
                    .hasMessageContaining("version");
        }
    }

    private static String id(String ref) {
        return storage.tenant(ref).projectId().toString();
    }

    private static String objects(String ref) {
        return storage.tenant(ref).names().storage().sql() + ".objects";
    }

    @Test
    void withoutRedisEachInstanceSweeps() {
        Project project = project("alone000", "Delete");
        int before = storage.store().listings();
        for (int i = 0; i < 2; i++) {
            SweepSchedule alone = instance(LONG, "redis://127.0.0.1:9", LONG);
            alone.seen(project);
            alone.sweepAll().join();
        }
        assertThat(storage.store().listings()).isEqualTo(before + 2);
        assertThat(storage.contents("alone000"))
                .isEqualTo(storage.named("alone000"))
                .hasSize(1);
    }

    @Test
    void theTimerSweepsAgainAndAgain() {
        Project project = project("timer000", "Delete");
        for (int i = 0; i < 2; i++) {
            SweepSchedule schedule = instance(Duration.ofMillis(200), redis.url(), LONG);
            schedule.seen(project);
            schedule.start(new StartupEvent());
        }
        for (int i = 0; i < 2; i++) {
            await().untilAsserted(() -> assertThat(storage.contents("timer000"))
                    .isEqualTo(storage.named("timer000"))
                    .hasSize(1));
            storage.store().put(ContentKey.fresh(storage.tenant("timer000").projectId()), new byte[] {1}, 1);
        }
    }

    @Test
    void aFileThatCameInPartsIsSweptADayLater() {
        Project project = project("parts000", "Delete");
        var key = ContentKey.fresh(storage.tenant("parts000").projectId());
        var parts = storage.store().begin(key);
        parts.add(new byte[] {1}, 1);
        parts.complete();
        // S3 dates it by the beginning of the upload, which may have been long before its end.
        SweepSchedule soon = instance(LONG, "redis://127.0.0.1:9", LONG);
        soon.seen(project);
        soon.sweepAll().join();
        assertThat(storage.contents("parts000"))
                .hasSize(2)
                .contains(key.version().toString());
        SweepSchedule later = instance(LONG, "redis://127.0.0.1:9", Duration.ofHours(26));
        later.seen(project);
        later.sweepAll().join();
        assertThat(storage.contents("parts000")).isEqualTo(storage.named("parts000"));
    }

    @Test
    void theFilesOfADeletedProjectAreDeletedAndThoseOfARetainedOneStay() {
        Project deleted = project("deleted0", "Delete");
        Project retained = project("retained", "Retain");
        Project forced = project("forced00", "Delete");
        forced.getMetadata().setAnnotations(Map.of(ProjectAnnotations.FORCE_DELETE, "true"));
        SweepSchedule schedule = instance(LONG, redis.url(), LONG);
        for (Project project : List.of(retained, forced, deleted)) {
            schedule.seen(project);
            schedule.gone(project);
        }
        await().untilAsserted(() -> assertThat(storage.contents("deleted0")).isEmpty());
        schedule.sweepAll().join();
        assertThat(storage.contents("retained")).hasSize(2);
        assertThat(storage.contents("forced00")).hasSize(2);
    }

    @Test
    void aStoreThatFailsIsAskedAgain() {
        Project project = project("later000", "Delete");
        SweepSchedule schedule = instance(LONG, redis.url(), Duration.ZERO);
        schedule.seen(project);
        storage.network().fail(1_000, call -> true, new Fault.Refusal(403, "AccessDenied"));
        schedule.gone(project);
        await().until(() -> storage.network().faults() > 0);
        storage.network().mend();
        assertThat(storage.contents("later000")).hasSize(2);
        schedule.removeDeleted();
        assertThat(storage.contents("later000")).isEmpty();
    }

    @Test
    void whatAProjectOfTheSameIdHasStoredSinceStays() {
        Project project = project("again000", "Delete");
        project.getMetadata()
                .setDeletionTimestamp(Instant.now().minusSeconds(60).toString());
        SweepSchedule schedule = instance(LONG, redis.url(), LONG);
        schedule.gone(project);
        schedule.seen(project);
        schedule.removeDeleted();
        assertThat(storage.contents("again000")).hasSize(2);
    }

    @Test
    void aProjectWithoutTheClaimTakesNothingAlong() {
        Project project = project("claimed0", "Delete");
        Project other = Serialization.clone(project);
        other.setStatus(Serialization.unmarshal(
                Serialization.asJson(project.getStatus()).replace("\"True\"", "\"False\""), ProjectStatus.class));
        SweepSchedule schedule = instance(LONG, redis.url(), LONG);
        schedule.seen(project);
        schedule.gone(other);
        schedule.removeDeleted();
        assertThat(storage.contents("claimed0")).hasSize(2);
    }
}
