package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** A committed change reaches the channels that asked for it, in the form that Supabase's clients read. */
@Timeout(120)
class TableChangesTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("changes");
    private TestingFeed process;

    @BeforeEach
    void start() {
        projects.asOwner(tenant, """
                CREATE TABLE todos (id int8 PRIMARY KEY, title text, done boolean DEFAULT false, at timestamptz,
                    price numeric, tags text[], meta jsonb, ratio float8);
                GRANT SELECT ON todos TO %1$s_anon, %1$s_authenticated""".formatted(tenant.names().schemaName()));
        TestingFeed.publish(projects, tenant, "todos");
        process = new TestingFeed(projects, REDIS.url());
    }

    @AfterEach
    void stop() {
        process.close();
    }

    @Test
    void anInsertAnUpdateAndADeletionArriveInOrder() {
        Recorded all = process.subscribed(tenant, Caller.anon(), binding(7, "*", "todos"));
        Recorded deletions = process.subscribed(tenant, Caller.anon(), binding(8, "DELETE", "todos"));
        projects.asOwner(tenant, """
                INSERT INTO todos VALUES (1, 'a "title" ü', true, '2026-01-02T03:04:05.6+02:00', 1.50,
                    '{a,"b c",NULL}', '{"k": [1]}', 'NaN')""");
        Recorded.Event insert = all.next();
        assertThat(insert.ids()).containsExactly(7);
        assertThat(insert.data().get("schema").asText()).isEqualTo("public");
        assertThat(insert.data().get("table").asText()).isEqualTo("todos");
        assertThat(insert.type()).isEqualTo("INSERT");
        assertThat(insert.data().get("errors").isNull()).isTrue();
        assertThat(insert.data().get("commit_timestamp").asText())
                .matches("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z");
        assertThat(insert.data().get("columns").get(0).toString()).isEqualTo("{\"name\":\"id\",\"type\":\"int8\"}");
        assertThat(insert.data().get("columns").get(5).toString()).isEqualTo("{\"name\":\"tags\",\"type\":\"_text\"}");
        String asRest = TestingFeed.ask(projects, tenant, "SELECT to_json(t)::text FROM todos t");
        assertThat(insert.record().toString()).isEqualTo(asRest.replace("\"k\": [1]", "\"k\":[1]"));
        assertThat(insert.old()).isNull();

        projects.asOwner(tenant, "UPDATE todos SET title = 'b'; DELETE FROM todos");
        Recorded.Event update = all.next();
        assertThat(update.type()).isEqualTo("UPDATE");
        assertThat(update.record().get("title").asText()).isEqualTo("b");
        assertThat(update.old().toString()).isEqualTo("{\"id\":1}");
        assertThat(all.next().old().toString()).isEqualTo("{\"id\":1}");
        Recorded.Event deletion = deletions.next();
        assertThat(deletion.ids()).containsExactly(8);
        assertThat(deletion.record()).isNull();
        assertThat(deletions.hasNothing()).isTrue();
    }

    @Test
    void eachBindingOfAChannelGetsWhatItAskedFor() {
        Recorded channel = process.subscribed(
                tenant,
                Caller.anon(),
                binding(1, "INSERT", "todos", "id=gt.5", null),
                binding(2, "*", "todos", null, List.of("title")),
                binding(3, "*", null));
        projects.asOwner(tenant, "INSERT INTO todos (id, title) VALUES (9, 'x')");
        List<Recorded.Event> events = new ArrayList<>(List.of(channel.next(), channel.next()));
        events.sort(java.util.Comparator.comparing(event -> event.ids().getFirst()));
        assertThat(events.getFirst().ids()).containsExactly(1, 3);
        assertThat(events.getLast().ids()).containsExactly(2);
        assertThat(events.getLast().record().toString()).isEqualTo("{\"id\":9,\"title\":\"x\"}");
        assertThat(events.getLast().data().get("columns")).hasSize(2);
    }

    @Test
    void whatIsRolledBackNeverArrives() {
        Recorded channel = process.subscribed(tenant, Caller.anon(), binding(1, "*", "todos"));
        projects.asOwner(
                tenant, "BEGIN; INSERT INTO todos (id) VALUES (1); ROLLBACK; INSERT INTO todos (id) VALUES (2)");
        assertThat(channel.next(1, "id")).containsExactly("2");
    }

    @Test
    void bindingsThatCannotBeServedAreRefusedInSupabasesWords() {
        try (TestingFeed hasty = TestingFeed.hasty(projects, REDIS.url())) {
            assertThat(hasty.subscribe(tenant, Caller.anon(), binding(1, "*", "nowhere"))
                            .nextState())
                    .isEqualTo(
                            "refused: Unable to subscribe to changes with given parameters. Please check Realtime is"
                                    + " enabled for the given connect parameters: [schema: public, table: nowhere, filters: []]");
        }
        assertThat(process.subscribe(tenant, Caller.anon(), binding(1, "*", "todos", "id=around.5", null))
                        .nextState())
                .isEqualTo("refused: Error parsing `filter` params: [\"id=around.5\"]");
        assertThat(process.subscribe(tenant, Caller.anon(), binding(1, "*", "todos", "nothing=eq.5", null))
                        .nextState())
                .contains("An exception happened", "invalid column for filter nothing");
        assertThat(process.subscribe(tenant, Caller.anon(), binding(1, "*", "todos", "id=eq.five", null))
                        .nextState())
                .contains("An exception happened", "invalid input syntax for type bigint");
        assertThat(process.subscribe(tenant, Caller.anon(), binding(1, "*", "todos", "title=match.(", null))
                        .nextState())
                .contains("An exception happened", "invalid regular expression");
        assertThat(process.subscribe(tenant, Caller.anon(), binding(1, "DROP", "todos"))
                        .nextState())
                .startsWith("refused: ");
        assertThat(process.subscribe(tenant, Caller.anon(), binding(1, "*", "todos", null, List.of("none")))
                        .nextState())
                .contains("invalid column for select none");
    }

    @Test
    void aTableThatIsPublishedMomentsLaterIsSubscribedToThen() {
        projects.asOwner(
                tenant,
                "CREATE TABLE later (id int PRIMARY KEY); GRANT SELECT ON later TO "
                        + tenant.names().schemaName() + "_anon");
        Recorded channel = process.subscribe(tenant, Caller.anon(), binding(1, "*", "later"));
        TestingFeed.publish(projects, tenant, "later");
        channel.awaitSubscribed();
        projects.asOwner(tenant, "INSERT INTO later VALUES (3)");
        assertThat(channel.next(1, "id")).containsExactly("3");
    }

    @Test
    void aChannelThatIsClosedGetsNothingMore() throws Exception {
        Recorded closed = process.subscribed(tenant, Caller.anon(), binding(1, "*", "todos"));
        Recorded open = process.subscribed(tenant, Caller.anon(), binding(1, "*", "todos"));
        closed.subscription().close();
        projects.asOwner(tenant, "INSERT INTO todos (id) VALUES (1)");
        open.next();
        assertThat(closed.hasNothing()).isTrue();
    }

    @Test
    void aNeighbourWithTheSameTableHearsNothing() {
        Tenant neighbour = projects.project("neighbour");
        projects.asOwner(
                neighbour,
                "CREATE TABLE todos (id int8 PRIMARY KEY); GRANT SELECT ON todos TO "
                        + neighbour.names().schemaName() + "_anon");
        TestingFeed.publish(projects, neighbour, "todos");
        Recorded ours = process.subscribed(tenant, Caller.anon(), binding(1, "*", "*"));
        Recorded theirs = process.subscribed(neighbour, Caller.anon(), binding(1, "*", "*"));
        projects.asOwner(tenant, "INSERT INTO todos (id) VALUES (1)");
        projects.asOwner(neighbour, "INSERT INTO todos (id) VALUES (2)");
        assertThat(ours.next(1, "id")).containsExactly("1");
        assertThat(theirs.next(1, "id")).containsExactly("2");
        assertThat(ours.hasNothing()).isTrue();
        assertThat(theirs.hasNothing()).isTrue();
    }

    @Test
    void changesOfPartitionsArriveUnderTheirRoot() {
        projects.asOwner(tenant, """
                CREATE TABLE part (id int, d date, note text, PRIMARY KEY (id, d)) PARTITION BY RANGE (d);
                CREATE TABLE part24 PARTITION OF part FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
                CREATE TABLE part25 (note text, d date NOT NULL, id int NOT NULL);
                ALTER TABLE part ATTACH PARTITION part25 FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
                GRANT SELECT ON part TO %s_anon""".formatted(tenant.names().schemaName()));
        TestingFeed.publish(projects, tenant, "part");
        Recorded named = process.subscribed(tenant, Caller.anon(), binding(1, "*", "part", "note=eq.a", null));
        Recorded all = process.subscribed(tenant, Caller.anon(), binding(2, "*", "*"));
        projects.asOwner(tenant, "INSERT INTO part VALUES (1, '2024-05-05', 'a'), (2, '2025-05-05', 'a')");
        projects.asOwner(tenant, "UPDATE part SET id = 3 WHERE id = 1; DELETE FROM part WHERE id = 2");
        for (Recorded channel : List.of(named, all)) {
            Recorded.Event first = channel.next();
            assertThat(first.data().get("table").asText()).isEqualTo("part");
            assertThat(first.record().toString()).isEqualTo("{\"id\":1,\"d\":\"2024-05-05\",\"note\":\"a\"}");
            assertThat(channel.next().record().toString()).isEqualTo("{\"id\":2,\"d\":\"2025-05-05\",\"note\":\"a\"}");
            Recorded.Event update = channel.next();
            assertThat(update.type()).isEqualTo("UPDATE");
            assertThat(update.old().toString()).isEqualTo("{\"id\":1,\"d\":\"2024-05-05\"}");
        }
        assertThat(all.next().old().toString()).isEqualTo("{\"id\":2,\"d\":\"2025-05-05\"}");
    }
}
