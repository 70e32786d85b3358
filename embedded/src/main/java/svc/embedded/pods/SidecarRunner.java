package svc.embedded.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.LocalObjects;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.process.Orphan;

/**
 * Runs the Deployments of realtime sidecars on this machine: those with a container {@code realtime}, each as one process of
 * the API server, on a port of the loopback interface that its EndpointSlice names while it is ready.
 */
public final class SidecarRunner implements AutoCloseable {
    static final String CONTAINER = "realtime";

    private static final System.Logger LOG = System.getLogger(SidecarRunner.class.getName());
    private static final String MANAGER = PodDocuments.RUNNER;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final Path jar;
    private final Path folder;
    private final LocalObjects deployments;
    private final LocalObjects slices;
    private final LocalObjects secrets;
    private final ObjectStore.Subscription subscription;
    private final ExecutorService events = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("sidecar-runner").factory());
    private final Map<String, SidecarRollout> rollouts = new ConcurrentHashMap<>();

    private SidecarRunner(EmbeddedKubernetes kubernetes, Path jar, Path folder)
            throws IOException, InterruptedException {
        this.jar = jar;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        Orphan.stopAll(Orphan.runsWith(mark()), "KILL", STOP_LIMIT);
        this.deployments = kubernetes.objects("apps/v1", "deployments", MANAGER);
        this.slices = kubernetes.objects("discovery.k8s.io/v1", "endpointslices", MANAGER);
        this.secrets = kubernetes.objects("v1", "secrets", MANAGER);
        this.subscription = deployments.watch(change -> enqueue(() -> {
            ObjectNode deployment = change.object().body();
            Optional<DesiredPods> desired = switch (change.type()) {
                case ADDED, MODIFIED -> desired(deployment);
                case DELETED -> Optional.empty();
            };
            String key = Meta.namespace(deployment) + "/" + Meta.name(deployment);
            if (desired.isPresent()) {
                rollouts.computeIfAbsent(key, name -> new SidecarRollout(this)).reconcile(desired.get());
            } else {
                Optional.ofNullable(rollouts.remove(key)).ifPresent(SidecarRollout::end);
            }
        }));
    }

    /**
     * Starts, after killing the processes that an earlier platform left on the same folder.
     *
     * @param jar the packaged API server
     * @param folder for the logs of the processes
     */
    public static SidecarRunner start(EmbeddedKubernetes kubernetes, Path jar, Path folder) throws IOException {
        try {
            return new SidecarRunner(kubernetes, jar, folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while starting the runner of sidecars", e);
        }
    }

    /** Unlike a cluster this API leaves an absent number absent: it is about to be written. */
    private static Optional<DesiredPods> desired(ObjectNode deployment) {
        return DesiredPods.of(deployment, CONTAINER)
                .filter(pods -> deployment.at("/spec/replicas").isNumber());
    }

    /** Of the processes on this folder, among all of the machine. */
    private String mark() {
        return "-Drealtime.sidecar.log=" + folder;
    }

    /** Runs one after the other. */
    void enqueue(Runnable event) {
        try {
            events.execute(() -> {
                try {
                    event.run();
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.ERROR, "while running a realtime sidecar", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "ignored an event after shutdown");
        }
    }

    /** Starts a process; its listener is called on the runner's thread. @throws IOException when it cannot be started */
    SidecarProcess launch(DesiredPods desired, SidecarProcess.Listener listener) throws IOException {
        Path log = folder.resolve(desired.namespace() + "." + desired.name() + ".log");
        return SidecarProcess.start(jar, mark(), desired, secrets, log, listener);
    }

    /** Writes what the controllers of a cluster would. @param port of the ready process; empty while there is none */
    void report(DesiredPods desired, PodDocuments.PodState state, boolean running, Optional<Integer> port) {
        if (deployments.find(desired.namespace(), desired.name()).isEmpty()) {
            return;
        }
        slices.put(slice(desired, port));
        List<PodDocuments.PodState> live = running ? List.of(state) : List.of();
        deployments.putStatus(
                desired.namespace(),
                desired.name(),
                status -> PodDocuments.deploymentStatus(
                        desired,
                        live,
                        live.stream().map(PodDocuments.PodState::name).toList(),
                        status));
    }

    private static ObjectNode slice(DesiredPods desired, Optional<Integer> port) {
        ObjectNode slice =
                Json.object().put("apiVersion", "discovery.k8s.io/v1").put("kind", "EndpointSlice");
        ObjectNode metadata =
                slice.putObject("metadata").put("name", desired.name()).put("namespace", desired.namespace());
        ObjectNode labels = metadata.putObject("labels");
        desired.labels().forEach(labels::put);
        labels.put(PodDocuments.SERVICE, desired.name())
                .put("endpointslice.kubernetes.io/managed-by", PodDocuments.RUNNER);
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "apps/v1")
                .put("kind", "Deployment")
                .put("name", desired.name())
                .put("uid", desired.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
        slice.put("addressType", "IPv4");
        var ports = slice.putArray("ports");
        var endpoints = slice.putArray("endpoints");
        port.ifPresent(number -> {
            ports.addObject().put("name", "http").put("port", number).put("protocol", "TCP");
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add("127.0.0.1");
            endpoint.putObject("conditions").put("ready", true);
        });
        return slice;
    }

    /** Stops every process. */
    @Override
    public void close() throws IOException {
        try {
            subscription.close();
        } catch (Exception e) {
            throw new IOException("while unsubscribing from the Kubernetes API", e);
        } finally {
            events.shutdownNow();
            rollouts.values().forEach(SidecarRollout::kill);
        }
    }
}
