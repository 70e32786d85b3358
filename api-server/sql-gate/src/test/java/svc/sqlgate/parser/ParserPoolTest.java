package svc.sqlgate.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.process.SandboxHome;

/** A text never brings the parsers down for later callers, and no caller waits for ever. */
@Timeout(120)
class ParserPoolTest {
    /** Nested comments that never end cost PostgreSQL's lexer a time that grows with their square. */
    private static final String HANGING = "/*".repeat(100_000);

    /** A busy machine gives the processes little of its time: what is refused here is refused for its own cost. */
    private static final ParserLimits LIMITS = ParserLimits.defaults()
            .withTimes(new ParserTimes(
                    ParserTimes.defaults().work(),
                    Duration.ofSeconds(40),
                    Duration.ofSeconds(40),
                    Duration.ofSeconds(40)));

    private static ParserPool pool;
    private static SqlReader reader;

    @BeforeAll
    static void start() {
        pool = pool(LIMITS);
        reader = new SqlReader(pool);
    }

    @AfterAll
    static void stop() {
        pool.close();
    }

    private static ParserPool pool(ParserLimits limits) {
        return new ParserPool(() -> SandboxHome.find(Optional.empty()), limits);
    }

    private static void assertReads(SqlReader some) {
        assertThat(some.parse("SELECT 1")).isInstanceOf(ParseResult.Parsed.class);
    }

    @Test
    void readsEachStatementWithItsPlace() {
        String script = "-- first\nSELECT 'ä€😀' ;\n /* second /* nested */ */ CREATE TABLE t (id int)";
        var parsed = (ParseResult.Parsed) reader.parse(script);
        assertThat(parsed.statements()).extracting(Statement::kind).containsExactly("SelectStmt", "CreateStmt");
        assertThat(parsed.statements())
                .extracting(Statement::text)
                .containsExactly("SELECT 'ä€😀' ", "CREATE TABLE t (id int)");
        assertThat(parsed.statements())
                .allSatisfy(
                        statement -> assertThat(script).startsWith("-- first").contains(statement.text()));
        Statement second = parsed.statements().get(1);
        assertThat(script.substring(second.location(), second.location() + second.length()))
                .isEqualTo(second.text());
    }

    @Test
    void countsThePositionOfAnErrorInCharacters() {
        assertThat(reader.parse("select 'ä€😀', frm x y z"))
                .isEqualTo(new ParseResult.Unparseable("syntax error at or near \"y\"", 21));
    }

    @Test
    void readsNothingInAnEmptyScript() {
        assertThat(reader.parse("-- nothing\n ;; ")).isEqualTo(new ParseResult.Parsed(List.of()));
    }

    @Test
    void survivesTwentyThousandUnions() {
        assertThat(reader.parse("SELECT 1" + " UNION SELECT 1".repeat(20_000)))
                .isEqualTo(new ParseResult.Refused(RefusedReason.TOO_DEEP));
        assertReads(reader);
    }

    @Test
    void survivesFiftyThousandAdditions() {
        assertThat(reader.parse("SELECT 1" + "+1".repeat(50_000)))
                .isEqualTo(new ParseResult.Refused(RefusedReason.TOO_DEEP));
        assertReads(reader);
    }

    @Test
    void survivesDeepParentheses() {
        assertThat(reader.parse("SELECT " + "(".repeat(60_000) + "1" + ")".repeat(60_000)))
                .isInstanceOf(ParseResult.Unparseable.class);
        assertReads(reader);
    }

    @Test
    void readsExpressionsOfAUsefulDepth() {
        assertThat(reader.parse("SELECT 1" + "+1".repeat(2_000))).isInstanceOf(ParseResult.Parsed.class);
    }

    @Test
    void refusesTenMegabytesWithoutAskingTheParser() {
        assertThat(reader.parse("SELECT '" + "x".repeat(10 << 20) + "'"))
                .isEqualTo(new ParseResult.Refused(RefusedReason.TOO_LARGE));
    }

    @Test
    void refusesNulAndLoneSurrogates() {
        assertThat(reader.parse("SELECT '\0'")).isEqualTo(new ParseResult.Refused(RefusedReason.NOT_TEXT));
        assertThat(reader.parse("SELECT '\ud800'")).isEqualTo(new ParseResult.Refused(RefusedReason.NOT_TEXT));
    }

    @Test
    void cutsATextThatTakesTooLongAndGoesOn() {
        assertThat(reader.parse(HANGING)).isEqualTo(new ParseResult.Refused(RefusedReason.TOO_SLOW));
        assertReads(reader);
    }

    @Test
    void readsATextAlthoughTheMachineStoodStillForLongerThanReadingMayTake() throws Exception {
        try (ParserPool own = pool(LIMITS.withProcesses(1));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ownReader = new SqlReader(own);
            assertReads(ownReader);
            Future<ParseResult> late;
            try (var stopped = StoppedParsers.of(own, 1)) {
                late = threads.submit(() -> ownReader.parse("SELECT 1"));
                Thread.sleep(ParserTimes.defaults().work().plusSeconds(1));
            }
            assertThat(late.get()).isInstanceOf(ParseResult.Parsed.class);
        }
    }

    @Test
    void whatTheMachineHadNoTimeToReadMayBeSentAgain() throws Exception {
        ParserTimes times = ParserTimes.defaults().withDeadline(Duration.ofSeconds(1));
        try (ParserPool own = pool(ParserLimits.defaults().withProcesses(1).withTimes(times));
                var stopped = StoppedParsers.of(own, 1);
                SqlReading reading = new SqlReader(own).begin()) {
            assertThat(reading.parse("SELECT 1")).isEqualTo(new ParseResult.Refused(RefusedReason.STARVED));
            assertThat(reading.parsePlpgsql(List.of("DO $$ BEGIN NULL; END $$")))
                    .containsExactly(new BodyResult.Refused(RefusedReason.STARVED));
            assertThat(RefusedReason.STARVED.passing()).isTrue();
        }
    }

    @Test
    void replacesAProcessThatWasKilled() throws Exception {
        try (ParserPool own = pool(LIMITS.withProcesses(1))) {
            var ownReader = new SqlReader(own);
            assertReads(ownReader);
            long first = own.processIds().getFirst();
            ProcessHandle.of(first).orElseThrow().destroyForcibly();
            while (ProcessHandle.of(first).map(ProcessHandle::isAlive).orElse(false)) {
                Thread.sleep(5);
            }
            assertReads(ownReader);
            assertThat(own.processIds()).hasSize(1).doesNotContain(first);
        }
    }

    @Test
    void refusesTheRequestWhoseProcessIsKilledUnderIt() throws Exception {
        try (ParserPool own = pool(LIMITS.withProcesses(1));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ownReader = new SqlReader(own);
            assertReads(ownReader);
            Future<ParseResult> hanging = threads.submit(() -> ownReader.parse(HANGING));
            // The text takes two seconds of the processor: it is being read by now, and not yet refused.
            Thread.sleep(700);
            own.processIds().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            assertThat(hanging.get()).isEqualTo(new ParseResult.Refused(RefusedReason.PARSER_CRASHED));
            assertReads(ownReader);
        }
    }

    @Test
    void answersAllOfManyConcurrentCallers() throws Exception {
        List<Future<ParseResult>> results = new ArrayList<>();
        try (ParserPool own = pool(LIMITS.withWaiting(200));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ownReader = new SqlReader(own);
            for (int i = 0; i < 100; i++) {
                String sql = "SELECT 'caller " + i + "'";
                results.add(threads.submit(() -> ownReader.parse(sql)));
            }
            for (int i = 0; i < results.size(); i++) {
                var parsed = (ParseResult.Parsed) results.get(i).get();
                assertThat(parsed.statements().getFirst().tree().toString()).contains("\"caller " + i + "\"");
            }
        }
    }

    @Test
    void turnsCallersAwayThatTheQueueCannotHold() throws Exception {
        try (ParserPool own = pool(LIMITS.withProcesses(1).withWaiting(1));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ownReader = new SqlReader(own);
            assertReads(ownReader);
            Callable<ParseResult> hang = () -> ownReader.parse(HANGING);
            List<ParseResult> results = new ArrayList<>();
            for (Future<ParseResult> result : threads.invokeAll(List.of(hang, hang, hang, hang))) {
                results.add(result.get());
            }
            assertThat(results)
                    .filteredOn(new ParseResult.Refused(RefusedReason.BUSY)::equals)
                    .hasSizeGreaterThan(1);
            assertThat(results).contains(new ParseResult.Refused(RefusedReason.TOO_SLOW));
        }
    }

    @Test
    void keepsAProcessForAScriptAndLendsItToNoOther() throws Exception {
        try (ParserPool own = pool(LIMITS.withProcesses(1));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ownReader = new SqlReader(own);
            Future<ParseResult> other;
            try (SqlReading reading = ownReader.begin()) {
                assertThat(reading.parse("SELECT 1")).isInstanceOf(ParseResult.Parsed.class);
                assertThat(own.spare(new Caller("a", "a"), 8)).isEmpty();
                other = threads.submit(() -> ownReader.parse("SELECT 2"));
                assertThat(reading.parsePlpgsql(List.of("DO $$ BEGIN NULL; END $$")))
                        .singleElement()
                        .isInstanceOf(BodyResult.Read.class);
                assertThat(reading.fingerprint("SELECT 1")).isPresent();
                assertThat(other.isDone()).isFalse();
            }
            assertThat(other.get()).isInstanceOf(ParseResult.Parsed.class);
        }
    }

    @Test
    void scansBesideAndAlone() {
        for (int processes : List.of(2, 1)) {
            try (ParserPool own = pool(LIMITS.withProcesses(processes));
                    SqlReading reading = new SqlReader(own).begin()) {
                assertThat(reading.parse("SELECT 1")).isInstanceOf(ParseResult.Parsed.class);
                assertThat(reading.beginScan("SELECT 1").get())
                        .isInstanceOfSatisfying(
                                Scan.Scanned.class,
                                scanned -> assertThat(scanned.tokens().count()).isEqualTo(2));
                assertThat(reading.fingerprint("SELECT 2")).isEqualTo(reading.fingerprint("SELECT 3 -- x"));
                assertThat(reading.beginScan("SELECT 'x").get()).isInstanceOf(Scan.Unscanned.class);
            }
        }
    }

    @Test
    void afterARefusalAReadingRefusesEverythingAndItsProcessIsReplaced() {
        try (ParserPool own = pool(LIMITS.withProcesses(1))) {
            var ownReader = new SqlReader(own);
            try (SqlReading reading = ownReader.begin()) {
                assertThat(reading.parse(HANGING)).isEqualTo(new ParseResult.Refused(RefusedReason.TOO_SLOW));
                assertThat(reading.parse("SELECT 1")).isEqualTo(new ParseResult.Refused(RefusedReason.TOO_SLOW));
            }
            assertReads(ownReader);
        }
    }

    /** Of three hundred readings none is left behind: each would leave a parser of tens of megabytes. */
    @Test
    void aProcessForgetsWhatItRead() throws IOException {
        try (ParserPool own = pool(LIMITS.withProcesses(1))) {
            var ownReader = new SqlReader(own);
            String script = "SELECT '" + "x".repeat(200_000) + "'";
            assertReads(ownReader);
            long first = own.processIds().getFirst();
            for (int i = 0; i < 300; i++) {
                assertThat(ownReader.parse(script)).isInstanceOf(ParseResult.Parsed.class);
            }
            assertThat(own.processIds()).containsExactly(first);
            String[] pages =
                    Files.readString(Path.of("/proc", "" + first, "statm")).split(" ");
            assertThat(Long.parseLong(pages[1]) * 4096)
                    .isLessThan(ParserLimits.defaults().recycleBytes());
        }
    }

    @Test
    void endsItsProcessesWhenItIsClosed() throws IOException, InterruptedException, ExecutionException {
        ParserPool own = pool(LIMITS);
        assertReads(new SqlReader(own));
        List<Long> pids = own.processIds();
        own.close();
        for (long pid : pids) {
            ProcessHandle.of(pid).ifPresent(handle -> handle.onExit().join());
        }
        assertThat(new SqlReader(own).parse("SELECT 1")).isEqualTo(new ParseResult.Refused(RefusedReason.UNAVAILABLE));
    }

    @Test
    void refusesInsteadOfFailingWhereTheSandboxIsMissing() throws IOException {
        Path empty = Files.createTempDirectory("no-sandbox");
        try (ParserPool own = new ParserPool(
                () -> SandboxHome.find(Optional.of(empty)),
                ParserLimits.defaults().withProcesses(1))) {
            assertThat(new SqlReader(own).parse("SELECT 1"))
                    .isEqualTo(new ParseResult.Refused(RefusedReason.UNAVAILABLE));
        }
    }

    @Test
    void givesItsProcessesNeitherOurEnvironmentNorAPermission() throws IOException {
        assertReads(reader);
        for (long pid : pool.processIds()) {
            assertThat(Files.readString(Path.of("/proc", "" + pid, "environ")).split("\0"))
                    .allMatch(variable -> variable.matches("(DENO_DIR|DENO_NO_UPDATE_CHECK|NO_COLOR)=.*"));
            assertThat(Files.readString(Path.of("/proc", "" + pid, "cmdline"))).doesNotContain("--allow");
        }
    }
}
