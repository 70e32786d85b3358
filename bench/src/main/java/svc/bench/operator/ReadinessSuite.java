package svc.bench.operator;

import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;

/** How long a Project takes from its creation to Ready, as a watcher of the Kubernetes API sees it. */
public final class ReadinessSuite implements Suite {
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
            try (var projects = new NewProjects(environment.client(), this::isReady)) {
                measure(projects, "warm", WARM_UP);
                Samples samples = measure(projects, "bench", SAMPLES);
                Duration allAtOnce = createAtOnce(projects);
                return List.of(
                        Figure.atMost("Project created to Ready, p50 of " + SAMPLES, samples.median(), "ms", 80),
                        Figure.atMost("Project created to Ready, p95 of " + SAMPLES, samples.percentile(95), "ms", 200),
                        Figure.atMost(AT_ONCE + " Projects at once, all Ready", allAtOnce.toMillis(), "ms", 24_000));
            } finally {
                operator.stop();
            }
        }
    }

    private Samples measure(NewProjects projects, String prefix, int count) throws InterruptedException {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < count; i++) {
            String name = prefix + "-" + i;
            var ready = awaiting(name);
            long begin = System.nanoTime();
            projects.create(name);
            await(name, ready);
            measured.add(Duration.ofNanos(System.nanoTime() - begin));
        }
        return Samples.of(measured);
    }

    private Duration createAtOnce(NewProjects projects) throws InterruptedException {
        var ready = new ArrayList<CountDownLatch>();
        long begin = System.nanoTime();
        for (int i = 0; i < AT_ONCE; i++) {
            ready.add(awaiting("crowd-" + i));
            projects.create("crowd-" + i);
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

    private void isReady(String name) {
        CountDownLatch latch = awaited.get(name);
        if (latch != null) {
            latch.countDown();
        }
    }
}
