package svc.database.shared.extension;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Jobs of a project: stored under pg_cron's names and rules, seen and changed by their project's owner alone. */
class ScheduledJobsTest {
    private Tenant tenant;
    private Tenant neighbour;

    @BeforeEach
    void createProjects() throws Exception {
        tenant = HardenedServer.newTenant();
        neighbour = HardenedServer.newTenant();
    }

    @Test
    void aJobIsStoredChangedAndRemoved() throws Exception {
        try (Connection owner = tenant.owner()) {
            String first = Sql.value(owner, "SELECT svc_cron.schedule('nightly', '0 3 * * *', 'VACUUM')");
            assertThat(Sql.value(owner, "SELECT svc_cron.schedule('nightly', '30 seconds', 'SELECT 1')"))
                    .isEqualTo(first);
            assertThat(Sql.value(owner, "SELECT svc_cron.schedule('@hourly', 'SELECT 2')"))
                    .isNotEqualTo(first);
            assertThat(
                            Sql.column(
                                    owner,
                                    "SELECT concat_ws('|', jobid, schedule, command, nodename,"
                                            + " nodeport, database, username, active, jobname) FROM svc_cron.job ORDER BY jobid"))
                    .containsExactly(
                            "1|30 seconds|SELECT 1|localhost|5432|postgres|postgres|t|nightly",
                            "2|@hourly|SELECT 2|localhost|5432|postgres|postgres|t");

            Sql.run(owner, "SELECT svc_cron.alter_job(2, active := false, schedule := '5 4 * * sun')");
            assertThat(Sql.value(
                            owner,
                            "SELECT concat_ws('|', schedule, command, active) FROM svc_cron.job WHERE jobid = 2"))
                    .isEqualTo("5 4 * * sun|SELECT 2|f");

            assertThat(Sql.value(owner, "SELECT svc_cron.unschedule('nightly')"))
                    .isEqualTo("t");
            assertThat(Sql.value(owner, "SELECT svc_cron.unschedule(2)")).isEqualTo("t");
            assertThat(Sql.column(owner, "SELECT jobid FROM svc_cron.job")).isEmpty();
            assertThat(Sql.state(owner, "SELECT svc_cron.unschedule('nightly')"))
                    .isEqualTo("P0002");
            assertThat(Sql.state(owner, "SELECT svc_cron.unschedule(2)")).isEqualTo("P0002");
        }
    }

    @Test
    void aJobOfAnotherDatabaseOrUserIsRefused() throws Exception {
        try (Connection owner = tenant.owner()) {
            String call = "SELECT svc_cron.schedule_in_database('x', '* * * * *', 'SELECT 1', %s)";
            assertThat(Sql.state(owner, call.formatted("'postgres'"))).isEqualTo("00000");
            assertThat(Sql.state(owner, call.formatted("'template1'"))).isEqualTo("3D000");
            assertThat(Sql.state(owner, call.formatted("'postgres', 'postgres', false")))
                    .isEqualTo("00000");
            assertThat(Sql.state(owner, call.formatted("'postgres', '" + neighbour.schema() + "_owner'")))
                    .isEqualTo("42501");
        }
    }

    @Test
    void theExtensionIsThereFromTheFirstJobOnAndItsRemovalAsksFirst() throws Exception {
        try (Connection owner = tenant.owner();
                Connection other = neighbour.owner();
                Connection superuser = HardenedServer.superuser()) {
            String there = "SELECT count(*) FROM svc_views.pg_extension WHERE extname = 'pg_cron'";
            assertThat(Sql.value(owner, there)).isEqualTo("0");
            Sql.run(owner, "SELECT svc_cron.schedule('mine', '* * * * *', 'SELECT 1')");
            Sql.run(other, "SELECT svc_cron.schedule('theirs', '* * * * *', 'SELECT 1')");
            assertThat(Sql.value(owner, there)).isEqualTo("1");
            assertThat(Sql.state(owner, "CALL svc_statements.drop_extensions('{pg_cron}', false, false)"))
                    .isEqualTo("2BP01");
            Sql.run(owner, "CALL svc_statements.drop_extensions('{pg_cron}', false, true)");
            assertThat(Sql.value(owner, there)).isEqualTo("0");
            assertThat(Sql.column(owner, "SELECT jobname FROM svc_cron.job")).isEmpty();
            assertThat(Sql.column(other, "SELECT jobname FROM svc_cron.job")).containsExactly("theirs");

            Sql.run(other, "SELECT svc_net.http_get('http://example.com')");
            Sql.run(superuser, "SELECT svc_guard.forget_extensions('" + neighbour.schema() + "')");
            for (String table :
                    List.of("svc_cron.stored_job", "svc_net.queued_request", "svc_guard.project_extension")) {
                assertThat(Sql.value(
                                superuser,
                                "SELECT count(*) FROM " + table + " WHERE schema_name = '" + neighbour.schema() + "'"))
                        .as(table)
                        .isEqualTo("0");
            }
        }
    }

    @Test
    void theNumberAndTheSizeOfJobsAreBounded() throws Exception {
        try (Connection owner = tenant.owner();
                Connection other = neighbour.owner()) {
            Sql.run(
                    owner,
                    "SELECT svc_cron.schedule('j' || i, '* * * * *', 'SELECT 1') FROM generate_series(1, 100) i");
            assertThat(Sql.state(owner, "SELECT svc_cron.schedule('j101', '* * * * *', 'SELECT 1')"))
                    .isEqualTo("54000");
            assertThat(Sql.state(owner, "SELECT svc_cron.schedule('j100', '* * * * *', 'SELECT 2')"))
                    .isEqualTo("00000");
            assertThat(Sql.state(other, "SELECT svc_cron.schedule('j101', '* * * * *', 'SELECT 1')"))
                    .isEqualTo("00000");
            assertThat(Sql.state(other, "SELECT svc_cron.schedule('big', '* * * * *', repeat('x', 65537))"))
                    .isEqualTo("22023");
            assertThat(Sql.state(other, "SELECT svc_cron.schedule(repeat('x', 256), '* * * * *', 'SELECT 1')"))
                    .isEqualTo("22023");
        }
    }

    @Test
    void noOtherProjectAndNoOtherRoleReachesAJob() throws Exception {
        try (Connection owner = tenant.owner();
                Connection other = neighbour.owner()) {
            Sql.run(owner, "SELECT svc_cron.schedule('mine', '* * * * *', 'SELECT ''secret''')");
            Sql.run(
                    owner,
                    tenant.fill("CREATE FUNCTION $S.jobs() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
                            + " AS 'SELECT count(*) FROM svc_cron.job'"));

            assertThat(Sql.column(other, "SELECT jobid FROM svc_cron.job")).isEmpty();
            assertThat(Sql.state(other, "SELECT svc_cron.unschedule('mine')")).isEqualTo("P0002");
            assertThat(Sql.state(other, "SELECT svc_cron.alter_job(1, command := 'SELECT 2')"))
                    .isEqualTo("P0002");
            for (String hostile : List.of(
                    "SELECT * FROM svc_cron.stored_job",
                    "SELECT * FROM svc_cron.stored_run",
                    "UPDATE svc_cron.job SET command = 'x'",
                    "INSERT INTO svc_cron.job (jobid) VALUES (1)",
                    "SELECT svc_cron.take_lead()",
                    "SELECT svc_cron.store_job('" + tenant.schema() + "', 'x', '* * * * *', 'SELECT 1', true)")) {
                assertThat(Sql.state(other, hostile)).as(hostile).isEqualTo("42501");
            }
            for (String login : List.of("api", "service", "system")) {
                try (Connection plane = tenant.login(login)) {
                    assertThat(Sql.column(plane, "SELECT jobid FROM svc_cron.job"))
                            .as(login)
                            .isEmpty();
                    assertThat(Sql.state(plane, "SELECT svc_cron.schedule('* * * * *', 'SELECT 1')"))
                            .as(login)
                            .isEqualTo("42501");
                }
            }
            try (Connection service = tenant.login("service")) {
                assertThat(Sql.value(service, tenant.fill("SELECT $S.jobs()"))).isEqualTo("1");
            }
        }
    }

    @Test
    void aFunctionInAFilterSeesNoRowOfAnother() throws Exception {
        try (Connection owner = tenant.owner();
                Connection other = neighbour.owner()) {
            Sql.run(owner, "SELECT svc_cron.schedule('mine', '* * * * *', 'SELECT ''secret''')");
            Sql.run(other, "SELECT svc_cron.schedule('theirs', '* * * * *', 'SELECT 1')");
            Sql.run(
                    other,
                    neighbour.fill("CREATE TABLE $S.seen (command text);"
                            + "CREATE FUNCTION $S.leak(command text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001"
                            + " AS 'BEGIN INSERT INTO $S.seen VALUES (command); RETURN true; END'"));
            Sql.run(other, neighbour.fill("SELECT FROM svc_cron.job WHERE $S.leak(command)"));
            assertThat(Sql.column(other, neighbour.fill("SELECT command FROM $S.seen")))
                    .containsExactly("SELECT 1");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30 seconds | {30}",
                "1 second | {1}",
                "* * * * * | {1152921504606846975,16777215,4294967294,8190,127,0}",
                "0 3 1 jan mon | {1,8,2,2,2,1}",
                "0,59 0-2 * * 7 | {576460752303423489,7,4294967294,8190,1,0}",
                "*/30 */12 $ * * | {1073741825,4097,4294967296,8190,127,0}",
                "5 4 1,$ feb-mar sat,sun | {32,16,4294967298,12,65,1}",
                "0 0 */15 * fri | {1,1,2147549186,8190,32,0}",
                "@daily | {1,1,4294967294,8190,127,0}",
            })
    void aScheduleHasTheMeaningOfPgCron(String schedule, String calendar) throws Exception {
        assertThat(calendar(schedule)).isEqualTo(calendar);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "* * * 13 *",
                "* * * * 8",
                "5-1 * * * *",
                "5/15 * * * *",
                "*/0 * * * *",
                "a * * * *",
                "* * * foo *",
                "1,,2 * * * *",
                "$ * * * *",
                "0 seconds",
                "60 seconds",
                "-1 seconds",
                "@reboot",
                "1-2-3 * * * *"
            })
    void aScheduleThatCannotBeReadIsRefused(String schedule) throws Exception {
        try (Connection owner = tenant.owner()) {
            assertThat(Sql.state(owner, "SELECT svc_cron.schedule('" + schedule + "', 'SELECT 1')"))
                    .isEqualTo("22023");
            assertThat(Sql.state(owner, "SELECT svc_cron.schedule(NULL, 'SELECT 1')"))
                    .isEqualTo("22023");
        }
    }

    private static String calendar(String schedule) throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            return Sql.value(superuser, "SELECT svc_cron.calendar('" + schedule + "')");
        }
    }
}
