package svc.postgres.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.database.name.DatabaseRole;
import svc.postgres.script.ScriptOutcome.Busy.Share;

/** A script runs as its project's owner, wholly or not at all, and never for longer or with more than it may. */
@Timeout(60)
class OwnerSessionsTest {
    private static TestingOwner owner;
    private static OwnerSessions sessions;

    @BeforeAll
    static void start() {
        owner = TestingOwner.create();
        sessions = new OwnerSessions(RunLimits.defaults(), TestingOwner.platformLogin());
    }

    @AfterAll
    static void stop() {
        sessions.close();
    }

    private static ScriptOutcome run(String sql) {
        return sessions.run(owner.ownerLogin(), ScriptRun.of(sql, Duration.ofSeconds(30)));
    }

    private static ScriptOutcome hastily(String sql) {
        return sessions.run(owner.ownerLogin(), ScriptRun.of(sql, Duration.ofMillis(700)));
    }

    private static List<String> firstColumn(ScriptOutcome outcome) {
        assertThat(outcome).isInstanceOf(ScriptOutcome.Committed.class);
        return ((ScriptOutcome.Committed) outcome)
                .rows().orElseThrow().rows().stream()
                        .map(row -> new String(row[0], StandardCharsets.UTF_8))
                        .toList();
    }

    private static ServerError error(ScriptOutcome outcome) {
        assertThat(outcome).isInstanceOf(ScriptOutcome.Failed.class);
        return ((ScriptOutcome.Failed) outcome).error();
    }

    private static Optional<String> relation(String name) {
        return Optional.ofNullable(owner.ask("SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace('"
                + owner.names().schemaName() + "') AND relname = '" + name + "'"));
    }

    @Test
    void runsAsTheOwnerInItsSchema() {
        assertThat(firstColumn(run("SELECT session_user || ' ' || current_user || ' ' || current_schema()")))
                .containsExactly(owner.login() + " " + owner.login() + " "
                        + owner.names().schemaName());
    }

    @Test
    void answersTheRowsOfTheLastStatementThatReturnsAny() {
        var committed = (ScriptOutcome.Committed) run("CREATE TABLE last_rows (id int, note text);"
                + " SELECT 'first';"
                + " INSERT INTO last_rows VALUES (1, 'a;b'), (2, NULL) RETURNING id, note;"
                + " UPDATE last_rows SET note = 'c'");
        assertThat(committed.commands()).containsExactly("CREATE TABLE", "SELECT 1", "INSERT 0 2", "UPDATE 2");
        ResultRows rows = committed.rows().orElseThrow();
        assertThat(rows.columns())
                .extracting(ResultRows.Column::name, ResultRows.Column::typeOid)
                .containsExactly(tuple("id", 23), tuple("note", 25));
        assertThat(rows.rows()).hasSize(2);
        assertThat(rows.rows().get(1)[1]).isNull();
        assertThat(rows.cut()).isFalse();
    }

    @Test
    void committedAnswerIsThereForTheNextSession() {
        run("CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)");
        assertThat(firstColumn(run("SELECT id FROM kept"))).containsExactly("7");
    }

    @Test
    void leavesNothingOfAScriptThatFails() {
        ServerError error = error(run("CREATE TABLE half (id int);\nINSERT INTO half VALUES (1);\nSELECT 'ä😀', nope"));
        assertThat(error.sqlState()).isEqualTo("42703");
        assertThat(error.message()).contains("nope");
        assertThat(error.position()).contains(71);
        assertThat(relation("half")).isEmpty();
    }

    @Test
    void leavesNothingOfAScriptWhoseCommitFails() {
        ServerError error = error(run("CREATE TABLE parent (id int PRIMARY KEY);"
                + " CREATE TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED);"
                + " INSERT INTO child VALUES (1)"));
        assertThat(error.sqlState()).isEqualTo("23503");
        assertThat(error.detail()).isPresent();
        assertThat(relation("child")).isEmpty();
    }

    @Test
    void sendsTextAsOneMessageWhateverItsQuotes() {
        assertThat(firstColumn(run("SELECT E'\\';' || $a$;$b$;$a$ || ';' /* ; /* ; */ */ -- ;\n")))
                .containsExactly("';;$b$;;");
    }

    @Test
    void noticesAScriptThatEndsTheTransaction() {
        assertThat(run("CREATE TABLE gone (id int); COMMIT; SELECT 1"))
                .isInstanceOf(ScriptOutcome.LeftTransaction.class);
        assertThat(run("COMMIT; BEGIN; CREATE TABLE other (id int)")).isInstanceOf(ScriptOutcome.LeftTransaction.class);
        assertThat(relation("other")).isEmpty();
        assertThat(run("COMMIT AND CHAIN; CREATE TABLE chained (id int)"))
                .isInstanceOf(ScriptOutcome.LeftTransaction.class);
        assertThat(relation("chained")).isEmpty();
        assertThat(run("ROLLBACK; SELECT 1")).isInstanceOf(ScriptOutcome.LeftTransaction.class);
    }

    @Test
    void staysTheOwnerWhateverDynamicSqlDoes() {
        TestingOwner neighbour = TestingOwner.create();
        neighbour.asOperator("CREATE TABLE " + neighbour.names().schemaName() + ".secret (id int)");
        for (String attempt : List.of(
                "RESET ROLE",
                "RESET SESSION AUTHORIZATION",
                "SET ROLE " + neighbour.login(),
                "SET SESSION AUTHORIZATION " + neighbour.login())) {
            ScriptOutcome outcome = run("DO $$ BEGIN EXECUTE '" + attempt
                    + "'; EXCEPTION WHEN OTHERS THEN NULL; END $$; SELECT current_user");
            assertThat(firstColumn(outcome)).containsExactly(owner.login());
        }
        assertThat(error(run("SELECT * FROM " + neighbour.names().schemaName() + ".secret"))
                        .sqlState())
                .isEqualTo("42501");
    }

    @Test
    void aRoleThatAScriptTakesEndsWithIt() {
        String anon = owner.names().role(DatabaseRole.ANON).name();
        run("CREATE TABLE taken (who text DEFAULT current_user);"
                + " CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN INSERT INTO taken VALUES (''late '' || current_user); RETURN NULL; END';"
                + " CREATE TABLE late (id int);"
                + " CREATE CONSTRAINT TRIGGER tell AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION tell()");
        assertThat(firstColumn(run("SET ROLE " + anon + "; INSERT INTO late VALUES (1);"
                        + " INSERT INTO taken DEFAULT VALUES; SELECT current_user")))
                .containsExactly(anon);
        assertThat(firstColumn(run("SELECT who FROM taken ORDER BY 1"))).containsExactly("late " + anon, anon);
        assertThat(error(run("SET ROLE " + anon + "; CREATE TABLE mine (id int)"))
                        .sqlState())
                .isEqualTo("42501");
        assertThat(relation("mine")).isEmpty();
    }

    @Test
    void runsInTheRoleOfACallerWithItsClaims() {
        String authenticated = owner.names().role(DatabaseRole.AUTHENTICATED).name();
        var caller = new ImpersonatedCaller(
                authenticated, "{\"sub\": \"it's\"}", owner.names().schemaName());
        ScriptRun run = ScriptRun.of(
                        "SELECT concat_ws(' ', session_user, current_user, current_setting('request.jwt.claims'),"
                                + " current_setting('search_path'))",
                        Duration.ofSeconds(30))
                .as(caller);
        assertThat(firstColumn(sessions.run(owner.ownerLogin(), run)))
                .containsExactly(owner.login() + " " + authenticated + " {\"sub\": \"it's\"} "
                        + owner.names().schemaName());
        var another = new ImpersonatedCaller(
                TestingOwner.create().login(), "{}", owner.names().schemaName());
        assertThat(error(sessions.run(owner.ownerLogin(), run.as(another))).sqlState())
                .isEqualTo("42501");
    }

    @Test
    void forgetsTheSessionAfterEachScript() {
        run("SELECT set_config('app.trace', 'left behind', false); LISTEN something");
        assertThat(firstColumn(run("SELECT coalesce(current_setting('app.trace', true), 'clean')")))
                .containsExactly("clean");
    }

    @Test
    void cutsAScriptByItsOwnClock() {
        assertThat(hastily("SET statement_timeout = 0; CREATE TABLE slow (id int); SELECT pg_sleep(1000)"))
                .isInstanceOf(ScriptOutcome.TimedOut.class);
        assertThat(relation("slow")).isEmpty();
    }

    @Test
    void cutsAScriptThatCatchesItsCancellation() {
        assertThat(hastily("DO $$ BEGIN FOR i IN 1..1000 LOOP BEGIN PERFORM pg_sleep(1);"
                        + " EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$"))
                .isInstanceOf(ScriptOutcome.TimedOut.class);
    }

    @Test
    void keepsAnAnswerWithinItsLimits() {
        var cut = (ScriptOutcome.Committed) run("SELECT i FROM generate_series(1, 20000) AS i");
        assertThat(cut.rows().orElseThrow().rows()).hasSize(10_000);
        assertThat(cut.rows().orElseThrow().cut()).isTrue();
        var wide = (ScriptOutcome.Committed) run("SELECT repeat('x', 1000000) FROM generate_series(1, 50)");
        assertThat(wide.rows().orElseThrow().rows()).hasSizeLessThan(9);
        assertThat(wide.rows().orElseThrow().cut()).isTrue();
        var empty = (ScriptOutcome.Committed) run("SELECT FROM generate_series(1, 300000)");
        assertThat(empty.rows().orElseThrow().rows()).hasSize(10_000);
    }

    @Test
    void dropsNoticesHoweverMany() {
        assertThat(run("DO $$ BEGIN FOR i IN 1..20000 LOOP RAISE NOTICE '%', repeat('x', 1000); END LOOP; END $$"))
                .isInstanceOf(ScriptOutcome.Committed.class);
    }

    @Test
    void refusesMoreScriptsThanAProjectMayRun() throws Exception {
        List<Future<ScriptOutcome>> results = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                results.add(threads.submit(() -> run("SELECT pg_sleep(5)")));
            }
        }
        int busy = 0;
        for (Future<ScriptOutcome> result : results) {
            busy += result.get().equals(new ScriptOutcome.Busy(Share.PROJECT)) ? 1 : 0;
        }
        assertThat(busy).isEqualTo(4);
        assertThat(run("SELECT 1")).isInstanceOf(ScriptOutcome.Committed.class);
    }

    @Test
    void anOrganizationLeavesSessionsToOthers() throws Exception {
        var gone = new CompletableFuture<Void>();
        List<Future<ScriptOutcome>> results = new ArrayList<>();
        try (var few = new OwnerSessions(RunLimits.defaults().withSessions(8), TestingOwner.platformLogin());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int project = 0; project < 3; project++) {
                OwnerLogin login = TestingOwner.create().ownerLogin("greedy");
                for (int script = 0; script < RunLimits.defaults().perProject(); script++) {
                    ScriptRun run = ScriptRun.of("SELECT pg_sleep(100)", Duration.ofSeconds(100));
                    results.add(threads.submit(() -> few.run(login, run, gone)));
                }
            }
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> done(results) == 8);
            assertThat(few.budget().held()).isEqualTo(4);

            assertThat(few.run(
                            owner.ownerLogin("modest"), ScriptRun.of("SELECT pg_sleep(0.1)", Duration.ofSeconds(30))))
                    .isInstanceOf(ScriptOutcome.Committed.class);
            gone.complete(null);
        }
        for (Future<ScriptOutcome> result : results) {
            assertThat(result.get()).isIn(new ScriptOutcome.Busy(Share.ORGANIZATION), new ScriptOutcome.CallerLeft());
        }
    }

    private static long done(List<Future<ScriptOutcome>> results) {
        return results.stream().filter(Future::isDone).count();
    }

    @Test
    void runsAnEmptyScript() {
        assertThat(run("  \n ")).isEqualTo(new ScriptOutcome.Committed(List.of(), java.util.Map.of()));
    }

    @Test
    void aLoginThatAScriptClosedIsRestored() {
        for (String closing :
                List.of("PASSWORD 'mine now'", "SET session_replication_role = 'origin'", "SET role = 'x'")) {
            run("DO $$ BEGIN EXECUTE format('ALTER ROLE %I " + closing.replace("'", "''")
                    + "', current_user); EXCEPTION WHEN OTHERS THEN NULL; END $$");
            assertThat(run("SELECT 1")).as("%s", closing).isInstanceOf(ScriptOutcome.Committed.class);
        }
    }

    @Test
    void saysWhenTheDatabaseCannotBeReached() {
        assertThat(sessions.run(
                        new OwnerLogin("jdbc:postgresql://127.0.0.1:1/x", "x", "x"),
                        ScriptRun.of("SELECT 1", Duration.ofSeconds(30))))
                .isInstanceOf(ScriptOutcome.Unreachable.class);
        assertThat(sessions.run(
                        new OwnerLogin(owner.jdbcUrl(), owner.login(), "wrong"),
                        ScriptRun.of("SELECT 1", Duration.ofSeconds(30))))
                .isInstanceOf(ScriptOutcome.LockedOut.class);
    }
}
