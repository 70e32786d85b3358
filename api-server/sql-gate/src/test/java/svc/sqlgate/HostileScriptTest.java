package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.name.ProjectNames;
import svc.platform.problem.ProblemCode;
import svc.platform.process.SandboxHome;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.ParserTimes;
import svc.sqlgate.parser.SqlReader;

/** Texts that are made to exhaust their reader get an answer of the gate, and so do all other callers meanwhile. */
@Timeout(120)
class HostileScriptTest {
    private static final ProjectNames NAMES = ProjectNames.shared(UUID.randomUUID());

    /** A busy machine gives the processes little of its time: what is refused here is refused for its own cost. */
    private static final ParserTimes PATIENT = new ParserTimes(
            ParserLimits.defaults().times().work(),
            Duration.ofSeconds(40),
            ParserLimits.defaults().times().queue(),
            Duration.ofSeconds(40));

    private static ParserPool pool;
    private static ScriptGate gate;

    @BeforeAll
    static void start() {
        pool = new ParserPool(
                () -> SandboxHome.find(Optional.empty()),
                ParserLimits.defaults().withWaiting(200).withTimes(PATIENT));
        gate = new ScriptGate(new SqlReader(pool));
    }

    @AfterAll
    static void stop() {
        pool.close();
    }

    static final List<String> EXHAUSTING = List.of(
            "SELECT 1" + " UNION SELECT 1".repeat(17_000),
            "SELECT 1" + "+1".repeat(50_000),
            "SELECT " + "(".repeat(10_000) + "1" + ")".repeat(10_000),
            "SELECT " + "CASE WHEN true THEN ".repeat(8_000) + "1" + " END".repeat(8_000),
            "SELECT " + "CASE ".repeat(20_000) + "1" + " WHEN 1 THEN 1 END".repeat(5_000),
            "SELECT " + "f(".repeat(20_000) + "1" + ")".repeat(20_000),
            "SELECT " + "(SELECT ".repeat(20_000) + "1" + ")".repeat(20_000),
            "SELECT " + "NOT ".repeat(50_000) + "true",
            "SELECT " + "- ".repeat(100_000) + "1",
            "SELECT a" + "[1".repeat(50_000) + "]".repeat(50_000),
            "SELECT a" + ".a".repeat(100_000) + " FROM",
            "SELECT * FROM " + "(".repeat(20_000) + "t" + ")".repeat(20_000),
            "SELECT " + "'a'::text".repeat(1) + "::text".repeat(30_000),
            "DO $$ BEGIN " + "IF true THEN ".repeat(8_000) + "END IF; ".repeat(8_000) + "END $$",
            "DO $$ " + "BEGIN ".repeat(15_000) + "END; ".repeat(15_000) + "$$",
            "/*".repeat(100_000),
            "$a$".repeat(50_001),
            "'".repeat(200_001),
            "E'" + "\\'".repeat(100_000));

    @ParameterizedTest
    @FieldSource("EXHAUSTING")
    void areRefusedAsUnparseable(String sql) {
        assertThat(gate.judge(sql, NAMES))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(ProblemCode.SQL_UNPARSEABLE));
        assertAdmits();
    }

    @Test
    void moreThanTheCapIsTooLarge() {
        assertThat(gate.judge("SELECT 1" + " UNION SELECT 1".repeat(20_000), NAMES))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(ProblemCode.SQL_TOO_LARGE));
    }

    /** Many statements, many tokens, one long token: large but plain. */
    static final List<String> LARGE = List.of(
            "SELECT 1;".repeat(20_000),
            ";".repeat(200_000),
            "SELECT 1" + ",1".repeat(60_000),
            "SELECT '" + "x".repeat(250_000) + "'",
            "SELECT 1 /*" + "*".repeat(250_000) + "*/",
            "SELECT 1" + " --\n".repeat(50_000));

    @ParameterizedTest
    @FieldSource("LARGE")
    void largeAndPlainScriptsGetAVerdict(String sql) {
        assertThat(gate.judge(sql, NAMES)).isNotInstanceOf(Verdict.Unknown.class);
        assertAdmits();
    }

    @Test
    void othersAreServedMeanwhile() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Verdict>> hostile = new ArrayList<>();
            List<Future<Verdict>> ordinary = new ArrayList<>();
            for (String sql : EXHAUSTING) {
                hostile.add(threads.submit(() -> gate.judge(sql, NAMES)));
                ordinary.add(threads.submit(HostileScriptTest::ordinary));
            }
            for (Future<Verdict> verdict : ordinary) {
                assertThat(verdict.get()).isInstanceOf(Verdict.Admitted.class);
            }
            for (Future<Verdict> verdict : hostile) {
                assertThat(verdict.get()).isNotInstanceOf(Verdict.Admitted.class);
            }
        }
    }

    /** As a caller does: a verdict that is not available now is requested again. */
    private static Verdict ordinary() {
        Verdict verdict;
        do {
            verdict = gate.judge("CREATE TABLE t (id int); SELECT 1", NAMES);
        } while (verdict instanceof Verdict.Unknown);
        return verdict;
    }

    private static void assertAdmits() {
        assertThat(ordinary()).isInstanceOf(Verdict.Admitted.class);
    }
}
