package svc.sqlgate.lexical;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.RunLimits;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.TestingOwner;
import svc.sqlgate.ScriptGate;
import svc.sqlgate.SharedGate;
import svc.sqlgate.Verdict;
import svc.sqlgate.parser.SqlReader;
import svc.sqlgate.parser.TokenBounds;
import svc.testing.FuzzSeed;

/** Random scripts: our scanner, PostgreSQL's lexer and a PostgreSQL server agree, or the script is refused. */
class ReadersAgreeTest {
    private static final long FIXED = 20_260_101;
    private static final int BATCHES = 12;
    private static final int BATCH = 500;
    private static final int RUNS = 400;

    /** PostgreSQL continues a string past a comment; libpg_query's lexer does not, so such a script is refused. */
    private static final Pattern COMMENT_AFTER_STRING = Pattern.compile("'\\s*--");

    /** What our scanner does not look into, PostgreSQL's lexer refuses: wrong escapes, parameters past the last. */
    private static final Pattern WRONG_INSIDE = Pattern.compile("\\\\|\\$\\d{10}");

    private static final SqlReader READER = SharedGate.reader();

    static LongStream seeds() {
        return LongStream.of(FuzzSeed.of(FIXED));
    }

    private static List<String> batch(RandomScripts scripts, Function<RandomScripts, String> form, int size) {
        return Stream.generate(() -> form.apply(scripts)).limit(size).toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void findTheSameTokens(long seed) {
        var scripts = new RandomScripts(seed);
        int agreed = 0;
        for (int i = 0; i < BATCHES; i++) {
            List<String> batch = batch(scripts, i % 3 == 0 ? RandomScripts::queries : RandomScripts::soup, BATCH);
            List<Optional<TokenBounds>> theirs = READER.scanAll(batch);
            for (int n = 0; n < BATCH; n++) {
                agreed += agrees(batch.get(n), theirs.get(n)) ? 1 : 0;
            }
        }
        assertThat(agreed).as("scripts that both read").isGreaterThan(BATCHES * BATCH / 3);
    }

    /** Whether both read it; fails where they differ for a reason that is not known. */
    private static boolean agrees(String sql, Optional<TokenBounds> theirs) {
        String shown = sql.replace("\n", "\\n").replace("\r", "\\r");
        TokenBounds own;
        try {
            own = TokenScanner.scan(sql.getBytes(StandardCharsets.UTF_8));
        } catch (LexicalFault e) {
            assertThat(theirs.isEmpty()
                            || e.getMessage().contains("parameter")
                            || COMMENT_AFTER_STRING.matcher(sql).find())
                    .as("PostgreSQL's lexer refuses what our scanner refuses (%s): %s", e.getMessage(), shown)
                    .isTrue();
            return false;
        }
        if (theirs.isEmpty()) {
            assertThat(WRONG_INSIDE.matcher(sql).find())
                    .as("our scanner refuses what PostgreSQL's lexer refuses: %s", shown)
                    .isTrue();
            return false;
        }
        int agreeing = own.agreeing(theirs.get());
        boolean same = agreeing == own.count() && agreeing == theirs.get().count();
        assertThat(same || COMMENT_AFTER_STRING.matcher(sql).find())
                .as("both find the same tokens, not only the first %d: %s", agreeing, shown)
                .isTrue();
        return same;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aServerRunsAsManyStatementsAsWereJudged(long seed) {
        var gate = new ScriptGate(READER);
        TestingOwner owner = TestingOwner.create();
        int ran = 0;
        try (var sessions = new OwnerSessions(RunLimits.defaults(), TestingOwner.platformLogin())) {
            for (String sql : batch(new RandomScripts(seed), RandomScripts::queries, RUNS)) {
                if (gate.judge(sql, owner.names()) instanceof Verdict.Admitted admitted) {
                    ScriptOutcome outcome = sessions.run(
                            owner.ownerLogin(), ScriptRun.of(admitted.script().text(), Duration.ofSeconds(30)));
                    if (outcome instanceof ScriptOutcome.Committed committed) {
                        assertThat(committed.commands())
                                .as(sql)
                                .hasSameSizeAs(admitted.summary().kinds());
                        ran++;
                    }
                }
            }
        }
        assertThat(ran).as("scripts that ran").isGreaterThan(RUNS / 4);
    }

    @Test
    void theSameSeedMakesTheSameScripts() {
        assertThat(batch(new RandomScripts(FIXED), RandomScripts::soup, 50))
                .isEqualTo(batch(new RandomScripts(FIXED), RandomScripts::soup, 50));
    }
}
