package svc.database.shared.queues;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** A queue is reached by those to whom its project gives it, and by no other project. */
class QueueWallsTest extends QueueFixture {
    @BeforeEach
    void makeQueue() throws Exception {
        Sql.run(owner, "SELECT svc_pgmq.create('jobs'); SELECT svc_pgmq.send('jobs', '\"mine\"')");
    }

    @Test
    void theSameNameIsAnotherQueue() throws Exception {
        assertThat(value("SELECT message FROM svc_pgmq.pop('jobs')")).isEqualTo("\"mine\"");
        assertThat(value("SELECT count(*) FROM svc_pgmq.pop('jobs')")).isEqualTo("0");
        assertThat(Sql.value(other, "SELECT message FROM svc_pgmq.pop('jobs')")).isEqualTo("\"theirs\"");
    }

    @Test
    void noNameLeadsToANeighboursTables() throws Exception {
        for (String name : List.of("$N__pgmq.q_jobs", "jobs\" UNION SELECT", "../$N__pgmq/jobs", "\".\"q_jobs")) {
            assertThat(state("SELECT svc_pgmq.send('" + name + "', '{}')"))
                    .as(name)
                    .isIn("42P01", "42602");
        }
        assertThat(state("SELECT * FROM $N__pgmq.q_jobs")).isEqualTo("42501");
        assertThat(state("SELECT * FROM $N__pgmq.meta")).isEqualTo("42501");
        // Parts of the functions are functions, too.
        assertThat(state("SELECT svc_pgmq.relation_of('q_jobs ON $N__pgmq.', 'x')"))
                .isEqualTo("00000");
        assertThat(Sql.value(other, "SELECT count(*) FROM svc_pgmq.read('jobs', 0, 9)"))
                .isEqualTo("1");
    }

    @Test
    void withoutAGrantOnlyTheOwnerReachesAQueue() throws Exception {
        try (Connection api = tenant.login("api");
                Connection service = tenant.login("service")) {
            Sql.run(api, tenant.fill("SET ROLE $S_anon"));
            for (Connection caller : List.of(api, service)) {
                for (String call : List.of(
                        "SELECT svc_pgmq.send('jobs', '{}')",
                        "SELECT * FROM svc_pgmq.read('jobs', 0, 1)",
                        "SELECT * FROM svc_pgmq.pop('jobs')",
                        "SELECT svc_pgmq.purge_queue('jobs')",
                        "SELECT * FROM svc_pgmq.metrics('jobs')",
                        "SELECT svc_pgmq.drop_queue('jobs')",
                        "SELECT svc_pgmq.create('another')",
                        "CALL svc_statements.create_extension('pgmq')",
                        "CALL svc_statements.drop_extensions(ARRAY['pgmq'], true, true)")) {
                    assertThat(Sql.state(caller, call)).as(call).isEqualTo("42501");
                }
            }
        }
        assertThat(value("SELECT count(*) FROM $S__pgmq.q_jobs")).isEqualTo("1");
    }

    @Test
    void grantsAndRowSecurityHold() throws Exception {
        Sql.run(owner, tenant.fill("""
                CALL svc_statements.grant_on_schemas(ARRAY['pgmq'], ARRAY['$S_authenticated'], true);
                GRANT SELECT, INSERT, UPDATE, DELETE ON $S__pgmq.q_jobs TO $S_authenticated;
                ALTER TABLE $S__pgmq.q_jobs ENABLE ROW LEVEL SECURITY;
                CREATE POLICY p ON $S__pgmq.q_jobs TO $S_authenticated USING (message = '"for all"') WITH CHECK (true)"""));
        try (Connection api = tenant.login("api")) {
            Sql.run(api, tenant.fill("SET ROLE $S_authenticated"));
            Sql.run(api, "SELECT svc_pgmq.send('jobs', '\"for all\"')");

            assertThat(Sql.column(api, "SELECT message FROM svc_pgmq.read('jobs', 0, 9)"))
                    .containsExactly("\"for all\"");
        }
    }

    @Test
    void extensionsAreRegisteredPerProject() throws Exception {
        Tenant third = HardenedServer.newTenant();
        String installed = "SELECT count(*) FROM svc_views.pg_extension WHERE extname = 'pgmq'";
        String available =
                "SELECT count(*) FROM svc_views.pg_available_extensions WHERE name = 'pgmq' AND installed_version IS NULL";
        try (Connection connection = third.owner()) {
            assertThat(Sql.value(connection, installed)).isEqualTo("0");
            assertThat(Sql.value(connection, available)).isEqualTo("1");
            Sql.run(
                    connection,
                    "CALL svc_statements.create_extension('pgmq'); CALL svc_statements.create_extension('pgmq')");
            assertThat(Sql.value(connection, installed)).isEqualTo("1");
            assertThat(Sql.value(connection, available)).isEqualTo("0");
            assertThat(Sql.value(connection, third.fill("SELECT count(*) FROM $S__pgmq.meta")))
                    .isEqualTo("0");
            assertThat(Sql.state(connection, "CALL svc_statements.drop_extensions(ARRAY['pgmq'], false, false)"))
                    .isEqualTo("00000");
            assertThat(Sql.value(connection, installed)).isEqualTo("0");
            assertThat(Sql.state(connection, "CALL svc_statements.drop_extensions(ARRAY['pgmq'], false, false)"))
                    .isEqualTo("42704");
            assertThat(Sql.state(connection, "CALL svc_statements.drop_extensions(ARRAY['pgmq'], true, false)"))
                    .isEqualTo("00000");
            assertThat(Sql.state(connection, "CALL svc_statements.create_extension('plpython3u')"))
                    .isEqualTo("0A000");
        }
        assertThat(value(installed)).isEqualTo("1");
    }

    @Test
    void droppingTheExtensionAsksBeforeItTakesQueues() throws Exception {
        assertThat(state("CALL svc_statements.drop_extensions(ARRAY['pgmq'], false, false)"))
                .isEqualTo("2BP01");
        assertThat(state("CALL svc_statements.drop_extensions(ARRAY['pgmq'], false, true)"))
                .isEqualTo("00000");
        assertThat(state("SELECT svc_pgmq.send('jobs', '{}')")).isEqualTo("42P01");
        assertThat(Sql.value(other, "SELECT count(*) FROM svc_pgmq.read('jobs', 0, 9)"))
                .isEqualTo("1");
        assertThat(state("SELECT svc_pgmq.create('jobs')")).isEqualTo("00000");
    }

    @Test
    void noProjectReadsOrWritesTheRegistry() {
        assertThat(state("SELECT * FROM svc_guard.project_extension")).isEqualTo("42501");
        assertThat(state("SELECT svc_guard.note_extension('$N', 'pgmq')")).isEqualTo("42501");
        assertThat(state("SELECT svc_guard.forget_extensions('$N')")).isEqualTo("42501");
        assertThat(state("DROP FUNCTION svc_pgmq.send(text, jsonb)")).isEqualTo("42501");
        assertThat(state("CREATE FUNCTION svc_pgmq.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"))
                .isEqualTo("42501");
    }

    @Test
    void theSchemasOfQueuesDoNotCountAmongTheProjects() throws Exception {
        for (int i = 0; i < 20; i++) {
            Sql.run(owner, "CALL svc_statements.create_schema('s" + i + "', false, NULL)");
        }
        assertThat(state("CALL svc_statements.create_schema('pgmq_public', false, NULL)"))
                .isEqualTo("00000");
        assertThat(state("CALL svc_statements.create_schema('pgmq', true, NULL)"))
                .isEqualTo("00000");
        assertThat(state("CALL svc_statements.rename_schema('pgmq_public', 'more')"))
                .isEqualTo("42939");
        assertThat(state("CALL svc_statements.create_schema('more', false, NULL)"))
                .isEqualTo("54000");
    }
}
