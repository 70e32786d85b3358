package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;
import static svc.realtime.changes.TestingFeed.userCalled;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** Each subscriber gets the rows that its own role and claims may see, and one that fails harms no other. */
@Timeout(120)
class RowSecurityTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();
    private static final String ANNA = "00000000-0000-4000-8000-000000000001";

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("secured");
    private TestingFeed process;

    private static String user(int number) {
        return "00000000-0000-4000-8000-0000000000%02d".formatted(number);
    }

    @BeforeEach
    void start() {
        projects.asOwner(tenant, """
                CREATE TABLE notes (id int PRIMARY KEY, owner uuid, body text, secret text);
                ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON notes FOR SELECT TO %1$s_authenticated USING (owner = svc_auth.uid());
                REVOKE ALL ON notes FROM %1$s_authenticated;
                GRANT SELECT (id, owner, body) ON notes TO %1$s_authenticated;
                GRANT SELECT ON notes TO %1$s_anon""".formatted(tenant.names().schemaName()));
        TestingFeed.publish(projects, tenant, "notes");
        process = new TestingFeed(projects, REDIS.url());
    }

    @AfterEach
    void stop() {
        process.close();
    }

    @Test
    void moreThanTenUsersGetTheirOwnRowsAndNoOther() {
        List<Recorded> users = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            users.add(process.subscribed(tenant, userCalled(user(i)), binding(i, "*", "notes")));
        }
        Recorded service = process.subscribed(tenant, Caller.service(), binding(99, "*", "notes"));
        Recorded anonymous = process.subscribed(tenant, Caller.anon(), binding(98, "*", "notes"));
        // In one transaction, so in one pass; and again, so that a role that stayed would show.
        for (int round = 0; round < 2; round++) {
            int base = round * 1000;
            projects.asOwner(
                    tenant,
                    "INSERT INTO notes SELECT " + base + " + i, ('00000000-0000-4000-8000-'"
                            + " || lpad(i::text, 12, '0'))::uuid, 'of ' || i, 's' FROM generate_series(1, 40) i");
            for (int i = 1; i <= 30; i++) {
                Recorded.Event event = users.get(i - 1).next();
                assertThat(event.record().get("body").asText()).isEqualTo("of " + i);
                assertThat(event.record().has("secret"))
                        .as("a column without the privilege")
                        .isFalse();
            }
            assertThat(service.next(40, "id")).hasSize(40);
        }
        assertThat(users).allSatisfy(user -> assertThat(user.hasNothing()).isTrue());
        assertThat(users).allSatisfy(user -> assertThat(user.states()).isEmpty());
        assertThat(anonymous.hasNothing()).isTrue();
    }

    /** The log has a commit a moment before a check can see its row. */
    @Test
    void everyRowOfManyWritersIsFoundByItsCheck() throws Exception {
        Recorded channel = process.subscribed(tenant, userCalled(user(1)), binding(1, "*", "notes"));
        int writers = 8;
        int rows = 250;
        try (var threads = Executors.newFixedThreadPool(writers)) {
            List<Future<?>> writing = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                int base = writer * rows;
                writing.add(threads.submit(() -> {
                    insertOneByOne(base, rows);
                    return null;
                }));
            }
            for (Future<?> each : writing) {
                each.get();
            }
        }
        assertThat(channel.next(writers * rows, "id")).doesNotHaveDuplicates();
        assertThat(channel.states()).isEmpty();
    }

    private void insertOneByOne(int base, int rows) throws SQLException {
        try (var owner = TestingFeed.owner(projects, tenant);
                var session = owner.createStatement()) {
            for (int row = 1; row <= rows; row++) {
                session.execute("INSERT INTO notes (id, owner) VALUES (" + (base + row) + ", '" + user(1) + "')");
            }
        }
    }

    @Test
    void aRowThatBecomesSomeoneElsesArrivesThereAndADeletionShowsItsKeyAlone() {
        Recorded anna = process.subscribed(tenant, userCalled(ANNA), binding(1, "*", "notes"));
        Recorded bert = process.subscribed(tenant, userCalled(user(2)), binding(2, "*", "notes"));
        projects.asOwner(
                tenant, "ALTER TABLE notes REPLICA IDENTITY FULL; INSERT INTO notes VALUES (1, '" + ANNA + "', 'x')");
        assertThat(anna.next().type()).isEqualTo("INSERT");
        projects.asOwner(tenant, "UPDATE notes SET owner = '" + user(2) + "'");
        assertThat(bert.next().record().get("owner").asText()).isEqualTo(user(2));
        projects.asOwner(tenant, "DELETE FROM notes");
        assertThat(bert.next().old().toString()).isEqualTo("{\"id\":1}");
        assertThat(anna.next().old().toString()).isEqualTo("{\"id\":1}");
        assertThat(anna.hasNothing()).isTrue();
    }

    @Test
    void aPolicyThatRaisesMutesItsOwnGroupAndSaysSo() {
        projects.asOwner(tenant, """
                CREATE FUNCTION picky() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                    IF (svc_auth.jwt() ->> 'mood') = 'bad' THEN RAISE EXCEPTION 'out of order'; END IF;
                    RETURN true; END $$;
                DROP POLICY own ON notes;
                CREATE POLICY picky ON notes FOR SELECT USING (picky())""");
        Recorded bad = process.subscribed(
                tenant, TestingFeed.user("{\"role\":\"authenticated\",\"mood\":\"bad\"}"), binding(1, "*", "notes"));
        Recorded good = process.subscribed(
                tenant, TestingFeed.user("{\"role\":\"authenticated\",\"mood\":\"good\"}"), binding(2, "*", "notes"));
        projects.asOwner(tenant, "INSERT INTO notes (id) SELECT generate_series(1, 20)");
        assertThat(good.next(20, "id")).hasSize(20);
        assertThat(bad.nextState()).startsWith("failed: Changes are lost: a policy or filter failed: out of order");
        assertThat(bad.hasNothing()).isTrue();
        assertThat(good.states()).isEmpty();

        projects.asOwner(tenant, "CREATE OR REPLACE FUNCTION picky() RETURNS boolean LANGUAGE sql RETURN true");
        assertThat(heardAgain(bad)).as("the group is tried again later").isTrue();
    }

    /** Changes come until the group is no longer left alone. */
    private boolean heardAgain(Recorded channel) {
        for (int i = 100; i < 400 && channel.hasNothing(); i++) {
            projects.asOwner(tenant, "INSERT INTO notes (id) VALUES (" + i + ")");
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return !channel.hasNothing();
    }

    @Test
    void aSlowPolicyDelaysNeitherItsNeighboursNorTheNextProject() {
        process.close();
        process = TestingFeed.hasty(projects, REDIS.url());
        projects.asOwner(tenant, """
                CREATE FUNCTION slow() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                    IF (svc_auth.jwt() ->> 'mood') = 'slow' THEN
                        PERFORM set_config('statement_timeout', '0', false); PERFORM pg_sleep(3600);
                    END IF;
                    RETURN true; END $$;
                DROP POLICY own ON notes;
                CREATE POLICY slow ON notes FOR SELECT USING (slow())""");
        Recorded slow = process.subscribed(
                tenant, TestingFeed.user("{\"role\":\"authenticated\",\"mood\":\"slow\"}"), binding(1, "*", "notes"));
        Recorded quick = process.subscribed(
                tenant, TestingFeed.user("{\"role\":\"authenticated\",\"mood\":\"quick\"}"), binding(2, "*", "notes"));
        Tenant neighbour = projects.project("neighbour");
        projects.asOwner(
                neighbour,
                "CREATE TABLE notes (id int PRIMARY KEY); ALTER TABLE notes ENABLE ROW LEVEL SECURITY;"
                        + " CREATE POLICY open ON notes USING (true)");
        TestingFeed.publish(projects, neighbour, "notes");
        Recorded next = process.subscribed(neighbour, userCalled(ANNA), binding(3, "*", "notes"));
        projects.asOwner(tenant, "INSERT INTO notes (id) SELECT generate_series(1, 20)");
        projects.asOwner(neighbour, "INSERT INTO notes (id) SELECT generate_series(1, 20)");
        assertThat(next.next(20, "id")).hasSize(20);
        assertThat(quick.next(20, "id")).hasSize(20);
        assertThat(slow.nextState())
                .matches("failed: Changes are lost: the policies of the table took too long;"
                        + " read again what changed since 2[0-9-]+T[0-9:.]+Z");
        assertThat(slow.hasNothing()).isTrue();
    }

    @Test
    void aNewTokenSeesWhatItMaySeeAndNothingElse() {
        Recorded channel = process.subscribed(tenant, userCalled(ANNA), binding(1, "*", "notes"));
        Recorded witness = process.subscribed(tenant, Caller.service(), binding(2, "*", "notes"));
        channel.subscription().authorize(userCalled(user(2)));
        projects.asOwner(tenant, "INSERT INTO notes VALUES (1, '" + ANNA + "'), (2, '" + user(2) + "')");
        assertThat(channel.next(1, "id")).containsExactly("2");
        witness.next(2, "id");
        assertThat(channel.hasNothing()).isTrue();
    }

    @Test
    void whatIsRevokedIsGoneFromTheNextChangeOn() {
        Recorded channel = process.subscribed(tenant, userCalled(ANNA), binding(1, "INSERT", "notes"));
        String role = tenant.names().schemaName() + "_authenticated";
        for (int i = 1; i <= 10; i++) {
            projects.asOwner(
                    tenant,
                    "REVOKE SELECT (body) ON notes FROM " + role + "; INSERT INTO notes VALUES (" + i + ", '" + ANNA
                            + "', 'hidden')");
            assertThat(channel.next().record().has("body")).isFalse();
            projects.asOwner(
                    tenant,
                    "GRANT SELECT (body) ON notes TO " + role + "; INSERT INTO notes VALUES (10" + i + ", '" + ANNA
                            + "', 'shown')");
            assertThat(channel.next().record().get("body").asText()).isEqualTo("shown");
        }
        projects.asOwner(
                tenant,
                "REVOKE SELECT ON notes FROM " + role + "; REVOKE SELECT (id) ON notes FROM " + role
                        + "; INSERT INTO notes VALUES (1000, '" + ANNA + "')");
        Recorded.Event refused = channel.next();
        assertThat(refused.data().get("errors").toString()).isEqualTo("[\"Error 401: Unauthorized\"]");
        assertThat(refused.record().isEmpty()).isTrue();
    }

    @Test
    void rowSecurityThatIsSwitchedOnHoldsForTheNextChange() {
        projects.asOwner(
                tenant,
                "CREATE TABLE open (id int PRIMARY KEY); GRANT SELECT ON open TO "
                        + tenant.names().schemaName() + "_anon");
        TestingFeed.publish(projects, tenant, "open");
        Recorded channel = process.subscribed(tenant, Caller.anon(), binding(1, "*", "open"));
        Recorded service = process.subscribed(tenant, Caller.service(), binding(2, "*", "open"));
        projects.asOwner(tenant, "INSERT INTO open VALUES (1)");
        assertThat(channel.next(1, "id")).containsExactly("1");
        projects.asOwner(tenant, "ALTER TABLE open ENABLE ROW LEVEL SECURITY; INSERT INTO open VALUES (2)");
        assertThat(service.next(2, "id")).containsExactly("1", "2");
        assertThat(channel.hasNothing()).isTrue();
    }

    @Test
    void ofTheRowBeforeAChangeTheKeyAloneIsShown() {
        Recorded bert = process.subscribed(tenant, userCalled(user(2)), binding(1, "*", "notes"));
        Recorded filtered = process.subscribed(
                tenant, userCalled(user(2)), binding(2, "DELETE", "notes", "body=like.handed%", null));
        Recorded service = process.subscribed(tenant, Caller.service(), binding(3, "*", "notes"));
        projects.asOwner(
                tenant,
                "ALTER TABLE notes REPLICA IDENTITY FULL; INSERT INTO notes VALUES (5, '" + ANNA
                        + "', 'a private note'), (6, '" + user(2) + "', 'own')");
        // So the first one was judged while it was Anna's.
        assertThat(bert.next(1, "id")).containsExactly("6");
        service.next(2, "id");
        projects.asOwner(tenant, "UPDATE notes SET owner = '" + user(2) + "', body = 'handed over' WHERE id = 5");
        Recorded.Event update = bert.next();
        assertThat(update.record().get("body").asText()).isEqualTo("handed over");
        assertThat(update.old().toString()).isEqualTo("{\"id\":5}");
        assertThat(service.next().old().get("body").asText())
                .as("row security does not hold for the service key")
                .isEqualTo("a private note");

        projects.asOwner(tenant, "DELETE FROM notes WHERE id = 5");
        assertThat(bert.next().old().toString()).isEqualTo("{\"id\":5}");
        service.next();
        assertThat(filtered.hasNothing())
                .as("a filter on a deleted row would tell what it had")
                .isTrue();
    }

    @Test
    void rowSecurityOfAPartitionedTableHoldsForTheNextChange() {
        projects.asOwner(tenant, """
                CREATE TABLE part (id int PRIMARY KEY) PARTITION BY RANGE (id);
                CREATE TABLE part_low PARTITION OF part FOR VALUES FROM (0) TO (10000);
                GRANT SELECT ON part TO %s_anon""".formatted(tenant.names().schemaName()));
        projects.asOwner(
                tenant,
                "CREATE TABLE mark (id int PRIMARY KEY); GRANT SELECT ON mark TO "
                        + tenant.names().schemaName() + "_anon");
        TestingFeed.publish(projects, tenant, "part,mark");
        Recorded channel = process.subscribed(tenant, Caller.anon(), binding(1, "*", "part"), binding(2, "*", "mark"));
        for (int i = 1; i <= 10; i++) {
            projects.asOwner(
                    tenant, "ALTER TABLE part DISABLE ROW LEVEL SECURITY; INSERT INTO part VALUES (" + i + ")");
            assertThat(channel.next(1, "id")).containsExactly("" + i);
            projects.asOwner(
                    tenant, "ALTER TABLE part ENABLE ROW LEVEL SECURITY; INSERT INTO part VALUES (10" + i + ")");
            projects.asOwner(tenant, "INSERT INTO mark VALUES (20" + i + ")");
            assertThat(channel.next(1, "id"))
                    .as("the hidden row is judged before the mark")
                    .containsExactly("20" + i);
        }
    }

    @Test
    void eachLossOfAMutedGroupIsSaid() {
        projects.asOwner(tenant, """
                CREATE FUNCTION picky() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'out of order'; END $$;
                DROP POLICY own ON notes;
                CREATE POLICY picky ON notes FOR SELECT USING (picky())""");
        Recorded bad = process.subscribed(tenant, userCalled(ANNA), binding(1, "*", "notes"));
        projects.asOwner(tenant, "INSERT INTO notes (id) VALUES (1)");
        assertThat(bad.nextState()).contains("out of order");
        for (int i = 100; i < 400 && bad.states().isEmpty(); i++) {
            projects.asOwner(tenant, "INSERT INTO notes (id) VALUES (" + i + ")");
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        assertThat(bad.states()).first().asString().contains("out of order");
    }
}
