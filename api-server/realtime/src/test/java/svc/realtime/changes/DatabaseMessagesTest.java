package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** What a transaction inserts into realtime.messages is handed on after its commit, once. */
@Timeout(120)
class DatabaseMessagesTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("messages");
    private final TestingFeed process = new TestingFeed(projects, REDIS.url());

    @AfterEach
    void stop() {
        process.close();
    }

    private TestingFeed.Broadcast next() throws InterruptedException {
        TestingFeed.Broadcast broadcast = process.messages().poll(60, TimeUnit.SECONDS);
        assertThat(broadcast).isNotNull();
        return broadcast;
    }

    private void insert(String topic, String payload) {
        projects.asOperator("INSERT INTO " + tenant.names().realtime().sql()
                + ".messages (id, topic, extension, event, private, payload) VALUES (gen_random_uuid(), '" + topic
                + "', 'broadcast', 'e', false, '" + payload + "')");
    }

    @Test
    void messagesAreHandedOnInTheOrderOfCommitsOnceAlsoAfterAnInterruption() throws Exception {
        TestingFeed.asSystem(projects, tenant, "SELECT svc_statements.publish_messages()");
        TestingFeed.apply(projects);
        assertThat(projects.ask("SELECT string_agg(pubname, ',') FROM pg_publication_tables WHERE schemaname = '"
                        + tenant.names().realtime().name() + "'"))
                .isEqualTo("svc_realtime_messages");
        try (var following = process.feed().follow(tenant)) {
            awaitReader();
            insert("room", "{\"n\": 1}");
            TestingFeed.Broadcast first = next();
            assertThat(first.projectId()).isEqualTo(tenant.projectId());
            assertThat(first.message().topic()).isEqualTo("room");
            assertThat(first.message().isPrivate()).isFalse();
            assertThat(first.message().binary()).isFalse();
            assertThat(first.message().payload().toString()).isEqualTo("{\"n\": 1}");
            projects.asOperator(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'svc_replication'"
                            + " AND datname = current_database()");
            insert("room", "{\"n\": 2}");
            assertThat(next().message().payload().toString()).isEqualTo("{\"n\": 2}");
            projects.asOperator("INSERT INTO " + tenant.names().realtime().sql()
                    + ".messages (id, topic, event, private, binary_payload)"
                    + " VALUES (gen_random_uuid(), 'b', 'e', true, '\\x00ff')");
            TestingFeed.Broadcast binary = next();
            assertThat(binary.message().binary()).isTrue();
            assertThat(binary.message().payload().getBytes()).containsExactly(0, -1);
            assertThat(process.messages()).isEmpty();
        }
    }

    @Test
    void whenTheLogIsReadyMessagesArrive() throws Exception {
        try (var following = process.feed().follow(tenant)) {
            var ready = process.feed().ready(tenant);
            awaitReader();
            assertThat(ready).as("while the table is not published").isNotDone();
            TestingFeed.asSystem(projects, tenant, "SELECT svc_statements.publish_messages()");
            TestingFeed.apply(projects);
            ready.get(60, TimeUnit.SECONDS);
            insert("room", "{\"n\": 1}");
            assertThat(next().message().topic()).isEqualTo("room");
        }
    }

    private void awaitReader() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> projects.ask("SELECT count(*) FROM pg_replication_slots"
                                + " WHERE active AND database = current_database()")
                        .equals("1"));
    }

    @Test
    void onlyAProjectsOwnServicesPublishItsMessages() {
        assertThatThrownBy(() -> projects.asOwner(tenant, "SELECT svc_statements.publish_messages()"))
                .hasMessageContaining("only the services of a project");
    }
}
