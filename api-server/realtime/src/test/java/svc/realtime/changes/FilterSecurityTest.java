package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;
import static svc.realtime.changes.TestingFeed.userCalled;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.realtime.change.NumberedBinding;
import svc.testing.TestingProjects;

/** A filter tells nothing of what its subscriber may not read, fails for its subscriber alone, and costs no other. */
@Timeout(120)
class FilterSecurityTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();
    private static final String ANNA = "00000000-0000-4000-8000-000000000001";
    private static final String BERT = "00000000-0000-4000-8000-000000000002";

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("filtered");
    private final TestingFeed process = TestingFeed.patientWithFaults(projects, REDIS.url());

    @BeforeEach
    void start() {
        projects.asOwner(tenant, """
                CREATE TABLE notes (id int PRIMARY KEY, owner uuid, body text, salary int);
                ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON notes FOR SELECT TO %1$s_authenticated USING (owner = svc_auth.uid());
                REVOKE ALL ON notes FROM %1$s_authenticated;
                GRANT SELECT (id, owner, body) ON notes TO %1$s_authenticated;
                CREATE TABLE open (id int PRIMARY KEY, body text);
                GRANT SELECT ON open TO %1$s_anon""".formatted(tenant.names().schemaName()));
        TestingFeed.publish(projects, tenant, "notes,open");
    }

    @AfterEach
    void stop() {
        process.close();
    }

    private static NumberedBinding filtered(int id, String table, String filter) {
        return binding(id, "*", table, filter, null);
    }

    @Test
    void aFilterOnAColumnThatTheCallerMayNotReadIsRefused() {
        assertThat(process.subscribe(tenant, userCalled(ANNA), filtered(1, "notes", "salary=gte.5000"))
                        .nextState())
                .contains("An exception happened", "permission denied for table notes");
        process.subscribed(tenant, Caller.service(), filtered(1, "notes", "salary=gte.5000"));
    }

    /** As in Supabase, and docs/realtime-changes.md warns of it. */
    @Test
    void whatARowIsWhenItIsDeliveredDecidesWhoSeesItsFormerValues() {
        Recorded channel = process.subscribed(tenant, userCalled(ANNA), binding(1, "*", "notes"));
        projects.asOwner(
                tenant,
                "BEGIN; INSERT INTO notes VALUES (1, NULL, 'draft'); UPDATE notes SET owner = '" + ANNA
                        + "', body = 'published' WHERE id = 1; COMMIT");
        assertThat(channel.next(2, "body")).containsExactly("draft", "published");
        projects.asOwner(
                tenant,
                "BEGIN; INSERT INTO notes VALUES (2, '" + ANNA
                        + "', 'shown'); UPDATE notes SET owner = NULL WHERE id = 2;"
                        + " COMMIT; INSERT INTO notes VALUES (3, '" + ANNA + "', 'last')");
        assertThat(channel.next(1, "body")).containsExactly("last");
        assertThat(channel.states()).isEmpty();
    }

    @Test
    void aFilterPassesNothingOnceItsColumnIsRevoked() {
        Recorded channel = process.subscribed(
                tenant, userCalled(ANNA), filtered(1, "notes", "body=like.a%"), filtered(2, "notes", "id=gt.1"));
        projects.asOwner(
                tenant,
                "REVOKE SELECT (body) ON notes FROM " + tenant.names().schemaName()
                        + "_authenticated; INSERT INTO notes VALUES (1, '" + ANNA + "', 'ab'), (2, '" + ANNA
                        + "', 'ab')");
        Recorded.Event event = channel.next();
        assertThat(event.ids()).containsExactly(2);
        assertThat(channel.nextState()).contains("permission denied for a column of the filter");
        assertThat(channel.hasNothing()).isTrue();
    }

    @Test
    void aConditionIsNotAskedForARowThatTheCallerDoesNotSee() {
        Recorded channel = process.subscribed(
                tenant,
                userCalled(ANNA),
                filtered(1, "notes", "body=like.she is pre\\"),
                filtered(2, "notes", "id=gt.0"));
        projects.asOwner(
                tenant, "INSERT INTO notes VALUES (1, '" + BERT + "', 'she is pregnant'), (2, '" + ANNA + "', 'fine')");
        Recorded.Event event = channel.next();
        assertThat(event.record().get("id").asInt()).isEqualTo(2);
        assertThat(event.ids()).containsExactly(2);
        assertThat(channel.states()).isEmpty();
    }

    @Test
    void aPatternThatRaisesIsItsOwnSubscribersFaultAlone() {
        Recorded stranger = process.subscribed(tenant, Caller.anon(), filtered(1, "open", "body=like.a\\"));
        Recorded other = process.subscribed(tenant, Caller.anon(), filtered(2, "open", "body=match.^a"));
        projects.asOwner(tenant, "INSERT INTO open VALUES (1, 'ab')");
        assertThat(other.next(1, "id")).containsExactly("1");
        assertThat(stranger.nextState())
                .startsWith("failed: Changes are lost: the filter failed: LIKE pattern must not end");
        projects.asOwner(tenant, "INSERT INTO open VALUES (2, 'ac')");
        assertThat(other.next(1, "id")).containsExactly("2");
        assertThat(other.states()).isEmpty();
        assertThat(stranger.hasNothing()).isTrue();

        // One that comes with an equal filter hears that nothing passes it now.
        Recorded newcomer = process.subscribed(tenant, Caller.anon(), filtered(3, "open", "body=like.a\\"));
        assertThat(newcomer.nextState()).startsWith("failed: Changes are lost: the filter failed");
    }

    @Test
    void aChannelThatJoinsAMutedGroupHearsSo() {
        projects.asOwner(tenant, """
                CREATE FUNCTION picky() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'out of order'; END $$;
                DROP POLICY own ON notes;
                CREATE POLICY picky ON notes FOR SELECT USING (picky())""");
        Recorded first = process.subscribed(tenant, userCalled(ANNA), binding(1, "*", "notes"));
        projects.asOwner(tenant, "INSERT INTO notes VALUES (1)");
        assertThat(first.nextState()).contains("out of order");
        Recorded newcomer = process.subscribed(tenant, userCalled(ANNA), binding(2, "*", "notes"));
        assertThat(newcomer.nextState()).contains("out of order");
    }

    @Test
    void filtersOfOneProjectAreLimitedAndTheNeighbourHearsItsChanges() {
        Tenant neighbour = projects.project("besides");
        projects.asOwner(
                neighbour,
                "CREATE TABLE open (id int PRIMARY KEY, body text); GRANT SELECT ON open TO "
                        + neighbour.names().schemaName() + "_anon");
        TestingFeed.publish(projects, neighbour, "open");
        Recorded beside = process.subscribed(neighbour, Caller.anon(), filtered(1, "open", "body=neq.x"));
        Recorded first = process.subscribed(tenant, Caller.anon(), binding(1, "*", "open"));
        List<Recorded> hostile = new ArrayList<>();
        for (int channel = 0; channel < 10; channel++) {
            hostile.add(process.subscribe(tenant, Caller.anon(), bindings(channel)));
        }
        List<String> states = hostile.stream().map(Recorded::nextState).toList();
        assertThat(states.stream().filter("subscribed"::equals)).hasSize(8);
        assertThat(states.stream().filter(state -> state.startsWith("refused: Too many filters")))
                .hasSize(2);

        projects.asOwner(tenant, "INSERT INTO open SELECT i, 'b' FROM generate_series(1, 200) i");
        projects.asOwner(neighbour, "INSERT INTO open SELECT i, 'b' FROM generate_series(1, 200) i");
        assertThat(beside.next(200, "id")).hasSize(200);
        assertThat(first.next(200, "id")).hasSize(200);

        // What a channel leaves, others may use.
        hostile.forEach(channel -> channel.subscription().close());
        process.subscribed(tenant, Caller.anon(), bindings(99));
    }

    @Test
    void conditionsThatPostgresqlDecidesAreLimitedForARow() {
        List<Recorded> channels = new ArrayList<>();
        for (int number = 0; number < 101; number++) {
            channels.add(process.subscribe(tenant, Caller.anon(), filtered(1, "open", "body=imatch.^a|" + number)));
            channels.getLast().awaitSubscribed();
        }
        projects.asOwner(tenant, "INSERT INTO open VALUES (1, 'ab')");
        assertThat(channels.getLast().nextState()).contains("more than 100 filters");
        assertThat(channels.getFirst().next(1, "id")).containsExactly("1");
        assertThat(channels.get(99).next(1, "id")).containsExactly("1");
        assertThat(channels.getLast().hasNothing()).isTrue();
    }

    /** 100 bindings with 25 conditions each, none of which another channel has. */
    private static NumberedBinding[] bindings(int channel) {
        return IntStream.range(0, 100)
                .mapToObj(number -> filtered(
                        number + 1,
                        "open",
                        IntStream.range(0, 25)
                                .mapToObj(each -> "body=neq.c" + channel + "b" + number + "n" + each)
                                .collect(Collectors.joining(","))))
                .toArray(NumberedBinding[]::new);
    }

    @Test
    void equalFiltersCountOnce() {
        List<Recorded> channels = new ArrayList<>();
        for (int channel = 0; channel < 30; channel++) {
            channels.add(process.subscribe(tenant, Caller.anon(), bindings(1)));
        }
        channels.forEach(Recorded::awaitSubscribed);
        projects.asOwner(tenant, "INSERT INTO open VALUES (1, 'b'), (2, 'c1b7n3')");
        for (Recorded channel : channels) {
            assertThat(channel.next().ids()).hasSize(100);
            assertThat(channel.next().ids()).hasSize(99);
        }
    }
}
