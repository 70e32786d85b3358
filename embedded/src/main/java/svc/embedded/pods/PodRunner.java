package svc.embedded.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.LocalObjects;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.log.PodLog;
import svc.embedded.process.Orphan;

/**
 * Runs the Deployments of edge functions on this machine: what scheduler, kubelet, and the controllers of Deployments and
 * EndpointSlices do on a cluster, for pods with one container {@code function}. A ready pod takes requests on the socket
 * {@code <folder>/<namespace>/<deployment>/<n>.sock}, which its EndpointSlice names.
 */
public final class PodRunner implements AutoCloseable {
    private static final String MANAGER = PodDocuments.RUNNER;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ORPHAN_STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final long WARM_UP_SECONDS = 60;

    private final RunFolder folder;
    private final Vertx vertx;
    private final MemoryWatch memory = new MemoryWatch();
    private final ControlGroups groups;
    private final Confinement confinement;
    private final PodLauncher launcher;
    private final PodStatusWriter reports;
    private final Optional<FunctionGateway> gateway;
    private final ExecutorService dispatcher = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("pod-runner").factory());
    private final Map<String, Rollout> rollouts = new ConcurrentHashMap<>();
    private final Set<Rollout> ending = ConcurrentHashMap.newKeySet();
    private final List<AutoCloseable> subscriptions = new ArrayList<>();

    /**
     * Configuration of the runner.
     *
     * @param folder for sockets and processes; short, because the path of a socket is
     * @param sandbox the folder with the sandbox's programs
     * @param gateway where the data plane listens; without it functions cannot reach their project
     * @param dataHost the domain whose sub-domains are projects; functions reach nothing else of the gateway
     */
    public record Settings(Path folder, Path sandbox, Optional<InetSocketAddress> gateway, String dataHost) {}

    private PodRunner(EmbeddedKubernetes kubernetes, Settings settings, Confinement confinement)
            throws IOException, InterruptedException {
        this.folder = new RunFolder(settings.folder());
        this.confinement = confinement;
        // Before their files are replaced.
        Orphan.stopAll(Orphan.runsWith(folder.root().resolve(".program").toString()), "KILL", ORPHAN_STOP_TIMEOUT);
        folder.prepare();
        RunCommand command = folder.install(settings.sandbox());
        this.groups = ControlGroups.detect(
                "svc-functions-" + Integer.toHexString(folder.root().hashCode()));
        this.vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setUseDaemonThread(true)
                .setPreferNativeTransport(true)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        this.gateway = settings.gateway()
                .map(address -> new FunctionGateway(vertx, address, settings.dataHost(), GatewayLimits.DEFAULT));
        warmUp(command);
        LocalObjects deployments = kubernetes.objects("apps/v1", "deployments", MANAGER);
        LocalObjects pods = kubernetes.objects("v1", "pods", MANAGER);
        this.reports = new PodStatusWriter(
                deployments, pods, kubernetes.objects("discovery.k8s.io/v1", "endpointslices", MANAGER));
        this.launcher = new PodLauncher(
                folder,
                command,
                confinement,
                groups,
                memory,
                new BundleStore(folder.bundles(), settings.gateway(), vertx),
                new LogPost(settings.gateway(), vertx),
                kubernetes.objects("v1", "secrets", MANAGER),
                gateway);
        forgetPods(pods);
        kubernetes.serveLogs(this::log);
        follow(deployments, pods);
    }

    /**
     * Starts, after killing the processes that an earlier platform left on the same folder.
     *
     * @throws IOException when the sandbox is incomplete, or functions would have to run as root
     */
    public static PodRunner start(EmbeddedKubernetes kubernetes, Settings settings) throws IOException {
        return start(kubernetes, settings, Confinement.detect());
    }

    static PodRunner start(EmbeddedKubernetes kubernetes, Settings settings, Confinement confinement)
            throws IOException {
        try {
            return new PodRunner(kubernetes, settings, confinement);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while starting the pod runner", e);
        }
    }

    /** The folder of the sockets. */
    public Path sockets() {
        return folder.root();
    }

    /** Stops every process and removes the sockets. */
    @Override
    public void close() throws IOException {
        for (AutoCloseable subscription : subscriptions) {
            try {
                subscription.close();
            } catch (Exception e) {
                throw new IOException("while unsubscribing from the Kubernetes API", e);
            }
        }
        dispatcher.shutdownNow();
        List<Thread> stops = Stream.concat(rollouts.values().stream(), ending.stream())
                .map(rollout -> Thread.ofVirtual().start(() -> rollout.close(STOP_TIMEOUT)))
                .toList();
        for (Thread stop : stops) {
            try {
                stop.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        memory.close();
        launcher.close();
        gateway.ifPresent(FunctionGateway::close);
        groups.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void follow(LocalObjects deployments, LocalObjects pods) {
        subscriptions.add(deployments.watch(change -> dispatcher.execute(() -> {
            ObjectNode deployment = change.object().body();
            String key = Meta.namespace(deployment) + "/" + Meta.name(deployment);
            Optional<DesiredPods> desired = switch (change.type()) {
                case ADDED, MODIFIED -> DesiredPods.of(deployment);
                case DELETED -> Optional.empty();
            };
            if (desired.isPresent()) {
                rollouts.computeIfAbsent(key, k -> new Rollout(folder, launcher, reports, confinement))
                        .setDesired(desired.get());
            } else {
                Optional.ofNullable(rollouts.remove(key)).ifPresent(rollout -> {
                    ending.add(rollout);
                    rollout.end(() -> ending.remove(rollout));
                });
            }
        })));
        subscriptions.add(pods.watch(change -> {
            if (change.type() == svc.embedded.kubernetes.store.Change.Type.DELETED) {
                String name = Meta.name(change.object().body());
                dispatcher.execute(() -> rollouts.values().forEach(rollout -> rollout.deleted(name)));
            }
        }));
    }

    private Optional<PodLog> log(String namespace, String pod) {
        return rollouts.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(namespace + "/"))
                .flatMap(entry -> entry.getValue().log(pod).stream())
                .findFirst();
    }

    /** Deletes the Pods of an earlier run: their processes are gone. */
    private static void forgetPods(LocalObjects pods) {
        for (ObjectNode pod : pods.all()) {
            if (Meta.label(pod, PodDocuments.MANAGED_BY)
                    .filter(PodDocuments.RUNNER::equals)
                    .isPresent()) {
                pods.delete(Meta.namespace(pod), Meta.name(pod));
            }
        }
    }

    /** Fills Deno's cache, which the functions' users may read and not write; it speeds up their start. */
    private void warmUp(RunCommand command) throws IOException, InterruptedException {
        Path bundle = folder.bundles().resolve("nothing.js");
        Files.writeString(bundle, "export default () => new Response();");
        var builder = new ProcessBuilder(command.dryBoot(bundle))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(command.environment(folder.cache()));
        builder.environment().put("SVC_RUNTIME_BUNDLE", bundle.toUri().toString());
        Process process = builder.start();
        if (!process.waitFor(WARM_UP_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("Deno does not run here: " + command.deno() + " ended without loading a function");
        }
    }
}
