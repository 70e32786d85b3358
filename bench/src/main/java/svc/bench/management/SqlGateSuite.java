package svc.bench.management;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.database.name.ProjectNames;
import svc.e2e.platform.PlatformCommand;
import svc.platform.process.SandboxHome;
import svc.sqlgate.ScriptGate;
import svc.sqlgate.Verdict;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.SqlReader;

/** The SQL gate alone, in this process with the sandbox's processes beside it: from a script to its verdict. */
public final class SqlGateSuite implements Suite {
    private static final int BYTES = 20_000;
    /** Until then the compilers of both sides take more of two cores than the gate does. */
    private static final int WARM_UP = 600;

    private static final int SAMPLES = 200;
    private static final double LIMIT_MILLIS = 20;

    @Override
    public String name() {
        return "sql-gate";
    }

    @Override
    public List<Figure> run() {
        var home = new SandboxHome(PlatformCommand.root().resolve("sandbox"));
        try (var pool = new ParserPool(() -> SandboxHome.find(Optional.of(home.folder())), ParserLimits.defaults())) {
            var gate = new ScriptGate(new SqlReader(pool));
            ProjectNames names = ProjectNames.shared(UUID.randomUUID());
            String script = SampleMigration.ofBytes(BYTES);
            measure(gate, names, script, WARM_UP);
            Duration before = processorTime(pool);
            Samples measured = measure(gate, names, script, SAMPLES);
            double processor = processorTime(pool).minus(before).toNanos() / 1e6 / SAMPLES;
            return List.of(
                    Figure.atMost(
                            "SQL gate, 20 KB migration, p50 of " + SAMPLES, measured.median(), "ms", LIMIT_MILLIS),
                    Figure.watched("SQL gate, 20 KB migration, p95 of " + SAMPLES, measured.percentile(95), "ms"),
                    Figure.watched("SQL gate, 20 KB migration, processor time of all processes", processor, "ms"));
        }
    }

    /** Of this process, its compiler included, and of the parsers. Says more than the clock where others are at work. */
    private static Duration processorTime(ParserPool pool) {
        return Stream.concat(
                        Stream.of(ProcessHandle.current()),
                        pool.processIds().stream().flatMap(id -> ProcessHandle.of(id).stream()))
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Samples measure(ScriptGate gate, ProjectNames names, String script, int count) {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            Verdict verdict = gate.judge(script, names);
            measured.add(Duration.ofNanos(System.nanoTime() - begin));
            if (!(verdict instanceof Verdict.Admitted)) {
                throw new IllegalStateException("the migration is not admitted: " + verdict);
            }
        }
        return Samples.of(measured);
    }
}
