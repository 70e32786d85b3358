package svc.e2e.bench;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
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
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.e2e.platform.OperatorProcess;

/** Projects that are created in groups, and which of them a watcher of the Kubernetes API has seen Ready. */
final class Fleet implements AutoCloseable {
    private static final String NAMESPACE = "default";
    private static final int APPLYING = 8;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration TELL = Duration.ofSeconds(30);

    private final KubernetesClient client;
    private final OperatorProcess operator;
    private final Map<String, Set<String>> ready = new ConcurrentHashMap<>();
    private final SharedIndexInformer<Project> watch;

    Fleet(KubernetesClient client, OperatorProcess operator) {
        this.client = client;
        this.operator = operator;
        this.watch = client.resources(Project.class).inNamespace(NAMESPACE).inform(new ReadyWatch());
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
                created.add(threads.submit(() -> create(name)));
            }
            for (Future<?> one : created) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("while creating Projects", e.getCause());
        }
        long told = System.nanoTime();
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
            if (now - told > TELL.toNanos()) {
                told = now;
                System.err.println("  " + countReady(group) + " of " + count + " Projects are Ready ...");
            }
            Thread.sleep(LOOK.toMillis());
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Override
    public void close() {
        watch.close();
    }

    private int countReady(String group) {
        return ready.getOrDefault(group, Set.of()).size();
    }

    private void create(String name) {
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
            if (project.isReady()) {
                String name = project.getMetadata().getName();
                ready.computeIfAbsent(name.substring(0, name.lastIndexOf('-')), group -> ConcurrentHashMap.newKeySet())
                        .add(name);
            }
        }
    }
}
