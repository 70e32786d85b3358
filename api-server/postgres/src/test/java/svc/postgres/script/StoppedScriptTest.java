package svc.postgres.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.script.ScriptRun.Mode;

/** A script that is to stop stops, and its backend with it, however it resists. */
@Timeout(120)
class StoppedScriptTest {
    private static final ScriptRun ENDLESS = ScriptRun.of(
            "SELECT array_agg(g) && array_agg(-g) FROM generate_series(1, 60000) g", Duration.ofMillis(500));

    private TestingOwner owner;
    private OwnerSessions sessions;

    @BeforeEach
    void start() {
        owner = TestingOwner.create();
        sessions = new OwnerSessions(RunLimits.defaults(), TestingOwner.platformLogin());
    }

    @AfterEach
    void stop() {
        sessions.close();
    }

    private ScriptOutcome run(String sql, Duration time) {
        return sessions.run(owner.ownerLogin(), ScriptRun.of(sql, time));
    }

    private int backends() {
        return Integer.parseInt(
                owner.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = '" + owner.login() + "'"));
    }

    /** The server needs a moment between closing a connection and forgetting its backend. */
    private void awaitBackends(int number) throws InterruptedException {
        Instant limit = Instant.now().plus(Duration.ofMinutes(3));
        while (backends() != number) {
            assertThat(Instant.now())
                    .as("%d backends of %s", number, owner.login())
                    .isBefore(limit);
            Thread.sleep(20);
        }
    }

    @Test
    void aSessionThatNoScriptComesForEndsAndItsPlaceIsFree() throws Exception {
        for (int i = 0; i < 2 * RunLimits.defaults().perProject(); i++) {
            sessions.open(owner.ownerLogin(), false, Duration.ofSeconds(30)).close();
        }
        // A login that is under way keeps its place until it has come to its end: the next script waits for one.
        ScriptOutcome outcome = run("SELECT 1", Duration.ofSeconds(30));
        assertThat(outcome).isInstanceOf(ScriptOutcome.Committed.class);
        awaitBackends(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END;",
                "BEGIN FOR i IN 1..1000000000 LOOP NULL; END LOOP; EXCEPTION WHEN query_canceled THEN NULL; END;",
                "BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled OR OTHERS THEN NULL; END;"
            })
    void endsABackendThatCatchesEveryCancellation(String inside) throws InterruptedException {
        ScriptOutcome outcome = run(
                "SET statement_timeout = 0; SET client_connection_check_interval = 0; CREATE TABLE left_over (id int);"
                        + " DO $$ BEGIN LOOP " + inside + " END LOOP; END $$",
                Duration.ofMillis(500));
        assertThat(outcome).isInstanceOf(ScriptOutcome.TimedOut.class);
        awaitBackends(0);
        assertThat(owner.ask("SELECT to_regclass('" + owner.names().schemaName() + ".left_over')"))
                .isNull();
    }

    /** A comparison of two arrays checks for no interrupt: neither cancellation nor termination ends it. */
    @Test
    void aBackendThatNothingEndsKeepsItsPlaceUntilItHasEnded() throws InterruptedException {
        try (var single = new OwnerSessions(RunLimits.defaults().withPerProject(1), TestingOwner.platformLogin())) {
            ScriptRun next = ScriptRun.of("SELECT 1", Duration.ofSeconds(30));
            assertThat(single.run(owner.ownerLogin(), ENDLESS)).isInstanceOf(ScriptOutcome.TimedOut.class);

            assertThat(single.run(owner.ownerLogin(), next)).isInstanceOf(ScriptOutcome.Busy.class);
            assertThat(comparing()).as("the backend went on meanwhile").isEqualTo(1);

            awaitBackends(0);
            // The platform asks each second.
            ScriptOutcome outcome = single.run(owner.ownerLogin(), next);
            for (int i = 0; i < 10 && outcome instanceof ScriptOutcome.Busy; i++) {
                outcome = single.run(owner.ownerLogin(), next);
            }
            assertThat(outcome).isInstanceOf(ScriptOutcome.Committed.class);
        }
    }

    /** Such a server could say for ever that the backend runs. */
    @Test
    void onAServerThatATenantChoseThePlaceComesBackWithTheAnswer() {
        OwnerLogin platform = owner.ownerLogin();
        var chosen = new OwnerLogin(
                platform.jdbcUrl(),
                platform.role(),
                platform.password(),
                Server.CHOSEN_BY_TENANT,
                platform.verifier(),
                platform.organization());
        try (var single = new OwnerSessions(RunLimits.defaults().withPerProject(1), TestingOwner.platformLogin())) {
            assertThat(single.run(chosen, ENDLESS)).isInstanceOf(ScriptOutcome.TimedOut.class);

            assertThat(single.run(chosen, ScriptRun.of("SELECT 1", Duration.ofSeconds(30))))
                    .isInstanceOf(ScriptOutcome.Committed.class);
            assertThat(comparing()).as("the backend went on meanwhile").isEqualTo(1);
        }
    }

    private int comparing() {
        return Integer.parseInt(owner.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = '" + owner.login()
                + "' AND query LIKE '%array_agg%'"));
    }

    @Test
    void endsADeferredTriggerThatResistsAtCommit() throws InterruptedException {
        ScriptOutcome outcome = run(
                "CREATE TABLE late (id int); CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN LOOP"
                        + " BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$;"
                        + " CREATE CONSTRAINT TRIGGER stays AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION stay(); INSERT INTO late VALUES (1)",
                Duration.ofSeconds(1));
        assertThat(outcome).isInstanceOf(ScriptOutcome.TimedOut.class);
        awaitBackends(0);
        assertThat(owner.ask("SELECT to_regclass('" + owner.names().schemaName() + ".late')"))
                .isNull();
    }

    @Test
    void appliesNothingOnceTheCallerIsGone() throws Exception {
        var gone = new CompletableFuture<Void>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ScriptOutcome> running = threads.submit(() -> sessions.run(
                    owner.ownerLogin(),
                    ScriptRun.of("CREATE TABLE unseen (id int); SELECT pg_sleep(100)", Duration.ofSeconds(100)),
                    gone));
            awaitBackends(1);
            gone.complete(null);
            assertThat(running.get()).isInstanceOf(ScriptOutcome.CallerLeft.class);
        }
        awaitBackends(0);
        assertThat(owner.ask("SELECT to_regclass('" + owner.names().schemaName() + ".unseen')"))
                .isNull();
    }

    @Test
    void commitsNothingForACallerWhoWasGoneBefore() {
        ScriptOutcome outcome = sessions.run(
                owner.ownerLogin(),
                ScriptRun.of("CREATE TABLE unseen (id int)", Duration.ofSeconds(10)),
                CompletableFuture.completedFuture(null));
        assertThat(outcome).isInstanceOf(ScriptOutcome.CallerLeft.class);
        assertThat(owner.ask("SELECT to_regclass('" + owner.names().schemaName() + ".unseen')"))
                .isNull();
    }

    @Test
    void leavesNoSessionBehind() throws InterruptedException {
        run("SELECT 1", Duration.ofSeconds(10));
        run("SELECT nope", Duration.ofSeconds(10));
        awaitBackends(0);
    }

    /** It ends what no clock of ours sees any more, when this process is gone; after the statement timeout. */
    @Test
    void runsUnderTheServersOwnClockAsWell() {
        for (Mode mode : List.of(Mode.TRANSACTION, Mode.READ_ONLY, Mode.REHEARSAL)) {
            ScriptOutcome outcome = sessions.run(
                    owner.ownerLogin(),
                    ScriptRun.of(
                                    "SELECT current_setting('transaction_timeout')::interval"
                                            + " > current_setting('statement_timeout')::interval",
                                    Duration.ofSeconds(10))
                            .in(mode));
            assertThat(((ScriptOutcome.Committed) outcome)
                            .statements()
                            .getFirst()
                            .rows())
                    .hasValueSatisfying(rows -> assertThat(rows.rows().getFirst()[0])
                            .asString(UTF_8)
                            .isEqualTo("t"));
        }
    }

    @Test
    void tellsAFatalErrorOfTheScriptsOwnMaking() {
        // A limit that the script gave itself; PostgreSQL 17 has it. A running clock must be stopped before it is set
        // again.
        ScriptOutcome outcome = run(
                "SET transaction_timeout = 0; SET transaction_timeout = 1; SELECT pg_sleep(5)", Duration.ofSeconds(10));
        assertThat(outcome).isInstanceOf(ScriptOutcome.Failed.class);
        assertThat(((ScriptOutcome.Failed) outcome).error().sqlState()).isIn("25P04", "42704");
    }

    @Test
    void keepsLittleOfAnErrorHoweverLong() {
        ScriptOutcome outcome = run(
                "DO $$ BEGIN RAISE EXCEPTION '%', repeat('x', 50000000) USING HINT = repeat('y', 50000000); END $$",
                Duration.ofSeconds(30));
        ServerError error = ((ScriptOutcome.Failed) outcome).error();
        assertThat(error.message()).hasSize(WireConnection.MAX_TEXT_BYTES);
        assertThat(error.hint().orElseThrow()).hasSize(WireConnection.MAX_TEXT_BYTES);
    }

    @Test
    void runsAloneWhatCannotRunInATransaction() {
        run("CREATE TABLE big (id int); INSERT INTO big SELECT generate_series(1, 100)", Duration.ofSeconds(10));
        for (String sql : List.of("CREATE INDEX CONCURRENTLY big_id ON big (id)", "VACUUM ANALYZE big")) {
            assertThat(run(sql, Duration.ofSeconds(10))).isInstanceOf(ScriptOutcome.Failed.class);
            assertThat(sessions.run(
                            owner.ownerLogin(),
                            ScriptRun.of(sql, Duration.ofSeconds(10)).in(Mode.OUTSIDE_TRANSACTION)))
                    .isInstanceOf(ScriptOutcome.Committed.class);
        }
        assertThat(owner.ask("SELECT indisvalid FROM pg_index WHERE indexrelid = '"
                        + owner.names().schemaName() + ".big_id'::regclass"))
                .isEqualTo("t");
    }

    @Test
    void cutsAStatementThatRunsAlone() throws Exception {
        run("CREATE TABLE held (id int)", Duration.ofSeconds(10));
        try (Connection holder = TestingOwner.SERVER.connect(TestingOwner.DATABASE)) {
            holder.setAutoCommit(false);
            holder.createStatement().execute("LOCK TABLE " + owner.names().schemaName() + ".held");
            assertThat(sessions.run(
                            owner.ownerLogin(),
                            ScriptRun.of("VACUUM held", Duration.ofMillis(500)).in(Mode.OUTSIDE_TRANSACTION)))
                    .isInstanceOf(ScriptOutcome.TimedOut.class);
        }
        awaitBackends(0);
    }

    @Test
    void isBusyWhenTheProjectHasAllItsConnections() throws SQLException, InterruptedException, ExecutionException {
        owner.asOperator("ALTER ROLE " + owner.login() + " CONNECTION LIMIT 1");
        TestingOwner neighbour = TestingOwner.create();
        var gone = new CompletableFuture<Void>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ScriptOutcome> holds = threads.submit(() -> sessions.run(
                    owner.ownerLogin(), ScriptRun.of("SELECT pg_sleep(100)", Duration.ofSeconds(100)), gone));
            awaitBackends(1);
            assertThat(run("SELECT 1", Duration.ofSeconds(10))).isInstanceOf(ScriptOutcome.Busy.class);
            assertThat(sessions.run(neighbour.ownerLogin(), ScriptRun.of("SELECT 1", Duration.ofSeconds(10))))
                    .isInstanceOf(ScriptOutcome.Committed.class);
            gone.complete(null);
            holds.get();
        }
        awaitBackends(0);
        assertThat(run("SELECT 1", Duration.ofSeconds(10))).isInstanceOf(ScriptOutcome.Committed.class);
    }

    @Test
    void endsNoSessionOfOthers() throws Exception {
        TestingOwner neighbour = TestingOwner.create();
        ServerAddress address = ServerAddress.of(owner.jdbcUrl());
        var end = new SessionEnd(TestingOwner.platformLogin());
        try (OwnerSession session = OwnerSession.open(
                address, neighbour.login(), neighbour.password(), Duration.ofSeconds(30), java.util.Map.of())) {
            assertThat(end.end(
                            new OwnerLogin(owner.jdbcUrl(), owner.login(), ""),
                            address,
                            session.backend(),
                            Duration.ofSeconds(30)))
                    .isFalse();
            assertThat(end.end(
                            new OwnerLogin(owner.jdbcUrl(), "postgres", ""),
                            address,
                            session.backend(),
                            Duration.ofSeconds(30)))
                    .isFalse();
            assertThat(InternalQuery.ask(session, SqlFragment.of("SELECT 1"))).isEqualTo(List.of(List.of("1")));
            assertThat(end.end(
                            new OwnerLogin(owner.jdbcUrl(), neighbour.login(), ""),
                            address,
                            session.backend(),
                            Duration.ofSeconds(30)))
                    .isTrue();
        }
        var refused = (ScriptOutcome.Failed)
                run("SELECT svc_functions.end_owner_session(1, '" + owner.login() + "')", Duration.ofSeconds(30));
        assertThat(refused.error().sqlState()).isEqualTo("42501");
    }
}
