package svc.operator.database.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.operator.testing.TestingPostgres;

/** The text of migrations is the project's own: it does not outlive its data. The audit, which holds no text, does. */
class HistoryGoesWithItsProjectTest {
    @Test
    void andOnlyWithItsOwn() throws SQLException {
        UUID gone = UUID.randomUUID();
        UUID stays = UUID.randomUUID();
        try (Connection connection = TestingPostgres.server().connect(TestingPostgres.database());
                var statement = connection.createStatement()) {
            for (UUID project : new UUID[] {gone, stays}) {
                register(statement, project);
            }
            statement.execute("DELETE FROM svc_platform.project WHERE project_id = '" + gone + "'");

            assertThat(of(statement, "migration")).isEqualTo(stays.toString());
            assertThat(of(statement, "sql_call").split(",")).hasSize(2);
        }
    }

    private static void register(Statement statement, UUID project) throws SQLException {
        String ref = project.toString().substring(0, 8);
        statement.execute("INSERT INTO svc_platform.project (project_id, ref, schema_name, layout, namespace, name,"
                + " database_name, incarnation, master_key_version) VALUES ('" + project + "', '" + ref + "', 'proj_"
                + project.toString().replace("-", "") + "', 'shared', 'n', '" + ref
                + "', 'main', sha256('x'), 1)");
        statement.execute("INSERT INTO svc_platform.migration (id, project_id, version, query, database_name,"
                + " transaction_id, request_hash, actor, request_id, started_at) VALUES (gen_random_uuid(), '" + project
                + "', '20300131120000', 'x', 'main', '1', sha256('x'), 'service_role', 'r', now())");
        statement.execute(
                "INSERT INTO svc_platform.migration_rollback (migration_id, database_name, transaction_id, actor,"
                        + " request_id, started_at) SELECT id, 'main', '1', 'service_role', 'r', now()"
                        + " FROM svc_platform.migration WHERE project_id = '" + project + "'");
        statement.execute("INSERT INTO svc_platform.sql_call (id, project_id, ref, organisation_id, actor, request_id,"
                + " text_hash, text_bytes, started_at, result) VALUES (gen_random_uuid(), '" + project + "', '" + ref
                + "', 'default', 'service_role', 'r', sha256('x'), 1, now(), 'committed')");
    }

    private static String of(Statement statement, String table) throws SQLException {
        try (var rows = statement.executeQuery("SELECT string_agg(project_id::text, ',') FROM svc_platform." + table)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
