package svc.bench.operator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import svc.bench.measure.Figure;
import svc.bench.measure.LiveHeap;
import svc.bench.measure.Suite;
import svc.e2e.platform.OperatorProcess;
import svc.e2e.platform.OperatorProcess.Bucket;

/**
 * Many Projects on Kubernetes' own API server: some hundred applied at once, then what two thousand cost while nothing changes,
 * how leaders follow each other, and how soon a failure is a condition. System properties change the size:
 * {@value #AT_ONCE_PROPERTY}; {@value #ALL_PROPERTY}, whose 0 leaves out all but the first part; and {@value #INTERVAL_PROPERTY},
 * with which fewer Projects are reconciled as often in a second. Targets of figures that grow with the size are in proportion.
 */
public final class FleetSuite implements Suite {
    private static final String AT_ONCE_PROPERTY = "svc.bench.fleet.at-once";
    private static final String ALL_PROPERTY = "svc.bench.fleet.all";
    private static final String INTERVAL_PROPERTY = "svc.bench.fleet.interval-seconds";

    /** Set by {@code ./svc bench}: what {@code ./svc control-plane} builds. */
    private static final String PROGRAM = "svc.kubernetes.program";

    private static final int WARM_UP = 50;
    private static final double MEGA = 1024 * 1024;
    private static final double SECONDS_OF_A_NEW_PROJECT = 20.0 / 300;
    /** Percent of a core at 2,000 Projects and an interval of five minutes. */
    private static final double PERCENT_OF_A_RECONCILE_A_SECOND = 1.0 / (2_000.0 / 300);

    private static final int MAX_CALLS = 5;
    /** What the chart's options leave to the heap of its 512 Mi. */
    private static final int HEAP_MEGABYTES = 256;

    private final int atOnce = Integer.getInteger(AT_ONCE_PROPERTY, 300);
    private final int all = Integer.getInteger(ALL_PROPERTY, 2_000);
    /** The operator's drift interval: each converged Project is reconciled once in it. */
    private final Duration interval = Duration.ofSeconds(Integer.getInteger(INTERVAL_PROPERTY, 300));

    private final List<Figure> figures = new ArrayList<>();

    @Override
    public String name() {
        return "fleet";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path program = Path.of(System.getProperty(PROGRAM, ""));
        if (!Files.isExecutable(program)) {
            System.err.println("not measured: there is no Kubernetes API server. Build it with ./svc control-plane.");
            return List.of();
        }
        try (var cluster = FleetCluster.start(program, interval)) {
            OperatorProcess operator = cluster.operator("operator");
            try (var fleet = new Fleet(cluster.admin(), operator)) {
                measure(cluster, operator, fleet);
            }
        }
        return figures;
    }

    private void measure(FleetCluster cluster, OperatorProcess operator, Fleet fleet) throws Exception {
        fleet.create("warm", WARM_UP);
        measureCrowd(fleet, cluster, operator);
        if (all == 0) {
            return;
        }
        System.err.println("  " + all + " Projects in all ...");
        fleet.create("fleet", Math.max(0, all - atOnce - WARM_UP));
        System.err.println("  each is reconciled for the first time since its creation ...");
        Thread.sleep(interval);
        System.err.println("  looking on for " + interval.toSeconds() + " s ...");
        measureRest(cluster, operator);
        System.err.println("  leaders end ...");
        figures.addAll(new FleetHandOver(cluster, fleet, operator).measure());
        System.err.println("  failures ...");
        figures.addAll(new FleetFailures(cluster).measure());
    }

    private void measureCrowd(Fleet fleet, FleetCluster cluster, OperatorProcess operator) throws Exception {
        ApiCalls callsBefore = cluster.calls();
        List<Bucket> before = operator.reconciliations();
        Duration took = fleet.create("crowd", atOnce);
        figures.add(Figure.atMost(
                atOnce + " Projects at once, all Ready",
                took.toMillis() / 1000.0,
                "s",
                SECONDS_OF_A_NEW_PROJECT * atOnce));
        figures.add(Figure.atMost(
                "API calls of the operator for one Project",
                cluster.calls().since(callsBefore).others() / (double) atOnce,
                "calls",
                MAX_CALLS));
        figures.add(Figure.atMost(
                "reconcile of a new Project, p99", Bucket.p99Millis(before, operator.reconciliations()), "ms", 250));
        figures.add(Figure.watched("operator's memory with " + atOnce, operator.residentMemory() / MEGA, "MB"));
    }

    private void measureRest(FleetCluster cluster, OperatorProcess operator) throws Exception {
        ApiCalls callsBefore = cluster.calls();
        List<Bucket> before = operator.reconciliations();
        double processor = operator.processorSeconds();
        Thread.sleep(interval);
        double used = operator.processorSeconds() - processor;
        List<Bucket> after = operator.reconciliations();
        ApiCalls calls = cluster.calls().since(callsBefore);
        double looks = after.getLast().count() - before.getLast().count();
        figures.add(Figure.atMost(
                "operator's processor time, %d Projects at rest".formatted(all),
                100 * used / interval.toSeconds(),
                "%",
                PERCENT_OF_A_RECONCILE_A_SECOND * all / interval.toSeconds()));
        figures.add(Figure.watched("comparisons of a Project at rest, a second", looks / interval.toSeconds(), "1/s"));
        figures.add(Figure.atMost("reconcile of a Project at rest, p99", Bucket.p99Millis(before, after), "ms", 250));
        figures.add(Figure.watched("API calls for the lease, a minute", aMinute(calls.leases()), "calls"));
        figures.add(Figure.watched("watches that begin again, a minute", aMinute(calls.watches()), "calls"));
        figures.add(Figure.atMost("other API calls, a minute", aMinute(calls.others()), "calls", 0));
        figures.add(Figure.atMost("operator's memory with " + all, operator.residentMemory() / MEGA, "MB", 400));
        figures.add(Figure.atMost(
                "operator's live heap with " + all,
                LiveHeap.bytes(operator.machine(), cluster.file("classes.txt")) / MEGA,
                "MB",
                HEAP_MEGABYTES));
    }

    private double aMinute(long calls) {
        return 60.0 * calls / interval.toSeconds();
    }
}
