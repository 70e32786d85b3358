package svc.bench.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import svc.e2e.platform.OperatorProcess;

/** Projects that are created in groups, and which of them a watcher of the Kubernetes API has seen Ready. */
final class Fleet implements AutoCloseable {
    private static final int APPLYING = 8;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration TELL = Duration.ofSeconds(30);

    private OperatorProcess operator;
    private final Map<String, Set<String>> ready = new ConcurrentHashMap<>();
    private final NewProjects projects;

    Fleet(KubernetesClient client, OperatorProcess operator) {
        this.operator = operator;
        this.projects = new NewProjects(client, this::isReady);
    }

    /** From now on the words of another replica explain a failure. */
    void follow(OperatorProcess other) {
        operator = other;
    }

    /**
     * Creates so many and waits until all are Ready.
     *
     * @param group one word that no other group has
     * @return how long that took, from the first creation on
     * @throws IOException with the operator's last words, when it ends, or some are not Ready within ten minutes
     */
    Duration create(String group, int count) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(APPLYING)) {
            List<Future<?>> created = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String name = group + "-" + i;
                created.add(threads.submit(() -> projects.create(name)));
            }
            for (Future<?> one : created) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("while creating Projects", e.getCause());
        }
        long reported = System.nanoTime();
        while (countReady(group) < count) {
            long now = System.nanoTime();
            if (!operator.isAlive() || now - begin > LIMIT.toNanos()) {
                throw new IOException("%d of %d Projects are Ready after %s, and the operator %s. Its last words:%n%s"
                        .formatted(
                                countReady(group),
                                count,
                                Duration.ofNanos(now - begin),
                                operator.isAlive() ? "runs" : "has ended",
                                operator.lastWords()));
            }
            if (now - reported > TELL.toNanos()) {
                reported = now;
                System.err.println("  " + countReady(group) + " of " + count + " Projects are Ready ...");
            }
            Thread.sleep(LOOK.toMillis());
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Override
    public void close() {
        projects.close();
    }

    private int countReady(String group) {
        return ready.getOrDefault(group, Set.of()).size();
    }

    private void isReady(String name) {
        ready.computeIfAbsent(name.substring(0, name.lastIndexOf('-')), group -> ConcurrentHashMap.newKeySet())
                .add(name);
    }
}
