package svc.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.postgres.pipeline.CrowdedLogin.CALLERS;
import static svc.postgres.pipeline.CrowdedLogin.failure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.postgres.Access;
import svc.postgres.SqlError;
import svc.postgres.flush.InFlightRequest;

/** Callers whose changes go to the database in one write are served as if each had gone alone, and each is done once. */
class SharedChangeTest {
    private static CrowdedLogin login;

    @BeforeAll
    static void layOut() {
        login = new CrowdedLogin("changes1");
    }

    @AfterAll
    static void close() {
        login.close();
    }

    @BeforeEach
    void connect() {
        login.connect(1);
    }

    private static List<InFlightRequest> crowd(String command) {
        return login.crowd(Access.WRITE, command);
    }

    /** The changes of these callers were made, and no others. */
    private static void assertDoneOnce(List<InFlightRequest> crowd, IntPredicate served) {
        List<String> wanted = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            if (served.test(caller)) {
                login.assertOwn(crowd.get(caller).row().join(), caller);
                wanted.add(CrowdedLogin.name(caller));
            } else {
                assertThat(failure(crowd.get(caller)).fromServer()).isTrue();
            }
        }
        assertThat(login.done()).containsExactlyInAnyOrderElementsOf(wanted);
    }

    /** A change that was reported as done was made once; any other was made once at most. */
    private static int assertDoneOnceAtMost(List<InFlightRequest> crowd) {
        List<String> reported = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            if (succeeds(crowd.get(caller), caller)) {
                reported.add(CrowdedLogin.name(caller));
            }
        }
        assertThat(login.done()).containsAll(reported).doesNotHaveDuplicates();
        return CALLERS - reported.size();
    }

    @Test
    void theyShareWritesAndEachIsDoneOnce() {
        // Those that are slow for the moment, because other processes have the processor, are sent alone.
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            login.connect(1);
            int before = login.proxy.writes();
            List<InFlightRequest> crowd = crowd("SELECT 1");
            crowd.forEach(flush -> flush.row().join());

            assertThat(login.proxy.writes() - before).isLessThan(CALLERS);
            assertDoneOnce(crowd, caller -> true);
        });
    }

    /** Where the disk is slow, or many wait for it, it is worth the most. */
    @Test
    void theyShareWritesAlsoWhereEachAloneTookSomeMilliseconds() {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            login.connect(1);
            for (int i = 0; i < 30; i++) {
                login.start(Access.WRITE, "before", "SELECT pg_sleep(0.006)")
                        .row()
                        .join();
            }
            int before = login.proxy.writes();
            crowd("SELECT 1").forEach(flush -> flush.row().join());

            assertThat(login.proxy.writes() - before).isLessThan(CALLERS);
        });
    }

    /** Each of these outlives the transaction that it was done in. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT set_config('app.left', 'mallory', false)",
                "SELECT set_config('request.jwt.claims', 'mallory', false)",
                "SET search_path = nowhere",
                "SET ROLE NONE",
                "SET default_transaction_read_only = on",
                "SET default_transaction_isolation = serializable",
                "SET statement_timeout = 1",
                "SET lock_timeout = 1",
                "SET DateStyle = german",
                "SET plan_cache_mode = force_custom_plan",
                "LISTEN mallory",
                "DECLARE left_open CURSOR WITH HOLD FOR SELECT run('SELECT set_config(''app.left'', ''mallory'', false)')",
                "INSERT INTO at_commit VALUES ('SELECT set_config(''app.left'', ''mallory'', false)')",
                "INSERT INTO at_commit VALUES ('SET default_transaction_read_only = on')",
                "INSERT INTO at_commit VALUES ('SET ROLE NONE')",
                "SELECT nextval('counter')",
            })
    void nothingThatOneLeavesBehindReachesTheNext(String command) {
        List<InFlightRequest> crowd = crowd(command);

        assertDoneOnce(crowd, caller -> true);
        for (String trace : List.of("FETCH left_open", "SELECT lastval()")) {
            assertThat(failure(login.start(Access.WRITE, "after", trace)).sqlState())
                    .as(trace)
                    .isIn("34000", "55000");
        }
    }

    @Test
    void theLastKeyOfAFailedCallerIsNotReported() {
        List<InFlightRequest> crowd = login.crowd(
                Access.WRITE,
                "SELECT pg_sleep(0.05)",
                caller -> caller % 2 == 1
                        ? "DO $$ BEGIN PERFORM nextval('counter'); RAISE division_by_zero; END $$"
                        : "SELECT lastval()");

        for (int caller = 1; caller < CALLERS; caller++) {
            assertThat(failure(crowd.get(caller)).sqlState()).isEqualTo(caller % 2 == 1 ? "22012" : "55000");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1/0",
                "DO $$ BEGIN PERFORM set_config('app.left', 'mallory', false); RAISE 'no'; END $$",
                "DO $$ BEGIN RAISE 'no' USING ERRCODE = '57P01'; END $$",
                "DO $$ BEGIN RAISE 'no' USING ERRCODE = '57014'; END $$",
                "DO $$ BEGIN RAISE 'no' USING ERRCODE = '25001'; END $$",
                "CREATE TABLE here (id int)",
                "SELECT nextval('nowhere')",
                "SET LOCAL transaction_read_only = on; CREATE TABLE here (id int)",
                "INSERT INTO at_commit VALUES ('SELECT 1/0')",
                "INSERT INTO at_commit VALUES ('SET app.left = mallory; SELECT 1/0')",
            })
    void oneThatFailsFailsAloneAndLeavesNothing(String command) {
        List<InFlightRequest> crowd = crowd(command);

        assertDoneOnce(crowd, caller -> caller % 2 == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEALLOCATE ALL", "DISCARD PLANS", "INSERT INTO at_commit VALUES ('DEALLOCATE ALL')"})
    void oneThatTakesOurStatementsAwayHarmsNoOther(String command) {
        List<InFlightRequest> crowd = crowd(command);

        assertDoneOnce(crowd, caller -> true);
    }

    @Test
    void noneIsDoneTwiceWhenTheConnectionBreaksInTheMiddle() {
        int failed = 0;
        for (int bytes = 0; bytes < 2000; bytes += 60) {
            login.connect(1);
            login.proxy.cutAfter(bytes);
            List<InFlightRequest> crowd = crowd("DO $$ BEGIN RAISE 'no' USING ERRCODE = '57P01'; END $$");
            failed += assertDoneOnceAtMost(crowd) - CALLERS / 2;
        }
        assertThat(failed).as("callers that cannot know whether it was done").isPositive();
    }

    /** Between its error and the end of its round: no report arrives of what the server does for those behind. */
    @ParameterizedTest
    @ValueSource(strings = {"57P01", "26000", "23505"})
    void oneThatFailsWhileTheConnectionBreaksNeitherRepeatsNorTellsThoseBehind(String code) {
        login.proxy.cutBehind("exec_stmt_raise\0\0");
        int before = login.proxy.cuts();
        List<InFlightRequest> crowd = login.crowd(
                Access.WRITE,
                "SELECT pg_sleep(0.05)",
                caller -> caller == 3
                        ? "DO $$ BEGIN RAISE 'a secret of its own' USING ERRCODE = '" + code + "'; END $$"
                        : "SELECT 1");

        int failed = assertDoneOnceAtMost(crowd);

        assertThat(login.proxy.cuts()).isEqualTo(before + 1);
        assertThat(failed).as("it, and those of whom nothing is known").isGreaterThan(1);
        for (int caller = 0; caller < CALLERS; caller++) {
            if (caller != 3 && crowd.get(caller).row().isCompletedExceptionally()) {
                assertThat(failure(crowd.get(caller))).hasMessageNotContaining("secret");
            }
        }
    }

    private static boolean succeeds(InFlightRequest flush, int caller) {
        try {
            login.assertOwn(flush.row().join(), caller);
            return true;
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(SqlError.class);
            return false;
        }
    }

    /** Those before it were committed, but no sync to the disk had confirmed that: of them as little is known as of it. */
    @Test
    void thoseBehindOneWhoseSessionTheServerEndsAreDoneElsewhere() {
        int ended = 3;
        List<InFlightRequest> crowd = login.crowd(
                Access.WRITE, "SELECT pg_sleep(0.05)", caller -> caller == ended ? "SELECT pg_sleep(60)" : "SELECT 1");
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !login.projects
                        .ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '"
                                + login.projects.database()
                                + "' AND wait_event = 'PgSleep' AND now() - query_start > '0.5s'")
                        .equals("0"));

        assertThat(failure(crowd.get(ended)).sqlState()).isEqualTo("57P01");
        for (int caller = ended + 1; caller < CALLERS; caller++) {
            login.assertOwn(crowd.get(caller).row().join(), caller);
        }
        assertDoneOnceAtMost(crowd);
        assertThat(login.done()).doesNotContain(CrowdedLogin.name(ended));
    }

    /** It may end the session between two of them: then those before have no report, but no report is false. */
    @Test
    void oneThatLeavesAnIdleTimeoutBehindMakesNoWriteHappenTwice() {
        List<InFlightRequest> crowd = crowd("SET idle_session_timeout = 1");

        assertDoneOnceAtMost(crowd);
        for (InFlightRequest flush : login.crowd(Access.WRITE, "SELECT 1")) {
            flush.row().join();
        }
    }

    @Test
    void thoseBehindOneThatOurClockStopsAreDone() {
        login.connect(1, Duration.ofSeconds(4));
        List<InFlightRequest> crowd = login.crowd(
                Access.WRITE,
                "SELECT pg_sleep(0.05)",
                caller -> caller == 3 ? "SELECT pg_sleep(60)" : "SELECT pg_sleep(0.001)");

        assertDoneOnce(crowd, caller -> caller != 3);
        assertThat(failure(crowd.get(3)).sqlState()).isEqualTo("57014");
    }

    @Test
    void whatWasAnsweredIsOnTheDisk() {
        for (int turn = 0; turn < 20; turn++) {
            login.connect(1);
            // The last of them fails, and so does not wait for the disk.
            List<InFlightRequest> crowd = login.crowd(
                    Access.WRITE, "SELECT pg_sleep(0.05)", caller -> caller == CALLERS - 1 ? "SELECT 1/0" : "SELECT 1");
            for (InFlightRequest flush : crowd.subList(0, CALLERS - 1)) {
                flush.row().join();
            }

            assertThat(login.projects.ask("SELECT pg_current_wal_flush_lsn() >= max(written) FROM "
                            + login.tenant().names().schemaName() + ".done"))
                    .isEqualTo("t");
        }
    }

    @Test
    void thoseBehindOneThatTakesLongWaitForItAndAreDoneOnce() {
        login.connect(2);
        List<InFlightRequest> crowd = login.crowd(
                Access.WRITE,
                "SELECT pg_sleep(0.002)",
                caller -> caller == 5 ? "SELECT pg_sleep(1)" : "SELECT pg_sleep(0.002)");

        assertDoneOnce(crowd, caller -> true);
    }

    @Test
    void oneThatIsCancelledTakesNoOtherWithIt() {
        for (int pause = 0; pause < 10; pause++) {
            login.connect(1);
            List<InFlightRequest> crowd = crowd("SELECT pg_sleep(0.003)");
            await().pollDelay(Duration.ofMillis(50 + 4 * pause)).until(() -> true);
            for (int caller = 1; caller < CALLERS; caller += 2) {
                crowd.get(caller).cancel();
            }

            assertDoneOnceAtMost(crowd);
            for (int caller = 0; caller < CALLERS; caller += 2) {
                login.assertOwn(crowd.get(caller).row().join(), caller);
            }
        }
    }
}
