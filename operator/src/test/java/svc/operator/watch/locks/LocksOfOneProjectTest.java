package svc.operator.watch.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.TestingDatabases;
import svc.operator.watch.TestingWatch;
import svc.operator.watch.rule.Action;
import svc.operator.watch.rule.Rule;

/** Promise: a transaction that fills the server's table of locks is ended, and its neighbours go on. */
class LocksOfOneProjectTest {
    /** Errors of the lock calls are caught, and the locks stay until the transaction ends. */
    private static final String FILL = """
            DO $$ BEGIN
                FOR i IN 1..300000 LOOP
                    BEGIN PERFORM nextval((2000000000 + i)::oid::regclass); EXCEPTION WHEN OTHERS THEN NULL; END;
                END LOOP;
                PERFORM pg_sleep(40);
            END $$""";

    private final TestingDatabases databases = TestingDatabases.create();
    private final TestingWatch watch = TestingWatch.on(databases, TestingWatch.LIMITS);

    @AfterEach
    void stop() {
        watch.close();
    }

    @Test
    void aTransactionWithTooManyLocksIsEndedAndTheNeighbourGoesOn() throws Exception {
        ProjectRecord hoarder = watch.project("hoarder");
        ProjectRecord neighbour = watch.project("neighbour");
        watch.run(neighbour, "CREATE TABLE t (id int PRIMARY KEY)");

        Future<String> filling = watch.running(hoarder, FILL);
        Action.Terminate ended = watch.await(hoarder, Action.Terminate.class);

        assertThat(ended.rule()).isEqualTo(Rule.LOCKS);
        assertThat(ended.message()).contains("locks", "smaller transactions");
        assertThat(TestingWatch.result(filling)).isEqualTo("57P01");
        watch.run(neighbour, "INSERT INTO t VALUES (1); CREATE TABLE u (id int PRIMARY KEY)");
        assertThat(watch.actions(neighbour)).isEmpty();
    }

    @Test
    void whileTheTableOfLocksIsFullTheWatchStillEndsWhoFillsIt() throws Exception {
        ProjectRecord hoarder = watch.project("hoarder");
        // The watch has not seen this login before: its name cannot be read while the table is full.
        Future<String> first = watch.running(hoarder, FILL);
        Future<String> second = watch.running(hoarder, FILL);

        assertThat(TestingWatch.result(first)).isEqualTo("57P01");
        assertThat(TestingWatch.result(second)).isEqualTo("57P01");
    }

    @Test
    void aMigrationWithManyTablesIsLeftAlone() throws Exception {
        ProjectRecord shop = watch.project("shop");

        watch.run(
                shop,
                "DO $$ BEGIN FOR i IN 1..300 LOOP EXECUTE format('CREATE TABLE t%s (id int PRIMARY KEY, name text)', i);"
                        + " END LOOP; PERFORM pg_sleep(1); END $$");

        assertThat(watch.actions(shop)).isEmpty();
        try (Connection connection = watch.owner(shop)) {
            assertThat(TestingDatabases.query(connection, "SELECT count(*) FROM pg_tables"))
                    .isNotEmpty();
        }
    }
}
