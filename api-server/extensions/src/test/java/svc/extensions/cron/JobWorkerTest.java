package svc.extensions.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.extensions.SharedProjects;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** Due jobs start once, missed times are recorded, and no project delays another's jobs. */
class JobWorkerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Of a command. */
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final SharedProjects projects = new SharedProjects();
    private final SharedProjects.Time clock = new SharedProjects.Time("2026-11-28T10:00:30Z");
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<String> commands = new ConcurrentLinkedQueue<>();

    /** Commands that begin with "wait" end with it. */
    private final CountDownLatch release = new CountDownLatch(1);

    private Tenant tenant;
    private Tenant neighbour;
    private JobWorker worker;

    @BeforeEach
    void start() {
        tenant = projects.project("aaaa2345");
        neighbour = projects.project("bbbb2345");
        worker = worker();
    }

    @AfterEach
    void stop() {
        release.countDown();
        threads.shutdownNow();
        projects.close();
    }

    /** Of a process of its own. */
    private JobWorker worker() {
        JobCommands all = new JobCommands() {
            @Override
            public JobResult run(Tenant owner, long job, String command) {
                return JobWorkerTest.this.run(owner, job, command);
            }

            @Override
            public Duration limit() {
                return LIMIT;
            }
        };
        return new JobWorker(projects.worker(), projects.live(), all, JobWorker.places(), threads, clock);
    }

    private void turn() {
        worker.writeEnds();
        worker.turn();
    }

    private JobResult run(Tenant owner, long job, String command) {
        commands.add(owner.ref() + " " + job + " " + command);
        if (command.startsWith("wait")) {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return command.startsWith("fail") ? JobResult.failure("ERROR: no\0") : JobResult.success("SELECT 1");
    }

    private void schedule(Tenant owner, String schedule, String command) {
        projects.database.asOwner(owner, "SELECT svc_cron.schedule('" + schedule + "', '" + command + "')");
    }

    private String history(Tenant owner) {
        return projects.database.ask("SELECT coalesce(string_agg(concat_ws(' ', jobid, status, return_message), '; '"
                + " ORDER BY runid), '') FROM svc_cron.stored_run WHERE schema_name = '"
                + owner.names().schemaName() + "'");
    }

    /** Turns until the history of a project is this. */
    private void awaitHistory(Tenant owner, String expected) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            turn();
            assertThat(history(owner)).isEqualTo(expected);
        });
    }

    @Test
    void aDueJobRunsOnceAndItsEndIsWritten() {
        schedule(tenant, "* * * * *", "SELECT 1");
        schedule(neighbour, "* * * * *", "fail");
        worker.turn();
        assertThat(commands).isEmpty();

        clock.pass(MINUTE);
        awaitHistory(tenant, "1 succeeded SELECT 1");
        awaitHistory(neighbour, "1 failed ERROR: no ");
        assertThat(commands).containsExactlyInAnyOrder("aaaa2345 1 SELECT 1", "bbbb2345 1 fail");

        clock.pass(MINUTE);
        awaitHistory(tenant, "1 succeeded SELECT 1; 1 succeeded SELECT 1");
    }

    @Test
    void aJobThatRunsIsNotStartedAgain() {
        schedule(tenant, "* * * * *", "wait");
        worker.turn();
        clock.pass(MINUTE);
        worker.turn();
        clock.pass(MINUTE);
        worker.turn();
        await().until(() -> commands.size() == 1);
        assertThat(history(tenant)).isEqualTo("1 running");
        release.countDown();
        awaitHistory(tenant, "1 succeeded SELECT 1");
        clock.pass(MINUTE);
        awaitHistory(tenant, "1 succeeded SELECT 1; 1 succeeded SELECT 1");
    }

    @Test
    void aTimeThatPassedWithoutAWorkerIsRecordedAndNotMadeUpFor() {
        schedule(tenant, "* * * * *", "SELECT 1");
        worker.turn();
        clock.pass(Duration.ofMinutes(30));
        worker.turn();
        assertThat(history(tenant)).startsWith("1 failed missed: ").doesNotContain(";");
        assertThat(commands).isEmpty();
        clock.pass(MINUTE);
        await().untilAsserted(() -> {
            turn();
            assertThat(history(tenant)).endsWith("; 1 succeeded SELECT 1");
        });
    }

    @Test
    void aPausedProjectRunsNothing() {
        schedule(tenant, "* * * * *", "SELECT 1");
        schedule(neighbour, "* * * * *", "SELECT 1");
        worker.turn();
        projects.pause(tenant);
        clock.pass(MINUTE);
        awaitHistory(neighbour, "1 succeeded SELECT 1");
        assertThat(history(tenant)).isEmpty();

        projects.resume(tenant);
        worker.turn();
        assertThat(history(tenant)).isEmpty();
        clock.pass(MINUTE);
        awaitHistory(tenant, "1 succeeded SELECT 1");
    }

    @Test
    void jobsOfAProjectBeyondItsPlacesWaitAndDelayNoNeighbour() {
        for (int i = 0; i < 2 * JobWorker.RUNNING_OF_PROJECT; i++) {
            schedule(tenant, "* * * * *", "wait " + i);
        }
        schedule(neighbour, "* * * * *", "SELECT 1");
        worker.turn();
        clock.pass(MINUTE);
        awaitHistory(neighbour, "1 succeeded SELECT 1");
        assertThat(commands.stream().filter(command -> command.startsWith("aaaa2345")))
                .hasSize(JobWorker.RUNNING_OF_PROJECT);
        release.countDown();
        await().untilAsserted(() -> {
            turn();
            assertThat(history(tenant).split("; ")).hasSize(2 * JobWorker.RUNNING_OF_PROJECT);
        });
    }

    @Test
    void anOpenTransactionOfAProjectDelaysNoOtherAndLosesNothing() throws Exception {
        schedule(tenant, "* * * * *", "SELECT 1");
        schedule(neighbour, "* * * * *", "SELECT 1");
        worker.turn();
        clock.pass(MINUTE);
        try (Connection holder = TestingProjects.SERVER.connect(projects.database.database())) {
            holder.setAutoCommit(false);
            holder.createStatement()
                    .execute("SELECT * FROM svc_cron.stored_job WHERE schema_name = '"
                            + tenant.names().schemaName() + "' FOR UPDATE");
            awaitHistory(neighbour, "1 succeeded SELECT 1");
            assertThat(history(tenant)).isEmpty();
            holder.rollback();
        }
        awaitHistory(tenant, "1 succeeded SELECT 1");
    }

    @Test
    void aJobThatRunsInAProcessThatLedBeforeIsNotStartedAgain() {
        schedule(tenant, "* * * * *", "wait");
        worker.turn();
        clock.pass(MINUTE);
        worker.turn();
        await().until(() -> commands.size() == 1);

        JobWorker next = worker();
        for (int i = 0; i < 2; i++) {
            clock.pass(MINUTE);
            next.closeLost();
            next.turn();
            assertThat(history(tenant)).isEqualTo("1 running");
        }
        release.countDown();
        await().untilAsserted(() -> {
            worker.writeEnds();
            assertThat(history(tenant)).isEqualTo("1 succeeded SELECT 1");
        });
        clock.pass(MINUTE);
        next.turn();
        await().until(() -> commands.size() == 2);
    }

    @Test
    void aRunWhoseProcessEndedIsClosedWhenItsCommandCannotRunAnyMore() {
        schedule(tenant, "* * * * *", "wait");
        worker.turn();
        clock.pass(MINUTE);
        worker.turn();
        clock.pass(LIMIT.plus(JobWorker.MARGIN).plusSeconds(1));
        worker.closeLost();
        assertThat(history(tenant)).isEqualTo("1 running");

        JobWorker next = worker();
        next.closeLost();
        assertThat(history(tenant)).startsWith("1 failed the platform was restarted");
    }

    @Test
    void anEndIsWrittenForItsOwnRunAlone() {
        schedule(tenant, "* * * * *", "wait");
        worker.turn();
        clock.pass(MINUTE);
        worker.turn();
        await().until(() -> commands.size() == 1);
        // As an administrator: projects have no right to.
        projects.database.asOperator("DELETE FROM svc_cron.stored_run");
        schedule(tenant, "* * * * *", "fail");
        worker.turn();
        clock.pass(MINUTE);
        awaitHistory(tenant, "2 failed ERROR: no ");
        release.countDown();
        assertThat(drained()).isTrue();
        assertThat(history(tenant)).isEqualTo("2 failed ERROR: no ");
        assertThat(projects.database.ask("SELECT runid FROM svc_cron.stored_run"))
                .isEqualTo("2");
    }

    private boolean drained() {
        try {
            return worker.drain(Duration.ofSeconds(20));
        } catch (InterruptedException e) {
            throw new IllegalStateException("while draining", e);
        }
    }

    @Test
    void slowJobsOfAnOrganisationLeavePlacesAndLoseNoTimeToThePlatform() {
        List<Tenant> many = IntStream.range(0, 10)
                .mapToObj(i -> projects.project("many234" + (char) ('a' + i), "many"))
                .toList();
        many.forEach(one ->
                IntStream.range(0, JobWorker.RUNNING_OF_PROJECT).forEach(i -> schedule(one, "0 * * * *", "wait " + i)));
        schedule(neighbour, "0 * * * *", "SELECT 1");
        worker.turn();
        clock.pass(Duration.ofMinutes(59).plusSeconds(30));
        awaitHistory(neighbour, "1 succeeded SELECT 1");
        assertThat(commands.size()).isLessThan(JobWorker.RUNNING);
        for (int i = 0; i < 3; i++) {
            clock.pass(Duration.ofSeconds(50));
            turn();
        }
        release.countDown();
        for (Tenant one : many) {
            await().untilAsserted(() -> {
                turn();
                assertThat(history(one).split("; "))
                        .hasSize(JobWorker.RUNNING_OF_PROJECT)
                        .allMatch(run -> run.endsWith("succeeded SELECT 1"));
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT", "UPDATE"})
    void anErrorOfOneProjectsRowsDelaysNoOther(String event) {
        schedule(tenant, "* * * * *", "SELECT 1");
        schedule(neighbour, "* * * * *", "SELECT 1");
        projects.database.asOperator("CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE EXCEPTION ''broken''; END';"
                + "CREATE TRIGGER broken BEFORE " + event + " ON svc_cron.stored_run FOR EACH ROW"
                + " WHEN (NEW.schema_name = '" + tenant.names().schemaName() + "') EXECUTE FUNCTION public.fail();"
                + "GRANT USAGE ON SCHEMA public TO svc_extensions");
        worker.turn();
        clock.pass(MINUTE);
        awaitHistory(neighbour, "1 succeeded SELECT 1");
        clock.pass(MINUTE);
        awaitHistory(neighbour, "1 succeeded SELECT 1; 1 succeeded SELECT 1");
        // The worker knows that the first run has ended, though the row does not say it.
        assertThat(history(tenant)).isEqualTo(event.equals("INSERT") ? "" : "1 running; 1 running");
    }

    @Test
    void missedTimesAreNotKeptForEver() {
        schedule(tenant, "* * * * *", "SELECT 1");
        projects.database.asOperator("INSERT INTO svc_cron.stored_run SELECT '"
                + tenant.names().schemaName() + "', i, 1, 'x', 'succeeded' FROM generate_series(1, 300) i");
        worker.turn();
        clock.pass(Duration.ofMinutes(30));
        worker.turn();
        worker.writeEnds();
        assertThat(projects.database.ask("SELECT count(*) || ' ' || max(runid) FROM svc_cron.stored_run"))
                .isEqualTo(JobStore.KEPT_RUNS + " 301");
    }

    @Test
    void theHistoryIsBounded() {
        schedule(tenant, "1 second", "SELECT 1");
        projects.database.asOperator("INSERT INTO svc_cron.stored_run SELECT '"
                + tenant.names().schemaName() + "', i, 1, 'x', 'succeeded' FROM generate_series(1, 1000) i;"
                + "INSERT INTO svc_cron.stored_run SELECT '"
                + neighbour.names().schemaName() + "', i, 1, 'x', 'succeeded' FROM generate_series(1, 300) i");
        worker.turn();
        clock.pass(Duration.ofSeconds(1));
        String count = "SELECT count(*) || ' ' || max(runid) FROM svc_cron.stored_run WHERE schema_name = '";
        await().untilAsserted(() -> {
            turn();
            assertThat(projects.database.ask(count + tenant.names().schemaName() + "'"))
                    .isEqualTo(JobStore.KEPT_RUNS + " 1001");
        });
        assertThat(projects.database.ask(count + neighbour.names().schemaName() + "'"))
                .isEqualTo("300 300");
    }

    @Test
    void theWorkersLoginHasNoRightOnAProject() {
        projects.database.asOwner(tenant, "CREATE TABLE secrets (a int)");
        for (String hostile : List.of("secrets", "auth.users")) {
            String table = hostile.startsWith("auth")
                    ? tenant.names().schemaName() + "_auth.users"
                    : tenant.names().schemaName() + "." + hostile;
            assertThat(projects.database.ask("SELECT has_table_privilege('svc_extensions', '" + table + "', 'SELECT')"))
                    .isEqualTo("f");
        }
        assertThat(projects.database.ask(
                        "SELECT count(*) FROM pg_auth_members m WHERE m.member = 'svc_extensions'::regrole"
                                + " AND m.roleid::regrole::text ~ '^proj_'"))
                .isEqualTo("0");
    }
}
