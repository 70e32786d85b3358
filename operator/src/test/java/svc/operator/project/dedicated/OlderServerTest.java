package svc.operator.project.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.ProjectCondition;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/** Promise: a server older than PostgreSQL 16 is reported as too old and not changed, dedicated or shared. */
class OlderServerTest {
    private static final String REASON = "ServerTooOld";

    private final EmbeddedPostgres server = TestingPostgres.server();

    @Test
    void ofAProjectAlone() throws Exception {
        String database = server.createDatabase("older");
        try (OlderServer older = OlderServer.before(server);
                TestingOperator operator = TestingOperator.prepared().start()) {
            var projects = new DedicatedProject(operator, server);
            projects.secret(
                    "shop",
                    Map.of(
                            "host",
                            "127.0.0.1",
                            "port",
                            Integer.toString(older.port()),
                            "dbname",
                            database,
                            "user",
                            EmbeddedPostgres.OPERATOR,
                            "password",
                            server.operatorPassword()));
            projects.create("shop");

            var project = operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, REASON));

            assertThat(condition(project, ProjectCondition.DATABASE_READY).message())
                    .contains("PostgreSQL 15")
                    .contains("16 or newer");
            assertThat(project.isFailed()).isTrue();
            assertThat(schemas(database)).isEqualTo("0");
            operator.at("shop").delete();
            operator.awaitGone("shop");
        }
    }

    @Test
    void ofThePlatform() throws Exception {
        String database = server.createDatabase("older");
        try (OlderServer older = OlderServer.before(server);
                TestingOperator operator = TestingOperator.on(server, database)
                        .with(
                                "svc.databases.main.jdbc-url",
                                "jdbc:postgresql://127.0.0.1:" + older.port() + "/" + database)
                        .start()) {
            operator.create("shop");

            var project = operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, REASON));

            assertThat(project.isFailed()).isTrue();
            assertThat(schemas(database)).isEqualTo("0");
        }
    }

    private String schemas(String database) throws Exception {
        try (var connection = server.connect(database);
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT count(*) FROM pg_namespace WHERE nspname ~ '^(svc_|proj_|auth$|storage$|realtime$)'")) {
            row.next();
            return row.getString(1);
        }
    }
}
