package svc.bench.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.crds.CrdCatalog;
import svc.crds.project.Project;
import svc.embedded.kubernetes.EmbeddedKubernetes;

/** How soon the embedded Kubernetes API tells a watcher of a write, and how long its answer to a long list takes. */
public final class EmbeddedKubernetesSuite implements Suite {
    private static final int WARM_UP = 20;
    private static final int SAMPLES = 200;
    private static final int MANY = 2_000;
    private static final int LISTS = 5;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "embedded-kubernetes";
    }

    @Override
    public List<Figure> run() throws Exception {
        try (var kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
                var client = new KubernetesClientBuilder()
                        .withConfig(kubernetes.clientConfig())
                        .build()) {
            CrdCatalog.load().all().forEach(kind -> client.resource(kind).create());
            events(client, "warm", WARM_UP);
            Samples events = events(client, "watched", SAMPLES);
            for (int i = WARM_UP + SAMPLES; i < MANY; i++) {
                NewProjects.create(client, "listed-" + i);
            }
            return List.of(
                    Figure.watched(
                            "watch event after the answer to its write, p50 of " + SAMPLES, events.median(), "ms"),
                    Figure.atMost(
                            "watch event after the answer to its write, worst of " + SAMPLES,
                            events.percentile(100),
                            "ms",
                            50),
                    Figure.atMost(
                            "list of %d Projects".formatted(MANY), lists(client).median(), "ms", 2_000));
        }
    }

    /** One write at a time: an event that waited for the next one would never come. */
    private static Samples events(KubernetesClient client, String prefix, int count) throws InterruptedException {
        var arrivals = new LinkedBlockingQueue<Long>();
        var measured = new ArrayList<Duration>();
        String version = client.resources(Project.class)
                .inAnyNamespace()
                .list()
                .getMetadata()
                .getResourceVersion();
        try (var watch = client.resources(Project.class)
                .inAnyNamespace()
                .withResourceVersion(version)
                .watch(new Arrivals(arrivals))) {
            for (int i = 0; i < count; i++) {
                NewProjects.create(client, prefix + "-" + i);
                long answered = System.nanoTime();
                Long arrived = arrivals.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
                if (arrived == null) {
                    throw new IllegalStateException("no event within " + LIMIT);
                }
                // It may be there before the answer is.
                measured.add(Duration.ofNanos(Math.max(0, arrived - answered)));
            }
        }
        return Samples.of(measured);
    }

    private static Samples lists(KubernetesClient client) {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < LISTS; i++) {
            long begin = System.nanoTime();
            int found = client.resources(Project.class)
                    .inAnyNamespace()
                    .list()
                    .getItems()
                    .size();
            measured.add(Duration.ofNanos(System.nanoTime() - begin));
            if (found != MANY) {
                throw new IllegalStateException("a list of %d Projects had %d".formatted(MANY, found));
            }
        }
        return Samples.of(measured);
    }

    private record Arrivals(BlockingQueue<Long> times) implements Watcher<Project> {
        @Override
        public void eventReceived(Action action, Project project) {
            times.add(System.nanoTime());
        }

        @Override
        public void onClose(WatcherException cause) {
            // A wait for an event would not end.
        }
    }
}
