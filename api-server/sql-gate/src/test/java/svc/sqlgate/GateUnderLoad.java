package svc.sqlgate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import svc.database.name.ProjectNames;
import svc.platform.process.SandboxHome;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.ParserTimes;
import svc.sqlgate.parser.SqlReader;

/** Judges large scripts, four at once, in a JVM whose heap the test limits, and prints each verdict. */
final class GateUnderLoad {
    /** The scripts are read one behind the other, on a machine that may be busy. */
    private static final ParserTimes PATIENT = new ParserTimes(
            ParserLimits.defaults().times().work(),
            Duration.ofSeconds(40),
            Duration.ofSeconds(60),
            Duration.ofSeconds(40));

    private GateUnderLoad() {}

    public static void main(String[] args) throws Exception {
        int length = Integer.parseInt(args[0]);
        List<String> scripts = List.of(
                "select " + "a.b,".repeat(length / 4) + "a.b",
                "select " + "1,".repeat(length / 2) + "1",
                "insert into public.t values " + "(1),".repeat(length / 4) + "(1)",
                "select " + "public.a.b,".repeat(length / 11) + "a");
        try (ParserPool pool = new ParserPool(
                        () -> SandboxHome.find(Optional.empty()),
                        ParserLimits.defaults().withTimes(PATIENT));
                var threads = Executors.newFixedThreadPool(scripts.size())) {
            var gate = new ScriptGate(new SqlReader(pool));
            List<Callable<Verdict>> calls = new ArrayList<>();
            for (String script : scripts) {
                ProjectNames project = ProjectNames.shared(UUID.randomUUID());
                calls.add(() -> gate.judge(script, project));
            }
            for (Future<Verdict> verdict : threads.invokeAll(calls)) {
                System.out.println(described(verdict.get()));
            }
        }
    }

    private static String described(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Admitted admitted -> "admitted";
            case Verdict.Rejected rejected -> "rejected " + rejected.code();
            case Verdict.Unknown unknown -> "unknown";
        };
    }
}
