package svc.operator.watch.overrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.TestingDatabases;
import svc.operator.watch.TestingWatch;
import svc.operator.watch.rule.Action;
import svc.operator.watch.rule.Rule;
import svc.operator.watch.rule.WatchLimits;

/** Promise: a session older than any call is cancelled, then terminated; one that nothing ends counts against its project. */
class SessionsThatOutliveTheirCallTest {
    private static final WatchLimits SHORT = new WatchLimits(
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            4L << 30,
            6,
            Duration.ofMinutes(10),
            1,
            new WatchLimits.Rates(1, 2L << 30),
            Duration.ofMillis(300));

    private final TestingWatch watch = TestingWatch.on(TestingDatabases.create(), SHORT);

    @AfterEach
    void stop() {
        watch.close();
    }

    @Test
    void aStatementIsCancelled() throws Exception {
        ProjectRecord slow = watch.project("slow");

        Future<String> sleeping = watch.running(slow, "SELECT pg_sleep(40)");

        assertThat(TestingWatch.result(sleeping)).isEqualTo("57014");
        assertThat(watch.await(slow, Action.Cancel.class).rule()).isEqualTo(Rule.TIME);
    }

    @Test
    void oneThatCatchesItsCancellationIsTerminated() throws Exception {
        ProjectRecord stubborn = watch.project("stubborn");

        Future<String> catching = watch.running(stubborn, """
                DO $$ BEGIN LOOP
                    BEGIN PERFORM pg_sleep(40); EXCEPTION WHEN query_canceled THEN NULL; END;
                END LOOP; END $$""");

        assertThat(TestingWatch.result(catching)).isEqualTo("57P01");
    }

    @Test
    void oneThatWaitsInItsTransactionIsTerminated() throws Exception {
        ProjectRecord idle = watch.project("idle");
        try (Connection connection = watch.owner(idle)) {
            connection.setAutoCommit(false);
            TestingDatabases.execute(connection, "CREATE TABLE t (id int)");

            assertThat(watch.await(idle, Action.Terminate.class).rule()).isEqualTo(Rule.TIME);
        } finally {
            assertThat(watch.actions(idle)).noneMatch(Action.Quarantine.class::isInstance);
        }
    }

    @Test
    void oneThatNothingEndsCountsAgainstItsProject() throws Exception {
        ProjectRecord endless = watch.project("endless");

        // The server compares both arrays without a look at its interrupts.
        Future<String> comparing =
                watch.running(endless, "SELECT array_agg(g) && array_agg(-g) FROM generate_series(1, 60000) g");

        assertThat(watch.await(endless, Action.ReportStuck.class).message()).contains("cannot be ended");
        assertThat(watch.await(endless, Action.Quarantine.class).project()).isEqualTo(endless.projectId());
        assertThat(TestingWatch.result(comparing)).isEqualTo("57P01");
    }
}
