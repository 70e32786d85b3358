package svc.postgres.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.postgres.script.ScriptRun.Mode;

/** A transaction that takes one script behind the other is applied as a whole or not at all, and has one place and one time. */
@Timeout(120)
class HeldTransactionTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static TestingOwner owner;
    private static OwnerSessions sessions;

    @BeforeAll
    static void start() {
        owner = TestingOwner.create();
        sessions = new OwnerSessions(RunLimits.defaults().withPerProject(1), TestingOwner.platformLogin());
    }

    @AfterAll
    static void stop() {
        sessions.close();
    }

    private static HeldTransaction hold(Duration time) {
        return sessions.hold(owner.ownerLogin(), Mode.TRANSACTION, time);
    }

    private static ScriptOutcome run(HeldTransaction held, String sql) {
        return held.run(ScriptRun.of(sql, LONG), new CompletableFuture<>());
    }

    /** In a session of its own, as soon as the project has a place for it. */
    private static String alone(String sql) {
        ScriptOutcome outcome;
        do {
            outcome = sessions.run(owner.ownerLogin(), ScriptRun.of(sql, LONG));
        } while (outcome instanceof ScriptOutcome.Busy);
        assertThat(outcome).isInstanceOf(ScriptOutcome.Committed.class);
        return ((ScriptOutcome.Committed) outcome)
                .rows()
                .map(rows -> new String(rows.rows().getFirst()[0], StandardCharsets.UTF_8))
                .orElse("");
    }

    @Test
    void scriptsAreAppliedTogether() {
        alone("CREATE TABLE together (id int)");
        try (HeldTransaction held = hold(LONG)) {
            assertThat(run(held, "INSERT INTO together VALUES (1)")).isInstanceOf(ScriptOutcome.Committed.class);
            assertThat(run(held, "INSERT INTO together VALUES (2)")).isInstanceOf(ScriptOutcome.Committed.class);
            assertThat(owner.ask("SELECT count(*) FROM " + owner.names().schemaName() + ".together"))
                    .isEqualTo("0");
            assertThat(held.end(new CompletableFuture<>())).isInstanceOf(ScriptOutcome.Committed.class);
        }
        assertThat(alone("SELECT count(*) FROM together")).isEqualTo("2");
    }

    @Test
    void noScriptChangesHowTheNextOneIsRead() {
        alone("CREATE TABLE read_as_judged (id int)");
        for (String parameter : List.of("standard_conforming_strings = off", "client_encoding = SJIS")) {
            try (HeldTransaction held = hold(LONG)) {
                assertThat(run(held, "DO $$ BEGIN EXECUTE 'SET " + parameter + "'; END $$"))
                        .isInstanceOf(ScriptOutcome.Unreadable.class);
                // One string for the gate; with the parameter off a second statement begins within it.
                assertThat(run(held, "SELECT '\\' || '; INSERT INTO read_as_judged VALUES (1); --'"))
                        .isInstanceOf(ScriptOutcome.TimedOut.class);
                assertThat(held.end(new CompletableFuture<>())).isInstanceOf(ScriptOutcome.TimedOut.class);
            }
        }
        assertThat(alone("SELECT count(*) FROM read_as_judged")).isEqualTo("0");
    }

    @Test
    void aStatementIsDescribedWithWhatTheTransactionHasMade() {
        try (HeldTransaction held = hold(LONG)) {
            run(held, "CREATE TABLE made_here (id int)");
            List<StatementDescription> found = new ArrayList<>();
            ScriptRun select = ScriptRun.of("SELECT id FROM made_here WHERE id = $1", LONG);
            assertThat(held.describe(select, List.of(), new CompletableFuture<>(), found::add))
                    .isInstanceOf(ScriptOutcome.Committed.class);
            assertThat(found)
                    .singleElement()
                    .satisfies(
                            described -> assertThat(described.parameterTypes()).containsExactly(23));
            assertThat(run(held, "INSERT INTO made_here VALUES (1)")).isInstanceOf(ScriptOutcome.Committed.class);
        }
        assertThat(alone("SELECT to_regclass('made_here') IS NULL")).isEqualTo("t");
    }

    @Test
    void anErrorBehindASavepointLeavesTheTransactionToAReturn() {
        alone("CREATE TABLE returned (id int)");
        var here = new CompletableFuture<Void>();
        try (HeldTransaction held = hold(LONG)) {
            run(held, "INSERT INTO returned VALUES (1)");
            assertThat(held.setSavepoint(here)).isInstanceOf(ScriptOutcome.Committed.class);
            assertThat(run(held, "INSERT INTO returned VALUES (2); SELECT 1/0"))
                    .isInstanceOf(ScriptOutcome.Failed.class);
            assertThat(held.isOver()).isFalse();
            assertThat(held.returnToSavepoint(0, here)).isInstanceOf(ScriptOutcome.Committed.class);
            assertThat(held.releaseSavepoint(0, here)).isInstanceOf(ScriptOutcome.Committed.class);
            assertThat(held.end(here)).isInstanceOf(ScriptOutcome.Committed.class);
        }
        assertThat(alone("SELECT count(*) FROM returned")).isEqualTo("1");
    }

    @Test
    void settingsBeginEachSessionAndAreWrittenAsTheServerDoes() {
        var here = new CompletableFuture<Void>();
        try (HeldTransaction held = sessions.hold(
                owner.ownerLogin(), Mode.TRANSACTION, LONG, Map.of("default_transaction_isolation", "serializable"))) {
            ScriptOutcome shown = run(held, "SELECT current_setting('transaction_isolation')");
            assertThat(value(shown)).isEqualTo("serializable");
            assertThat(value(held.set(Map.of("statement_timeout", "60000ms"), true, here)))
                    .isEqualTo("1min");
        }
    }

    private static String value(ScriptOutcome outcome) {
        return new String(
                ((ScriptOutcome.Committed) outcome).rows().orElseThrow().rows().getFirst()[0], StandardCharsets.UTF_8);
    }

    @Test
    void nothingIsCommittedForACallerThatLeftBeforeTheCommit() {
        alone("CREATE TABLE left_before (id int)");
        try (HeldTransaction held = hold(LONG)) {
            assertThat(run(held, "INSERT INTO left_before VALUES (1)")).isInstanceOf(ScriptOutcome.Committed.class);
            assertThat(held.end(CompletableFuture.completedFuture(null))).isInstanceOf(ScriptOutcome.CallerLeft.class);
        }
        assertThat(alone("SELECT count(*) FROM left_before")).isEqualTo("0");
    }

    @Test
    void aTransactionThatIsKeptForTooLongGivesItsPlaceAndItsLocksBack() {
        alone("CREATE TABLE kept_open (id int)");
        try (HeldTransaction held = hold(Duration.ofSeconds(2))) {
            run(held, "LOCK TABLE kept_open; INSERT INTO kept_open VALUES (1)");
            assertThat(alone("LOCK TABLE kept_open; SELECT count(*) FROM kept_open"))
                    .isEqualTo("0");
            assertThat(held.end(new CompletableFuture<>())).isInstanceOf(ScriptOutcome.TimedOut.class);
        }
    }
}
