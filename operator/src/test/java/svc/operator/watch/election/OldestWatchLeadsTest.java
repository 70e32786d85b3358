package svc.operator.watch.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.TestingDatabases;
import svc.operator.testing.TestingOperator;
import svc.operator.watch.TestingWatch;
import svc.operator.watch.rule.Action;
import svc.operator.watch.rule.WatchLimits;

/** Promise: of the watches on a database only the oldest acts; when its connection is gone, the next one does. */
class OldestWatchLeadsTest {
    private static final WatchLimits SHORT = new WatchLimits(
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            4L << 30,
            100,
            Duration.ofMinutes(10),
            9,
            new WatchLimits.Rates(1, 2L << 30),
            Duration.ofSeconds(30));

    private final TestingDatabases databases = TestingDatabases.create();

    @Test
    void theSecondWaitsForTheFirst() throws Exception {
        try (var first = TestingWatch.on(databases, SHORT)) {
            awaitWatches(1);
            try (var second = TestingWatch.on(databases, SHORT)) {
                awaitWatches(2);
                ProjectRecord shop = first.project("shop");

                assertThat(TestingWatch.result(first.running(shop, "SELECT pg_sleep(40)")))
                        .isEqualTo("57014");
                assertThat(first.actions(shop)).isNotEmpty();
                assertThat(second.actions(shop)).isEmpty();

                first.close();
                awaitWatches(1);
                Future<String> sleeping = second.running(shop, "SELECT pg_sleep(40)");
                assertThat(TestingWatch.result(sleeping)).isEqualTo("57014");
                second.await(shop, Action.Cancel.class);
            }
        }
    }

    @Test
    void aLostConnectionIsOpenedAgain() throws Exception {
        try (var watch = TestingWatch.on(databases, SHORT)) {
            awaitWatches(1);
            databases.asOperator("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = 'svc-watch' AND datname = current_database()");
            ProjectRecord shop = watch.project("shop");

            assertThat(TestingWatch.result(watch.running(shop, "SELECT pg_sleep(40)")))
                    .isEqualTo("57014");
        }
    }

    private void awaitWatches(int number) {
        Awaitility.await(number + " watches").atMost(TestingOperator.LIMIT).until(() -> {
            try (Connection connection = databases.server().connect(databases.sharedName())) {
                return TestingDatabases.query(
                                        connection,
                                        "SELECT pid FROM pg_stat_activity WHERE application_name = 'svc-watch'"
                                                + " AND datname = current_database()")
                                .size()
                        == number;
            }
        });
    }
}
