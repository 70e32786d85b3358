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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import svc.crds.project.Project;
import svc.operator.kubernetes.Labels;

/**
 * Triggers a reconciliation of a Project when its Cluster changes. The Cluster kind may be installed or removed while the
 * operator runs, which would stop an informer of the SDK and with it the operator. This one retries, and a waiting Project is
 * also reconciled on a timer. Watches nothing until a Project needs a Cluster.
 */
public final class ClusterEventSource extends AbstractEventSource<GenericKubernetesResource, Project> {
    /** Of the event source. */
    public static final String NAME = "clusters";

    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterEventSource.class);

    private final KubernetesClient client;
    private final Set<String> namespaces;
    private final Function<String, Set<ResourceID>> projectsOfRef;
    private final Duration retryInterval;
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile CountDownLatch closing = new CountDownLatch(0);

    /**
     * @param namespaces to watch; empty for all
     * @param projectsOfRef finds the Projects with a ref
     */
    public ClusterEventSource(
            KubernetesClient client, Set<String> namespaces, Function<String, Set<ResourceID>> projectsOfRef) {
        this(client, namespaces, projectsOfRef, RETRY_INTERVAL);
    }

    ClusterEventSource(
            KubernetesClient client,
            Set<String> namespaces,
            Function<String, Set<ResourceID>> projectsOfRef,
            Duration retryInterval) {
        super(GenericKubernetesResource.class, NAME);
        this.client = client;
        this.namespaces = Set.copyOf(namespaces);
        this.projectsOfRef = projectsOfRef;
        this.retryInterval = retryInterval;
    }

    @Override
    public void start() {
        super.start();
        closing = new CountDownLatch(1);
        watching.set(false);
    }

    /** Starts to watch, if it does not yet. Called for the first Project that has a cluster. */
    public void startWatching() {
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
                    watchUntil(namespace, until);
                } while (!until.await(retryInterval.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Blocks until the informer stops or the kind is not installed. */
    private void watchUntil(String namespace, CountDownLatch until) throws InterruptedException {
        var clusters = client.genericKubernetesResources(ClusterKind.CONTEXT);
        var labels = Map.of(Labels.MANAGED_BY, Labels.OPERATOR, Labels.PURPOSE, DesiredCluster.PURPOSE);
        var some = namespace.isEmpty()
                ? clusters.inAnyNamespace().withLabels(labels)
                : clusters.inNamespace(namespace).withLabels(labels);
        try {
            // Probes the kind first: an informer would log an error for a missing kind on every retry.
            some.list(new ListOptionsBuilder().withLimit(1L).build());
        } catch (RuntimeException e) {
            reportUnexpected(e, until);
            return;
        }
        try (SharedIndexInformer<GenericKubernetesResource> informer = some.inform(new ReconcileTrigger())) {
            var ended = informer.stopped().toCompletableFuture();
            while (!ended.isDone() && !until.await(1, TimeUnit.SECONDS)) {
                // Waits for either.
            }
        } catch (RuntimeException e) {
            reportUnexpected(e, until);
        }
    }

    /**
     * Hazard: an exception that ends the thread ends the watch for good. A missing kind and an unreachable API are expected, and
     * reconciliations that need a Cluster report them. During a stop the client closes below the watch, and its HTTP library
     * throws exceptions of its own.
     */
    private static void reportUnexpected(RuntimeException failure, CountDownLatch until) {
        boolean expected = failure instanceof KubernetesClientException || failure instanceof CompletionException;
        if (!expected && until.getCount() > 0) {
            LOG.warn("The watch of CloudNativePG clusters failed; it starts again", failure);
        }
    }

    private final class ReconcileTrigger implements ResourceEventHandler<GenericKubernetesResource> {
        @Override
        public void onAdd(GenericKubernetesResource cluster) {
            trigger(cluster);
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource now) {
            trigger(now);
        }

        @Override
        public void onDelete(GenericKubernetesResource cluster, boolean unknown) {
            trigger(cluster);
        }

        private void trigger(GenericKubernetesResource cluster) {
            String ref = cluster.getMetadata().getLabels().get(Labels.REF);
            if (ref != null && isRunning()) {
                projectsOfRef.apply(ref).forEach(project -> getEventHandler().handleEvent(new Event(project)));
            }
        }
    }
}
