package svc.operator.watch.report;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;
import svc.operator.watch.database.ProjectRecords;
import svc.operator.watch.rule.Action;
import svc.operator.watch.rule.ProcessId;
import svc.operator.watch.rule.Rule;

/** What the watch did to a project is an Event of it. */
class WatchReportsTest {
    private static final ProcessId PROCESS = new ProcessId(1, 1);

    private static TestingOperator operator;
    private static Optional<UUID> project;

    @BeforeAll
    static void start() {
        operator = TestingOperator.prepared().start();
        operator.create("shop");
        project = Optional.of(UUID.fromString(operator.ready("shop").getStatus().projectId()));
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    @Test
    void eachActionHasItsEvent() {
        var platform = new PGSimpleDataSource();
        platform.setUrl(TestingPostgres.server().jdbcUrl(operator.query("SELECT current_database()")));
        platform.setUser(EmbeddedPostgres.OPERATOR);
        platform.setPassword(TestingPostgres.server().operatorPassword());
        var reports = new WatchReports(
                operator.client(),
                new ProjectRecords(platform, operator.clock()),
                new ResourceEvents(operator.client(), operator.clock(), seen -> {}),
                seen -> {},
                (database, id, message) -> false,
                id -> {});
        try (reports) {
            List.of(
                            new Action.Warn(project, Rule.WAL, "warned"),
                            new Action.Cancel(project, Rule.TIME, PROCESS, "cancelled"),
                            new Action.Terminate(project, Rule.TIME, PROCESS, "ended"),
                            new Action.ReportStuck(project, Rule.TIME, PROCESS, "stuck"),
                            new Action.StopMaintenance(project, Rule.MAINTENANCE, 1, "left alone"))
                    .forEach(action -> reports.acted("main", action));
            for (String reason : List.of(
                    "LimitNear", "StatementCancelled", "SessionTerminated", "SessionStuck", "MaintenanceStopped")) {
                operator.awaitEvent("shop", reason);
            }
        }
    }
}
