package svc.operator.project.dedicated.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import svc.crds.project.Project;
import svc.operator.kubernetes.Labels;

/**
 * Wakes a Project when its cluster changes. The kind may be missing when the operator starts, come later and go again, which
 * an informer of the SDK would end the operator for: this one tries again, and a Project that waits looks for itself now and
 * then. Where no Project ever asked for a cluster, nothing is asked of Kubernetes.
 */
public final class ClusterEventSource extends AbstractEventSource<GenericKubernetesResource, Project> {
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final Set<String> namespaces;
    private final Function<String, Set<ResourceID>> projectsOfRef;
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile CountDownLatch closing = new CountDownLatch(0);

    /**
     * @param namespaces to watch; empty for all
     * @param projectsOfRef the resources that have a ref
     */
    public ClusterEventSource(
            KubernetesClient client, Set<String> namespaces, Function<String, Set<ResourceID>> projectsOfRef) {
        super(GenericKubernetesResource.class, "clusters");
        this.client = client;
        this.namespaces = Set.copyOf(namespaces);
        this.projectsOfRef = projectsOfRef;
    }

    @Override
    public void start() {
        super.start();
        closing = new CountDownLatch(1);
        watching.set(false);
    }

    /** Begins to watch, with the first Project that has a cluster. */
    public void needed() {
        if (!isRunning() || !watching.compareAndSet(false, true)) {
            return;
        }
        if (namespaces.isEmpty()) {
            watch("");
        } else {
            namespaces.forEach(this::watch);
        }
    }

    @Override
    public void stop() {
        super.stop();
        closing.countDown();
    }

    @Override
    public Set<GenericKubernetesResource> getSecondaryResources(Project project) {
        return Set.of();
    }

    private void watch(String namespace) {
        CountDownLatch until = closing;
        Thread.ofVirtual().name("watch-clusters").start(() -> {
            try {
                do {
                    hear(namespace, until);
                } while (!until.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Returns when there is nothing to hear. */
    private void hear(String namespace, CountDownLatch until) throws InterruptedException {
        var clusters = client.genericKubernetesResources(ClusterKind.CONTEXT);
        var labels = Map.of(Labels.MANAGED_BY, Labels.OPERATOR, Labels.PURPOSE, DesiredCluster.PURPOSE);
        var some = namespace.isEmpty()
                ? clusters.inAnyNamespace().withLabels(labels)
                : clusters.inNamespace(namespace).withLabels(labels);
        try {
            // An informer would tell the log of a missing kind as of an error, every time.
            some.list(new ListOptionsBuilder().withLimit(1L).build());
        } catch (KubernetesClientException e) {
            return;
        }
        try (SharedIndexInformer<GenericKubernetesResource> informer = some.inform(new Waking())) {
            var ended = informer.stopped().toCompletableFuture();
            while (!ended.isDone() && !until.await(1, TimeUnit.SECONDS)) {
                // Until one of them.
            }
        } catch (KubernetesClientException | CompletionException e) {
            // No such kind, or nobody there: whoever needs a cluster meets the same and says so.
        }
    }

    private final class Waking implements ResourceEventHandler<GenericKubernetesResource> {
        @Override
        public void onAdd(GenericKubernetesResource cluster) {
            wake(cluster);
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource now) {
            wake(now);
        }

        @Override
        public void onDelete(GenericKubernetesResource cluster, boolean unknown) {
            wake(cluster);
        }

        private void wake(GenericKubernetesResource cluster) {
            String ref = cluster.getMetadata().getLabels().get(Labels.REF);
            if (ref != null && isRunning()) {
                projectsOfRef.apply(ref).forEach(project -> getEventHandler().handleEvent(new Event(project)));
            }
        }
    }
}
