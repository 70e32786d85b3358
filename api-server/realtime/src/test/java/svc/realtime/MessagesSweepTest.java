package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.project.ProjectStatus;
import svc.database.key.Purpose;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.database.shared.RealtimePublication;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

/** Old messages go, also of projects whose messages another process has read. */
class MessagesSweepTest {
    private RealtimeForTests realtime;
    private CatalogDatabase catalog;

    @BeforeEach
    void start() {
        realtime = new RealtimeForTests();
        catalog = new CatalogDatabase(
                () -> realtime.database().platformPassword(Purpose.LOGIN_CATALOG),
                PoolSettings.defaults().withCap(2));
    }

    @AfterEach
    void stop() {
        catalog.close();
        realtime.close();
    }

    private Tenant withMessages(String ref, int count) {
        Tenant tenant = realtime.project(ref);
        // The first use, at which the table is published.
        realtime.first.connect(ref, "2.0.0");
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            publish();
            return realtime.database()
                    .ask("SELECT count(*) FROM pg_publication_rel WHERE prrelid = '" + table(tenant) + "'::regclass")
                    .equals("1");
        });
        realtime.database()
                .asOperator(
                        "INSERT INTO " + table(tenant) + " (id, topic, extension, event, payload, private, inserted_at)"
                                + " SELECT gen_random_uuid(), 't', 'broadcast', 'e', '{}', true, timezone('utc', now()) - i * interval '1 hour'"
                                + " FROM generate_series(1, " + count + ") i");
        return tenant;
    }

    private void publish() throws SQLException {
        try (var superuser = TestingProjects.SERVER.connect(realtime.database().database())) {
            RealtimePublication.apply(superuser);
        }
    }

    private static String table(Tenant tenant) {
        return tenant.names().realtime().sql() + ".messages";
    }

    @Test
    void projectsWithMessagesAreFoundSomeAtATimeAndOnceADay() {
        Set<UUID> expected = new HashSet<>();
        for (String ref : Set.of("aaaa2345", "bbbb2345", "cccc2345")) {
            expected.add(withMessages(ref, 1).projectId());
        }
        Tenant empty = realtime.project("dddd2345");
        var stored = new StoredMessages(catalog, () -> Set.of(empty.database()), 2);
        Set<UUID> found = new HashSet<>(stored.next());
        assertThat(found).hasSize(2);
        found.addAll(stored.next());
        assertThat(found).isEqualTo(expected);
        assertThat(stored.next()).isEmpty();
    }

    /** The locks are held until the neighbour's messages are gone. */
    @Test
    void aProjectThatLocksItsMessagesOrCannotDeleteThemDelaysNoNeighbour() throws Exception {
        List<Tenant> held = List.of(withMessages("gggg2345", 100), withMessages("hhhh2345", 100));
        Tenant damaged = withMessages("jjjj2345", 100);
        realtime.database().asOperator("ALTER TABLE " + table(damaged) + " RENAME COLUMN inserted_at TO renamed");
        Tenant neighbour = withMessages("kkkk2345", 100);
        Set<Tenant.DatabaseAddress> database = Set.of(neighbour.database());
        try (var runner = new ProjectRunner("test", RunnerSettings.of(1, 1, Duration.ofSeconds(1)));
                var holder = TestingProjects.SERVER.connect(realtime.database().database())) {
            var sweep = new MessagesSweep(
                    realtime.first.messages,
                    directory(Set.of(held.get(0), held.get(1), damaged, neighbour)),
                    new StoredMessages(catalog, () -> database, 10),
                    runner,
                    Duration.ofHours(72));
            holder.setAutoCommit(false);
            for (Tenant tenant : held) {
                holder.createStatement().execute("LOCK TABLE " + table(tenant));
                sweep.seen(project(tenant));
            }
            sweep.seen(project(damaged));
            sweep.seen(project(neighbour));
            sweep.findDue();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> realtime.database()
                            .ask("SELECT count(*) FROM " + table(neighbour))
                            .equals("71"));
            for (Tenant tenant : held) {
                assertThatThrownBy(() -> runner.submit(sweep, tenant.projectId().toString())
                                .get())
                        .hasMessageContaining("lock timeout");
            }
            assertThatThrownBy(() ->
                            runner.submit(sweep, damaged.projectId().toString()).get())
                    .hasMessageContaining("inserted_at");
        }
    }

    private static Project project(Tenant tenant) {
        var project = new Project();
        project.setMetadata(new ObjectMetaBuilder().withName(tenant.ref()).build());
        project.setSpec(Serialization.unmarshal(
                "{\"name\": \"x\", \"organization\": \"o\", \"ref\": \"" + tenant.ref()
                        + "\", \"deletionPolicy\": \"Delete\"}",
                ProjectSpec.class));
        project.setStatus(
                Serialization.unmarshal("{\"projectId\": \"" + tenant.projectId() + "\"}", ProjectStatus.class));
        return project;
    }

    private static TenantDirectory directory(Set<Tenant> tenants) {
        return new TenantDirectory() {
            @Override
            public Optional<Tenant> find(String ref) {
                return tenants.stream()
                        .filter(tenant -> tenant.ref().equals(ref))
                        .findFirst();
            }

            @Override
            public void onChange(Listener listener) {}
        };
    }

    @Test
    void aProcessThatReadsNoLogLooksAtNoDatabase() {
        withMessages("eeee2345", 1);
        assertThat(new StoredMessages(catalog, Set::of, 10).next()).isEmpty();
    }

    @Test
    void messagesBeyondTheirTimeAreDeletedAndNoOthers() {
        Tenant tenant = withMessages("ffff2345", 100);
        var stored = new StoredMessages(catalog, () -> Set.of(tenant.database()), 10);
        assertThat(stored.next()).containsExactly(tenant.projectId());
        long deleted =
                realtime.first.messages.sweep(tenant, Duration.ofHours(72).toSeconds(), 1_000);
        assertThat(deleted).isEqualTo(29);
        assertThat(Optional.ofNullable(realtime.database().ask("SELECT count(*) FROM " + table(tenant))))
                .contains("71");
    }
}
