package svc.operator.project.failure;

import static svc.operator.testing.TestingOperator.has;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.ProjectCondition;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.testing.TestingOperator;

/**
 * A server that is away when the operator starts, comes, goes and comes again. Its database is bare: the operator prepares
 * it when it first can.
 */
class ServerRestartTest {
    @Test
    void theOperatorStartsWithoutItAndFollowsIt(@TempDir Path folder) {
        EmbeddedPostgres server = server(folder, 0);
        String database = server.createDatabase("bare");
        int port = server.port();
        try (var operator = TestingOperator.on(server, database)) {
            server.close();
            operator.start();
            operator.create("shop");
            operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DatabaseUnreachable"));

            server = server(folder, port);
            operator.ready("shop");

            server.close();
            operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DatabaseUnreachable"));

            server = server(folder, port);
            operator.ready("shop");
        } finally {
            server.close();
        }
    }

    private static EmbeddedPostgres server(Path folder, int port) {
        return EmbeddedPostgres.start(new EmbeddedPostgres.Settings(folder, port, false, false, Map.of()));
    }
}
