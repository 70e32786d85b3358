package svc.operator.watch.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.operator.watch.rule.Session.Login;
import svc.operator.watch.rule.WatchLimits.Rates;

/** From samples to actions: nothing below a limit, the largest first, and never a neighbour. */
class WatchRulesTest {
    private static final UUID SHOP = new UUID(1, 1);
    private static final UUID NEIGHBOUR = new UUID(2, 2);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration STUCK_AFTER = Duration.ofSeconds(4);
    private static final WatchLimits LIMITS = new WatchLimits(
            1_000,
            Duration.ofSeconds(90),
            Duration.ofSeconds(360),
            Duration.ofSeconds(10),
            4096,
            3,
            Duration.ofMinutes(10),
            2,
            new Rates(1.5, 60 << 20),
            GRACE);

    private final WatchJudge judge = new WatchJudge(LIMITS);
    private Instant now = Instant.EPOCH;

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // login, seconds of its transaction, locks, bytes of temporary files, action
                "OWNER,      360,  1,    0, -",
                "OWNER,      361,  1,    0, Cancel TIME",
                "DATA_PLANE,  90,  1,    0, -",
                "DATA_PLANE,  91,  1,    0, Cancel TIME",
                "OWNER,        1,  500,  0, -",
                "OWNER,        1,  501,  0, Warn LOCKS",
                "OWNER,        1, 1000,  0, Warn LOCKS",
                "OWNER,        1, 1001,  0, Terminate LOCKS",
                "DATA_PLANE,   1,  1, 4096, -",
                "DATA_PLANE,   1,  1, 4097, Cancel TEMPORARY_FILES",
                "DATA_PLANE, 100, 2000, 9999, Terminate LOCKS",
            })
    void eachLimitHasItsFirstAction(Login login, long seconds, long locks, long bytes, String expected) {
        var session =
                new Session(id(1), login, Optional.of(SHOP), true, false, Duration.ofSeconds(seconds), locks, bytes);

        assertThat(names(look(session))).isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    @Test
    void theLargestUsersOfAProjectAreEndedUntilTheRestIsWithinItsLimit() {
        List<Action> actions =
                look(holding(1, SHOP, 300), holding(2, SHOP, 700), holding(3, SHOP, 400), holding(4, NEIGHBOUR, 500));

        assertThat(ended(actions)).containsExactly(2);
    }

    @Test
    void twoUnknownRolesAreNotTakenForOneProject() {
        List<Action> actions = look(
                new Session(id(1), Login.OWNER, Optional.empty(), true, false, Duration.ZERO, 600, 0),
                new Session(id(2), Login.OWNER, Optional.empty(), true, false, Duration.ZERO, 600, 0),
                new Session(id(3), Login.OWNER, Optional.empty(), true, false, Duration.ZERO, 1_001, 0));

        assertThat(ended(actions)).containsExactly(3);
    }

    @Test
    void aCancellationIsFollowedByATerminationAndThenReported() {
        assertThat(names(look(overdue(1, true)))).containsExactly("Cancel TIME");
        assertThat(look(overdue(1, true))).isEmpty();
        pass(GRACE);
        assertThat(names(look(overdue(1, true)))).containsExactly("Terminate TIME");
        assertThat(look(overdue(1, true))).isEmpty();
        pass(STUCK_AFTER);
        assertThat(names(look(overdue(1, true)))).containsExactly("ReportStuck TIME");
        assertThat(judge.stuckOf(SHOP)).isEqualTo(1);
        pass(STUCK_AFTER);
        assertThat(look(overdue(1, true))).isEmpty();

        look();
        assertThat(judge.stuckOf(SHOP)).isZero();
    }

    @Test
    void anotherProcessOfTheSameNumberBeginsAtTheFirstStep() {
        look(overdue(1, true));
        pass(GRACE);
        var successor = new Session(
                new ProcessId(1, 77), Login.OWNER, Optional.of(SHOP), true, false, Duration.ofHours(1), 0, 0);

        assertThat(names(look(successor))).containsExactly("Cancel TIME");
    }

    @Test
    void strikesWithinTheWindowEndInQuarantineAndOldOnesDoNotCount() {
        look(holding(1, SHOP, 2_000));
        pass(Duration.ofMinutes(11));
        look(holding(2, SHOP, 2_000));
        look(holding(3, SHOP, 2_000));
        assertThat(names(look(holding(4, NEIGHBOUR, 2_000)))).containsExactly("Terminate LOCKS");

        assertThat(look(holding(5, SHOP, 2_000)))
                .filteredOn(Action.Quarantine.class::isInstance)
                .extracting(action -> action.owner().orElseThrow())
                .containsExactly(SHOP);
    }

    @Test
    void manySessionsEndedAtOnceAreOneStrike() {
        List<Action> actions = look(
                holding(1, SHOP, 2_000), holding(2, SHOP, 2_000), holding(3, SHOP, 2_000), holding(4, SHOP, 2_000));

        assertThat(ended(actions)).hasSize(4);
        assertThat(actions).noneMatch(Action.Quarantine.class::isInstance);
    }

    @Test
    void sessionsWhoseClientHasDiedAreNoStrikes() {
        for (int pid = 1; pid <= 5; pid++) {
            look(overdue(pid, false));
            pass(GRACE);
            assertThat(names(look(overdue(pid, false)))).containsExactly("Terminate TIME");
        }
    }

    @Test
    void asManyStuckSessionsAsTheLimitEndInQuarantine() {
        look(overdue(1, true), overdue(2, true));
        pass(GRACE);
        look(overdue(1, true), overdue(2, true));
        pass(STUCK_AFTER);

        assertThat(names(look(overdue(1, true), overdue(2, true))))
                .containsExactly("ReportStuck TIME", "ReportStuck TIME", "Quarantine TIME");
    }

    @Test
    void maintenanceHasALimitWhereItRunsTheTenantsCodeAndALongerOneElsewhere() {
        assertThat(look(List.of(), worker(1, 10, "index slow"))).isEmpty();
        assertThat(look(List.of(), worker(2, 299))).isEmpty();

        List<Action> actions = look(List.of(), worker(3, 11, "index slow"));

        assertThat(names(actions)).containsExactly("Terminate MAINTENANCE");
        assertThat(actions.getFirst().message()).contains("table t", "index slow");
        assertThat(names(look(List.of(), worker(4, 301)))).contains("Terminate MAINTENANCE");
    }

    @Test
    void theSecondTimeMaintenanceOfTheTableIsSwitchedOffAndLaterTimesAreStrikes() {
        look(List.of(), worker(1, 11, "index slow"));

        assertThat(names(look(List.of(), worker(2, 11, "index slow"))))
                .containsExactly("Terminate MAINTENANCE", "StopMaintenance MAINTENANCE");
        look(List.of(), worker(3, 11, "index slow"));
        look(List.of(), worker(4, 11, "index slow"));
        assertThat(names(look(List.of(), worker(5, 11, "index slow")))).contains("Quarantine MAINTENANCE");
    }

    @Test
    void locksOfMaintenanceCountAgainstItsProject() {
        var worker = new MaintenanceWorker(
                id(1), Optional.of(SHOP), "t", 7, Duration.ofSeconds(1), 5_000, List.of("index slow"));

        assertThat(names(look(List.of(), worker))).containsExactly("Terminate LOCKS");
    }

    @Test
    void theRecentPastOfProjectsIsBounded() {
        for (int i = 0; i < WatchJudge.MAX_PROJECTS + 100; i++) {
            look(holding(i + 1, new UUID(9, i), 2_000));
        }
        look(holding(1, SHOP, 2_000));
        look(holding(2, SHOP, 2_000));

        assertThat(names(look(holding(3, SHOP, 2_000)))).contains("Quarantine LOCKS");
    }

    @Test
    void aProjectThatComputesForLongIsWarnedOnceAndABurstIsNot() {
        List<Action> actions = new ArrayList<>();
        for (int second = 0; second < 85; second++) {
            actions.addAll(look(computing(1, SHOP), computing(2, SHOP), computing(3, SHOP), computing(4, NEIGHBOUR)));
            pass(Duration.ofSeconds(1));
            if (second == 40) {
                assertThat(actions).isEmpty();
            }
        }

        assertThat(names(actions)).containsExactly("Warn PROCESSORS");
        assertThat(actions.getFirst().owner()).contains(SHOP);
    }

    @Test
    void whatAPauseOfTheWatchHidIsNotCharged() {
        look(computing(1, SHOP), computing(2, SHOP));
        pass(Duration.ofHours(1));

        assertThat(look(computing(1, SHOP), computing(2, SHOP))).isEmpty();
    }

    @Test
    void whatASessionWritesToTheLogCountsFromItsFirstLookOn() {
        List<Action> actions = new ArrayList<>();
        for (long second = 0; second < 65; second++) {
            actions.addAll(judge.judge(
                    new Sample(List.of(), List.of())
                            .with(Optional.of(List.of(
                                    new WalWritten(id(1), Optional.of(SHOP), (1L << 40) + second * (2 << 20)),
                                    new WalWritten(id(2), Optional.of(NEIGHBOUR), second * (1 << 20))))),
                    now));
            pass(Duration.ofSeconds(1));
        }

        assertThat(names(actions)).containsExactly("Warn WAL");
        assertThat(actions.getFirst().owner()).contains(SHOP);
    }

    private static Session computing(int pid, UUID owner) {
        return new Session(id(pid), Login.DATA_PLANE, Optional.of(owner), true, true, Duration.ofSeconds(1), 0, 0);
    }

    private List<Action> look(Session... sessions) {
        return look(Arrays.asList(sessions));
    }

    private List<Action> look(List<Session> sessions, MaintenanceWorker... workers) {
        return judge.judge(new Sample(sessions, Arrays.asList(workers)), now);
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private static ProcessId id(int pid) {
        return new ProcessId(pid, 1);
    }

    private static Session holding(int pid, UUID owner, long locks) {
        return new Session(id(pid), Login.OWNER, Optional.of(owner), true, false, Duration.ofSeconds(1), locks, 0);
    }

    private static Session overdue(int pid, boolean busy) {
        return new Session(id(pid), Login.OWNER, Optional.of(SHOP), busy, false, Duration.ofHours(1), 0, 0);
    }

    private static MaintenanceWorker worker(int pid, long seconds, String... expressions) {
        return new MaintenanceWorker(
                id(pid), Optional.of(SHOP), "t", 7, Duration.ofSeconds(seconds), 3, List.of(expressions));
    }

    private static List<Integer> ended(List<Action> actions) {
        return actions.stream()
                .filter(Action.Terminate.class::isInstance)
                .map(action -> ((Action.Terminate) action).process().pid())
                .toList();
    }

    private static List<String> names(List<Action> actions) {
        List<String> names = new ArrayList<>();
        actions.forEach(action -> names.add(action.getClass().getSimpleName() + " " + action.rule()));
        return names;
    }
}
