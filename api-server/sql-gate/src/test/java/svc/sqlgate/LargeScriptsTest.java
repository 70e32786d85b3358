package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.database.name.ProjectNames;
import svc.platform.process.SandboxHome;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.SqlReader;

/** What large and slow scripts of one organisation cost the others. */
@Timeout(180)
class LargeScriptsTest {
    private static List<String> verdicts(int length) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GateUnderLoad.class.getName(),
                        Integer.toString(length))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines()
                .filter(line -> line.startsWith("admitted") || line.startsWith("rejected") || line.equals("unknown"))
                .toList();
    }

    @Test
    void fourAtOnceFitIntoASmallHeap() throws Exception {
        assertThat(verdicts(248_000)).hasSize(4).isSubsetOf("admitted", "rejected SQL_TOO_LARGE", "unknown");
    }

    @Test
    void fourOfHalfTheSizeAreAllAdmitted() throws Exception {
        assertThat(verdicts(100_000)).hasSize(4).containsOnly("admitted");
    }

    /** Nested comments that never end take PostgreSQL's lexer seconds. */
    @Test
    void slowScriptsOfOneProjectDoNotKeepAnotherOut() throws Exception {
        String slow = "do $$ begin null; " + "/*".repeat(50_000) + "*/".repeat(50_000) + " end $$";
        ProjectNames attacker = ProjectNames.shared(UUID.randomUUID());
        ProjectNames neighbour = ProjectNames.shared(UUID.randomUUID());
        List<Future<Verdict>> attacks = new ArrayList<>();
        try (ParserPool pool = new ParserPool(() -> SandboxHome.find(Optional.empty()), ParserLimits.defaults());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var gate = new ScriptGate(new SqlReader(pool));
            assertThat(gate.judge("select 1", neighbour)).isInstanceOf(Verdict.Admitted.class);
            for (int i = 0; i < 24; i++) {
                attacks.add(threads.submit(() -> gate.judge(slow, attacker)));
            }
            Thread.sleep(300);
            for (int i = 0; i < 5; i++) {
                assertThat(gate.judge("select 1", neighbour)).isInstanceOf(Verdict.Admitted.class);
            }
            assertThat(attacks).anyMatch(one -> !one.isDone());
            threads.shutdownNow();
        }
    }
}
