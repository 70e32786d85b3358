package svc.e2e.bench;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import svc.crds.CrdCatalog;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.e2e.bench.OperatorProcess.Bucket;
import svc.embedded.cluster.ControlPlane;
import svc.embedded.cluster.ServiceAccountToken;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.process.Folders;

/**
 * Many Projects on Kubernetes' own API server: a thousand applied at once, then what five thousand that are in order cost.
 * The operator is its own process with its own rights, on a PostgreSQL that waits for its disk.
 */
final class FleetSuite implements Suite {
    /** Set by {@code ./svc bench}: what {@code ./svc control-plane} builds. */
    private static final String PROGRAM = "svc.kubernetes.program";

    private static final Path RIGHTS = Path.of("config", "rbac", "operator.yaml");
    private static final String NAMESPACE = "default";
    private static final String DATABASE = "svc";
    private static final int WARM_UP = 50;
    private static final int AT_ONCE = 1_000;
    private static final int FLEET = 5_000;
    private static final int APPLYING = 8;
    private static final Duration LIMIT = Duration.ofMinutes(15);
    /** Looks come as evenly as the projects did, one at each in five minutes: a part of those shows what all cost. */
    private static final Duration STEADY = Duration.ofMinutes(2);

    private static final double MEGA = 1024 * 1024;

    private final Set<String> ready = ConcurrentHashMap.newKeySet();

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
            return measure(program, started);
        } finally {
            while (!started.isEmpty()) {
                started.pop().close();
            }
        }
    }

    private List<Figure> measure(Path program, Deque<AutoCloseable> started) throws Exception {
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
        var operator = OperatorProcess.start(
                plane.configOf(ServiceAccountToken.install(admin, RIGHTS, "svc-system", "svc-operator")),
                Map.of(
                        "svc.master-keys.1.value", Base64.getEncoder().encodeToString(new byte[32]),
                        "svc.databases.main.jdbc-url", postgres.jdbcUrl(DATABASE),
                        "svc.databases.main.password", postgres.operatorPassword()),
                folder.resolve("operator.log"));
        started.push(operator);
        SharedIndexInformer<Project> watch =
                admin.resources(Project.class).inNamespace(NAMESPACE).inform(new ReadyWatch());
        started.push(watch);

        apply(admin, "warm", WARM_UP);
        var figures = new ArrayList<Figure>();
        long callsBefore = calls(plane);
        List<Bucket> before = operator.reconciliations();
        Duration took = apply(admin, "crowd", AT_ONCE);
        figures.add(Figure.atMost(AT_ONCE + " Projects at once, all Ready", took.toMillis() / 1000.0, "s", 120));
        figures.add(Figure.watched(
                "API calls of the operator for one Project", (calls(plane) - callsBefore) / (double) AT_ONCE, "calls"));
        figures.add(Figure.atMost(
                "reconcile of a new Project, p99", Bucket.p99Millis(before, operator.reconciliations()), "ms", 250));
        figures.add(Figure.watched("operator's memory with " + AT_ONCE, operator.residentMemory() / MEGA, "MB"));

        apply(admin, "fleet", FLEET - AT_ONCE - WARM_UP);
        callsBefore = calls(plane);
        before = operator.reconciliations();
        double processor = operator.processorSeconds();
        Thread.sleep(STEADY.toMillis());
        figures.add(Figure.atMost(
                "operator's processor time, %d Projects in order".formatted(FLEET),
                100 * (operator.processorSeconds() - processor) / STEADY.toSeconds(),
                "%",
                2));
        List<Bucket> after = operator.reconciliations();
        figures.add(Figure.watched(
                "looks at a Project in order, a second",
                (after.getLast().count() - before.getLast().count()) / STEADY.toSeconds(),
                "1/s"));
        figures.add(Figure.atMost("reconcile of a Project in order, p99", Bucket.p99Millis(before, after), "ms", 250));
        figures.add(Figure.watched(
                "API calls of the operator, a minute",
                (calls(plane) - callsBefore) / (double) STEADY.toMinutes(),
                "calls"));
        figures.add(Figure.atMost("operator's memory with " + FLEET, operator.residentMemory() / MEGA, "MB", 400));
        return figures;
    }

    /** Creates so many and waits until all are Ready. */
    private Duration apply(KubernetesClient client, String prefix, int count) throws InterruptedException, IOException {
        long begin = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(APPLYING)) {
            List<Future<?>> created = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String name = prefix + "-" + i;
                created.add(threads.submit(() -> create(client, name)));
            }
            for (Future<?> one : created) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("while creating Projects", e.getCause());
        }
        while (ready.stream().filter(name -> name.startsWith(prefix + "-")).count() < count) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new IllegalStateException(
                        "of " + count + " Projects, not all were Ready within " + LIMIT + ": " + ready.size());
            }
            Thread.sleep(20);
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static void create(KubernetesClient client, String name) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
        project.setSpec(ProjectSpec.named(name));
        client.resource(project).create();
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

    private final class ReadyWatch implements ResourceEventHandler<Project> {
        @Override
        public void onAdd(Project project) {
            look(project);
        }

        @Override
        public void onUpdate(Project before, Project project) {
            look(project);
        }

        @Override
        public void onDelete(Project project, boolean stateUnknown) {
            // Nothing is deleted while this watches.
        }

        private void look(Project project) {
            if (project.isReady()) {
                ready.add(project.getMetadata().getName());
            }
        }
    }
}
