package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.database.shared.RealtimePublication;
import svc.platform.tenancy.Tenant;
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
