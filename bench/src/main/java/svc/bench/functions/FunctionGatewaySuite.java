package svc.bench.functions;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.SocketCaller;
import svc.bench.measure.Suite;
import svc.crds.function.EdgeFunction;
import svc.crds.function.FunctionObject;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;
import svc.embedded.process.Orphan;

/** A function as its callers meet it, on the platform as it is shipped: warm, from nothing, and left alone. */
public final class FunctionGatewaySuite implements Suite {
    private static final String NAMESPACE = "svc";
    private static final int WARM_UP = 20_000;
    private static final int CALLS = 5_000;
    private static final int COLD_STARTS = 15;
    private static final int IDLE_SECONDS = 10;
    private static final double SHARE_LIMIT_MILLIS = 0.5;
    private static final double COLD_LIMIT_MILLIS = 120;
    /** The idle check runs every second, and a process takes a moment to stop after its signal. */
    private static final double IDLE_LIMIT_SECONDS = IDLE_SECONDS + 3.0;

    private static final Duration SCALE_DOWN_TIMEOUT = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "functions-gateway";
    }

    @Override
    public List<Figure> run() throws Exception {
        // Itself the data folder, and open to the functions' users: so their sockets lie in it.
        Path data = Files.createTempDirectory("svc-b");
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data));
                KubernetesClient kubernetes = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(
                                Files.readString(Path.of(platform.connection().kubeconfig()))))
                        .build()) {
            return new Run(platform, kubernetes, data).figures();
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static final class Run {
        private final KubernetesClient kubernetes;
        private final Path sockets;
        private final String object;
        private final String function;
        private final InetSocketAddress gateway;
        private final String head;

        Run(Platform platform, KubernetesClient kubernetes, Path data) throws IOException {
            this.kubernetes = kubernetes;
            ControlPlane controlPlane = platform.controlPlane();
            JsonNode project = controlPlane.create("bench");
            String ref = project.get("ref").asText();
            controlPlane
                    .post(
                            "/projects/" + ref + "/functions/deploy",
                            Map.of("name", "fn", "source", UsualFunction.source()))
                    .expect(201);
            this.function = kubernetes
                    .resources(EdgeFunction.class)
                    .inNamespace(NAMESPACE)
                    .list()
                    .getItems()
                    .getFirst()
                    .getMetadata()
                    .getName();
            this.object = FunctionObject.name(function);
            this.sockets = data.resolve("functions").resolve(NAMESPACE).resolve(object);
            URI url = URI.create(platform.connection().pathUrl(ref) + "/functions/v1/fn");
            this.gateway = new InetSocketAddress(url.getHost(), url.getPort());
            this.head = "GET %s HTTP/1.1\r\nhost: %s\r\napikey: %s\r\n"
                    .formatted(
                            url.getPath(),
                            url.getAuthority(),
                            project.get("anon_key").asText());
        }

        List<Figure> figures() throws Exception {
            var figures = new ArrayList<Figure>();
            figures.addAll(warm());
            figures.addAll(cold());
            figures.addAll(idle());
            return figures;
        }

        /** Call by call in turns, so that whatever else the machine does, it does to both. */
        private List<Figure> warm() throws IOException {
            var through = new ArrayList<Duration>();
            var bare = new ArrayList<Duration>();
            try (var process = SocketCaller.ofProcess(socket());
                    var caller = SocketCaller.ofGateway(gateway, head)) {
                for (int i = 0; i < WARM_UP + CALLS; i++) {
                    long begin = System.nanoTime();
                    process.call();
                    long between = System.nanoTime();
                    caller.call();
                    long end = System.nanoTime();
                    if (i >= WARM_UP) {
                        bare.add(Duration.ofNanos(between - begin));
                        through.add(Duration.ofNanos(end - between));
                    }
                }
            }
            double gatewayMillis = Samples.of(through).median();
            double bareMillis = Samples.of(bare).median();
            return List.of(
                    Figure.watchedBeside(
                            "warm call through the gateway, p50", gatewayMillis, "ms", "the process", bareMillis),
                    Figure.atMost(
                            "warm call, the gateway's share, p50",
                            gatewayMillis - bareMillis,
                            "ms",
                            SHARE_LIMIT_MILLIS));
        }

        private List<Figure> cold() throws Exception {
            var measured = new ArrayList<Duration>();
            for (int i = 0; i < COLD_STARTS; i++) {
                kubernetes
                        .apps()
                        .deployments()
                        .inNamespace(NAMESPACE)
                        .withName(object)
                        .scale(0);
                awaitNothing();
                try (var caller = SocketCaller.ofGateway(gateway, head)) {
                    long begin = System.nanoTime();
                    caller.call();
                    measured.add(Duration.ofNanos(System.nanoTime() - begin));
                }
            }
            Samples samples = Samples.of(measured);
            return List.of(
                    Figure.atMost(
                            "call of a function without a process, 300 KB, p50 of " + COLD_STARTS,
                            samples.median(),
                            "ms",
                            COLD_LIMIT_MILLIS),
                    Figure.watched(
                            "call of a function without a process, 300 KB, slowest", samples.percentile(100), "ms"));
        }

        private List<Figure> idle() throws Exception {
            kubernetes
                    .resources(EdgeFunction.class)
                    .inNamespace(NAMESPACE)
                    .withName(function)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"spec\":{\"scale\":{\"idleSeconds\":" + IDLE_SECONDS + "}}}");
            try (var caller = SocketCaller.ofGateway(gateway, head)) {
                caller.call();
            }
            long begin = System.nanoTime();
            awaitNothing();
            return List.of(
                    Figure.atMost(
                            "last call to no process, idleSeconds " + IDLE_SECONDS,
                            (System.nanoTime() - begin) / 1e9,
                            "s",
                            IDLE_LIMIT_SECONDS),
                    Figure.atMost("processes of an idle function", processes(), "", 0));
        }

        private Path socket() throws IOException {
            try (var entries = Files.list(sockets)) {
                return entries.filter(file -> file.toString().endsWith(".sock"))
                        .filter(file -> !file.endsWith("g.sock"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("no process of the function listens in " + sockets));
            }
        }

        /** Processes that name the function's folder in their command. */
        private long processes() {
            return ProcessHandle.allProcesses()
                    .filter(Orphan.runsWith(sockets.toString()))
                    .count();
        }

        private void awaitNothing() throws Exception {
            long end = System.nanoTime() + SCALE_DOWN_TIMEOUT.toNanos();
            while (processes() > 0) {
                if (System.nanoTime() > end) {
                    throw new IOException("processes of the function are still there after " + SCALE_DOWN_TIMEOUT);
                }
                Thread.sleep(20);
            }
        }
    }
}
