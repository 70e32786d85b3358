package svc.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.postgres.pipeline.CrowdedLogin.CALLERS;
import static svc.postgres.pipeline.CrowdedLogin.failure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.Access;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.InFlightRequest;
import svc.testing.LoopbackServers;
import svc.testing.TestingProjects;

/** Callers whose reads go to the database in one write are served as if each had gone alone. */
class SharedWriteTest {
    private static CrowdedLogin login;

    @BeforeAll
    static void layOut() {
        login = new CrowdedLogin("shared12");
    }

    @AfterAll
    static void close() {
        login.close();
    }

    @BeforeEach
    void connect() {
        login.connect(1);
    }

    private List<InFlightRequest> crowd(String command) {
        return login.crowd(Access.READ, command);
    }

    @Test
    void theyShareWrites() {
        // Queries that are slow for the moment, because other processes have the processor, are sent alone.
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            login.connect(1);
            int before = login.proxy.writes();
            crowd("SELECT 1").forEach(flush -> flush.row().join());

            assertThat(login.proxy.writes() - before).isLessThan(CALLERS);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT set_config('app.left', 'mallory', false)",
                "SET search_path = nowhere",
                "SET ROLE NONE",
                "SET default_transaction_read_only = off",
                "LISTEN mallory",
                "DO $$ BEGIN PERFORM set_config('app.left', 'mallory', false); END $$",
                "DECLARE left_open CURSOR WITH HOLD FOR SELECT run('SELECT set_config(''app.left'', ''mallory'', false)')",
                "SELECT setseed(0.1)",
                // Until the next round's rollback, these are the session's.
                "SET statement_timeout = 1",
                "SET lock_timeout = 1",
                "SET idle_in_transaction_session_timeout = 1",
                "SET default_transaction_isolation = serializable",
                "EXPLAIN ANALYZE CREATE TEMP TABLE done AS SELECT 'mallory' AS caller",
                "DO $$ BEGIN EXECUTE 'ROLLBACK'; EXCEPTION WHEN OTHERS THEN NULL; END $$",
                "DO $$ BEGIN EXECUTE 'SAVEPOINT kept'; EXCEPTION WHEN OTHERS THEN NULL; END $$",
            })
    void nothingThatOneLeavesBehindReachesTheNext(String command) {
        List<InFlightRequest> crowd = crowd(command);

        for (int caller = 0; caller < CALLERS; caller++) {
            login.assertOwn(crowd.get(caller).row().join(), caller);
        }
        assertThat(login.start(Access.READ, "after", "FETCH left_open").row())
                .failsWithin(20, TimeUnit.SECONDS)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withMessageContaining("left_open");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1/0",
                "SET statement_timeout = '1x'",
                "DO $$ BEGIN PERFORM set_config('app.left', 'mallory', false); RAISE 'no'; END $$",
                "CREATE TABLE here (id int)",
                "SELECT nextval('nowhere')",
                "SET transaction_read_only = off",
            })
    void oneThatFailsFailsAlone(String command) {
        List<InFlightRequest> crowd = crowd(command);

        for (int caller = 0; caller < CALLERS; caller++) {
            if (caller % 2 == 1) {
                assertThat(failure(crowd.get(caller)).fromServer()).isTrue();
            } else {
                login.assertOwn(crowd.get(caller).row().join(), caller);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEALLOCATE ALL", "DISCARD PLANS"})
    void oneThatTakesOurStatementsAwayHarmsNoOther(String command) {
        List<InFlightRequest> crowd = crowd(command);

        for (int caller = 0; caller < CALLERS; caller++) {
            login.assertOwn(crowd.get(caller).row().join(), caller);
        }
    }

    @Test
    void aReadThatFailedLeavesAConnectionForTheNext() {
        String session = login.start(Access.READ, "before", "SELECT 1")
                .row()
                .join()
                .text(6)
                .orElseThrow();
        assertThat(failure(login.start(Access.READ, "failing", "SELECT 1/0")).sqlState())
                .isEqualTo("22012");

        FlushRow next =
                login.start(Access.READ, CrowdedLogin.name(1), "SELECT 1").row().join();

        login.assertOwn(next, 1);
        assertThat(next.text(6)).contains(session);
    }

    @Test
    void whatAReadNotifiesIsNotSent() throws SQLException {
        try (Connection listener = TestingProjects.SERVER.connect(login.projects.database());
                var statement = listener.createStatement()) {
            statement.execute("LISTEN overheard");
            login.start(Access.READ, "reader", "SELECT pg_notify('overheard', 'read')")
                    .row()
                    .join();
            login.start(Access.WRITE, "writer", "SELECT pg_notify('overheard', 'written')")
                    .row()
                    .join();

            assertThat(listener.unwrap(PGConnection.class).getNotifications(10_000))
                    .extracting(PGNotification::getParameter)
                    .containsExactly("written");
        }
    }

    @Test
    void aConnectionThatBreaksInTheMiddleHarmsNoCaller() {
        for (int bytes : new int[] {0, 5, 200, 700, 1500}) {
            login.proxy.cutAfter(bytes);
            List<InFlightRequest> crowd = crowd("SELECT 1");
            for (int caller = 0; caller < CALLERS; caller++) {
                login.assertOwn(crowd.get(caller).row().join(), caller);
            }
        }
    }

    @Test
    void thoseBehindOneThatTakesLongGoElsewhere() {
        login.connect(4);
        List<InFlightRequest> crowd = login.crowd(
                Access.READ,
                "SELECT pg_sleep(0.002)",
                caller -> caller == 5 ? "SELECT pg_sleep(60)" : "SELECT pg_sleep(0.002)");
        for (int caller = 0; caller < CALLERS; caller++) {
            if (caller != 5) {
                login.assertOwn(crowd.get(caller).row().join(), caller);
            }
        }

        assertThat(crowd.get(5).row()).isNotDone();
        crowd.get(5).cancel();
        assertThat(failure(crowd.get(5)).sqlState()).isEqualTo("57014");
    }

    @Test
    void oneThatIsCancelledTakesNoOtherWithIt() {
        List<InFlightRequest> crowd = crowd("SELECT 1");
        for (int caller = 1; caller < CALLERS; caller += 2) {
            crowd.get(caller).cancel();
        }

        for (int caller = 0; caller < CALLERS; caller += 2) {
            login.assertOwn(crowd.get(caller).row().join(), caller);
        }
    }

    @Test
    void readsAndWritesThatWaitTogetherKeepApart() {
        List<InFlightRequest> crowd = new ArrayList<>();
        crowd.add(login.start(Access.READ, CrowdedLogin.name(0), "SELECT pg_sleep(0.05)"));
        for (int caller = 1; caller < CALLERS; caller++) {
            boolean writes = caller % 3 == 0;
            crowd.add(login.start(
                    writes ? Access.WRITE : Access.READ,
                    CrowdedLogin.name(caller),
                    writes ? "SELECT set_config('app.left', 'mallory', false)" : "SELECT 1"));
        }

        for (int caller = 0; caller < CALLERS; caller++) {
            login.assertOwn(crowd.get(caller).row().join(), caller);
        }
    }

    @Test
    void aServerOfTheTenantsOwnWhereLocksAreOpenKeepsNone() throws SQLException {
        try (Connection operator = TestingProjects.SERVER.connect(login.projects.database());
                var statement = operator.createStatement()) {
            statement.execute("GRANT EXECUTE ON FUNCTION pg_catalog.pg_advisory_lock(bigint) TO PUBLIC");
        }
        Tenant shared = login.tenant();
        var tenant = new Tenant(
                shared.ref(),
                shared.names(),
                shared.scope(),
                shared.masterKeyVersion(),
                shared.keyVersions(),
                new DatabaseAddress(
                        "own",
                        LoopbackServers.allowed(shared.database().jdbcUrl()),
                        DatabaseAddress.Server.CHOSEN_BY_TENANT),
                shared.organization(),
                shared.restUrl(),
                shared.rest());

        for (Access access : Access.values()) {
            login.crowd(tenant, access, "SELECT pg_sleep(0.05)", caller -> "SELECT pg_catalog.pg_advisory_lock(4711)")
                    .forEach(flush -> flush.row().join());

            // The last of them may be answered before its session is cleaned.
            Awaitility.await()
                    .untilAsserted(() -> assertThat(
                                    login.projects.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
                            .isEqualTo("0"));
        }
    }
}
