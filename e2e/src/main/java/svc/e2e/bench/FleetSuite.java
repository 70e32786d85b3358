package svc.e2e.bench;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import svc.crds.CrdCatalog;
import svc.e2e.platform.OperatorProcess;
import svc.e2e.platform.OperatorProcess.Bucket;
import svc.embedded.cluster.ControlPlane;
import svc.embedded.cluster.ServiceAccountToken;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.process.Folders;

/**
 * Many Projects on Kubernetes' own API server: a thousand applied at once, then what five thousand that are in order cost.
 * The operator is its own process with its own rights, on a PostgreSQL that waits for its disk. System properties make it
 * smaller, to try it: {@value #AT_ONCE_PROPERTY}; {@value #ALL_PROPERTY}, whose 0 leaves the second part out; and
 * {@value #INTERVAL_PROPERTY}, with which fewer Projects are reconciled as often in a second.
 */
final class FleetSuite implements Suite {
    private static final String AT_ONCE_PROPERTY = "svc.bench.fleet.at-once";
    private static final String ALL_PROPERTY = "svc.bench.fleet.all";
    private static final String INTERVAL_PROPERTY = "svc.bench.fleet.interval-seconds";

    /** Set by {@code ./svc bench}: what {@code ./svc control-plane} builds. */
    private static final String PROGRAM = "svc.kubernetes.program";

    private static final Path RIGHTS = Path.of("config", "rbac", "operator.yaml");
    private static final String SYSTEM = "svc-system";
    private static final String DATABASE = "svc";
    private static final int WARM_UP = 50;
    private static final double MEGA = 1024 * 1024;

    private final int atOnce = Integer.getInteger(AT_ONCE_PROPERTY, 1_000);
    private final int all = Integer.getInteger(ALL_PROPERTY, 5_000);
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
        Deque<AutoCloseable> started = new ArrayDeque<>();
        try {
            measure(program, started);
            return figures;
        } finally {
            while (!started.isEmpty()) {
                started.pop().close();
            }
        }
    }

    private void measure(Path program, Deque<AutoCloseable> started) throws Exception {
        Path folder = Files.createTempDirectory("svc-bench-");
        started.push(() -> Folders.deleteRecursively(folder));
        var postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.lasting(folder.resolve("postgres"), 0));
        started.push(postgres);
        try (var connection = postgres.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
        }
        var plane = ControlPlane.start(program);
        started.push(plane);
        KubernetesClient admin = client(plane.adminConfig());
        started.push(admin);
        CrdCatalog.load().all().forEach(kind -> admin.resource(kind).create());
        plane.startControllers();
        String token = ServiceAccountToken.install(admin, RIGHTS, SYSTEM, "svc-operator");
        ServiceAccountToken.apply(admin, RIGHTS.resolveSibling("cluster-wide.yaml"), SYSTEM);
        var operator = OperatorProcess.start(
                plane.configOf(token),
                Map.of(
                        "svc.operator.drift-interval", interval.toString(),
                        "svc.master-keys.1.value", Base64.getEncoder().encodeToString(new byte[32]),
                        "svc.databases.main.jdbc-url", postgres.jdbcUrl(DATABASE),
                        "svc.databases.main.password", postgres.operatorPassword()),
                folder.resolve("operator.log"));
        started.push(operator);
        var fleet = new Fleet(admin, operator);
        started.push(fleet);

        fleet.create("warm", WARM_UP);
        measureCrowd(fleet, plane, operator);
        if (all > 0) {
            System.err.println("  " + all + " Projects in all ...");
            fleet.create("fleet", Math.max(0, all - atOnce - WARM_UP));
            System.err.println("  each is reconciled for the first time since its creation ...");
            Thread.sleep(interval);
            System.err.println("  looking on for " + interval.toSeconds() + " s ...");
            measureSteady(plane, operator);
        }
    }

    private void measureCrowd(Fleet fleet, ControlPlane plane, OperatorProcess operator) throws Exception {
        long callsBefore = calls(plane);
        List<Bucket> before = operator.reconciliations();
        Duration took = fleet.create("crowd", atOnce);
        figures.add(Figure.atMost(atOnce + " Projects at once, all Ready", took.toMillis() / 1000.0, "s", 120));
        figures.add(Figure.watched(
                "API calls of the operator for one Project", (calls(plane) - callsBefore) / (double) atOnce, "calls"));
        figures.add(Figure.atMost(
                "reconcile of a new Project, p99", Bucket.p99Millis(before, operator.reconciliations()), "ms", 250));
        figures.add(Figure.watched("operator's memory with " + atOnce, operator.residentMemory() / MEGA, "MB"));
    }

    private void measureSteady(ControlPlane plane, OperatorProcess operator) throws Exception {
        long callsBefore = calls(plane);
        List<Bucket> before = operator.reconciliations();
        double processor = operator.processorSeconds();
        Thread.sleep(interval);
        double used = operator.processorSeconds() - processor;
        List<Bucket> after = operator.reconciliations();
        double looks = after.getLast().count() - before.getLast().count();
        figures.add(Figure.atMost(
                "operator's processor time, %d Projects in order".formatted(all),
                100 * used / interval.toSeconds(),
                "%",
                2));
        figures.add(Figure.watched("looks at a Project in order, a second", looks / interval.toSeconds(), "1/s"));
        figures.add(Figure.atMost("reconcile of a Project in order, p99", Bucket.p99Millis(before, after), "ms", 250));
        figures.add(Figure.watched(
                "API calls of the operator, a minute",
                60.0 * (calls(plane) - callsBefore) / interval.toSeconds(),
                "calls"));
        figures.add(Figure.atMost("operator's memory with " + all, operator.residentMemory() / MEGA, "MB", 400));
    }

    /** Requests of the operator that were answered so far. */
    private static long calls(ControlPlane plane) throws IOException {
        try (Stream<String> lines = Files.lines(plane.auditLog())) {
            return lines.filter(line -> line.contains("system:serviceaccount:svc-system:svc-operator"))
                    .count();
        }
    }

    private static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
