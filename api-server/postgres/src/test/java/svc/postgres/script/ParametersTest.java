package svc.postgres.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A statement with values is sent by the extended protocol; its values never meet the text. */
@Timeout(60)
class ParametersTest {
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

    private static ScriptOutcome run(String sql, ScriptParameter... parameters) {
        return sessions.run(
                owner.ownerLogin(), ScriptRun.of(sql, Duration.ofSeconds(30)).with(List.of(parameters)));
    }

    private static ScriptParameter text(String value) {
        return type -> Optional.of(value);
    }

    @Test
    void tellsTheTypeThatTheServerInfers() {
        ScriptParameter ownType = Optional::of;
        var committed = (ScriptOutcome.Committed)
                run("SELECT $1::text, $2::varchar, $3, lower($4)", ownType, ownType, ownType, ownType);
        assertThat(java.util.Arrays.stream(committed.rows().orElseThrow().rows().getFirst())
                        .map(value -> new String(value, StandardCharsets.UTF_8)))
                .containsExactly("text", "character varying", "text", "text");
    }

    @Test
    void neverReadsAValueAsSql() {
        String hostile = "'); DROP TABLE x; --\\ $1 ä😀";
        var committed = (ScriptOutcome.Committed) run("SELECT $1::text", text(hostile));
        assertThat(committed.rows().orElseThrow().rows().getFirst()[0])
                .isEqualTo(hostile.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void countsThem() {
        assertThat(run("SELECT $1::int, $2::int", text("1"))).isEqualTo(new ScriptOutcome.ParameterMismatch(2));
        assertThat(run("SELECT 1", text("1"))).isEqualTo(new ScriptOutcome.ParameterMismatch(0));
    }

    @Test
    void refusesAValueThatDoesNotFit() {
        ServerError error = ((ScriptOutcome.Failed) run("SELECT $1::int", text("x"))).error();
        assertThat(error.sqlState()).isEqualTo("22P02");
        assertThat(error.where()).isPresent();
        ServerError place = ((ScriptOutcome.Failed) run("SELECT $1::int, nope", text("1"))).error();
        assertThat(place.position()).contains(17);
        assertThat(((ScriptOutcome.Failed) run("SELECT 1; SELECT $1", text("1")))
                        .error()
                        .sqlState())
                .isEqualTo("42601");
    }

    @Test
    void writesInATransactionLikeAScript() {
        run("CREATE TABLE valued (id int, note text)");
        assertThat(run("INSERT INTO valued VALUES ($1, $2)", text("1"), type -> Optional.empty()))
                .isInstanceOf(ScriptOutcome.Committed.class);
        assertThat(owner.ask("SELECT id || coalesce(note, ' null') FROM "
                        + owner.names().schemaName() + ".valued"))
                .isEqualTo("1 null");
    }
}
