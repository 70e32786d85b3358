package svc.operator.watch.rates;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.TestingDatabases;
import svc.operator.testing.TestingOperator;
import svc.operator.watch.TestingWatch;
import svc.operator.watch.rule.Action;
import svc.operator.watch.rule.Rule;
import svc.operator.watch.rule.WatchLimits;

/** Promise: a project that uses processors or the write-ahead log for long is warned, nothing is ended, and no neighbour is named. */
class LastingUseWarnsTest {
    private static final WatchLimits LOW = new WatchLimits(
            1,
            Duration.ofMinutes(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(5),
            4L << 30,
            6,
            Duration.ofMinutes(10),
            2,
            new WatchLimits.Rates(0.01, 1 << 20),
            Duration.ofSeconds(2));

    private final TestingWatch watch = TestingWatch.on(TestingDatabases.create(), LOW);

    @AfterEach
    void stop() {
        watch.close();
    }

    @Test
    void processors() throws Exception {
        ProjectRecord busy = watch.project("busy");
        ProjectRecord waiting = watch.project("waiting");

        Future<String> sleeping = watch.running(waiting, "SELECT pg_sleep(3)");
        Future<String> computing = watch.running(busy, """
                DO $$ DECLARE began timestamptz := clock_timestamp(); BEGIN
                    WHILE clock_timestamp() < began + interval '5 s' LOOP END LOOP;
                END $$""");

        assertThat(TestingWatch.result(computing)).isEmpty();
        awaitWarning(busy, Rule.PROCESSORS);
        assertThat(TestingWatch.result(sleeping)).isEmpty();
        assertThat(watch.actions(waiting)).isEmpty();
    }

    @Test
    void theWriteAheadLog() throws Exception {
        ProjectRecord writing = watch.project("writing");

        try (Connection connection = watch.owner(writing)) {
            TestingDatabases.execute(connection, "CREATE TABLE t (text text)");
            Awaitility.await().atMost(TestingOperator.LIMIT).until(() -> {
                TestingDatabases.execute(
                        connection, "INSERT INTO t SELECT repeat('x', 1000) FROM generate_series(1, 500)");
                return watch.actions(writing).stream().anyMatch(action -> action.rule() == Rule.WAL);
            });
        }
        awaitWarning(writing, Rule.WAL);
    }

    private void awaitWarning(ProjectRecord project, Rule rule) {
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .untilAsserted(() -> assertThat(watch.actions(project))
                        .anySatisfy(action -> assertThat(action.rule()).isEqualTo(rule)));
        assertThat(watch.actions(project)).allMatch(Action.Warn.class::isInstance);
    }
}
