package svc.e2e.bench;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;

/** How long a Project takes from its creation to Ready, as a watcher of the Kubernetes API sees it. */
final class ReadinessSuite implements Suite {
    private static final String NAMESPACE = "default";
    private static final int WARM_UP = 30;
    private static final int SAMPLES = 200;
    private static final int AT_ONCE = 200;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Map<String, CountDownLatch> awaited = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "readiness";
    }

    @Override
    public List<Figure> run() throws Exception {
        try (var environment = OperatorUnderTest.prepare()) {
            Operator operator = environment.assembly().plainOperator();
            operator.start();
            KubernetesClient client = environment.client();
            try (SharedIndexInformer<Project> watch =
                    client.resources(Project.class).inNamespace(NAMESPACE).inform(new ReadyWatch())) {
                measure(client, "warm", WARM_UP);
                Samples samples = measure(client, "bench", SAMPLES);
                Duration allAtOnce = createAtOnce(client);
                return List.of(
                        Figure.atMost("Project created to Ready, p50 of " + SAMPLES, samples.median(), "ms", 80),
                        Figure.atMost("Project created to Ready, p95 of " + SAMPLES, samples.percentile(95), "ms", 200),
                        Figure.atMost(AT_ONCE + " Projects at once, all Ready", allAtOnce.toMillis(), "ms", 24_000));
            } finally {
                operator.stop();
            }
        }
    }

    private Samples measure(KubernetesClient client, String prefix, int count) throws InterruptedException {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < count; i++) {
            String name = prefix + "-" + i;
            var ready = awaiting(name);
            long begin = System.nanoTime();
            create(client, name);
            await(name, ready);
            measured.add(Duration.ofNanos(System.nanoTime() - begin));
        }
        return Samples.of(measured);
    }

    private Duration createAtOnce(KubernetesClient client) throws InterruptedException {
        var ready = new ArrayList<CountDownLatch>();
        long begin = System.nanoTime();
        for (int i = 0; i < AT_ONCE; i++) {
            ready.add(awaiting("crowd-" + i));
            create(client, "crowd-" + i);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            await("crowd-" + i, ready.get(i));
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private CountDownLatch awaiting(String name) {
        var latch = new CountDownLatch(1);
        awaited.put(name, latch);
        return latch;
    }

    private static void await(String name, CountDownLatch ready) throws InterruptedException {
        if (!ready.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("Project " + name + " was not Ready within " + LIMIT);
        }
    }

    private static void create(KubernetesClient client, String name) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
        project.setSpec(ProjectSpec.named(name));
        client.resource(project).create();
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
            CountDownLatch latch = awaited.get(project.getMetadata().getName());
            if (latch != null && project.isReady()) {
                latch.countDown();
            }
        }
    }
}
