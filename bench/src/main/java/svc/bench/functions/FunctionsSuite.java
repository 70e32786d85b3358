package svc.bench.functions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.SocketCaller;
import svc.bench.measure.Suite;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.LocalObjects;
import svc.embedded.pods.PodRunner;
import svc.embedded.process.Folders;
import svc.embedded.process.Orphan;

/**
 * The runner of functions without a gateway before it: from the scale that asks for a process to its first byte, calls to
 * a warm one, and what it holds after many.
 */
public final class FunctionsSuite implements Suite {
    private static final String NAME = "fn-bench";
    private static final int COLD_STARTS = 15;
    private static final int WARM_UP = 1_000;
    private static final int CALLS = 100_000;
    private static final int TIMED = 5_000;
    private static final double COLD_LIMIT_MILLIS = 120;
    private static final double GROWTH_LIMIT = 1.2;
    private static final double MEGABYTE = 1 << 20;
    private static final long WAIT_SECONDS = 20;

    @Override
    public String name() {
        return "functions";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path folder = Files.createTempDirectory("svc-fn");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        try (var kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
                var runner = PodRunner.start(
                        kubernetes,
                        new PodRunner.Settings(
                                folder.resolve("run"),
                                PlatformCommand.root().resolve("sandbox"),
                                Optional.empty(),
                                "localhost"))) {
            Path bundle = Files.writeString(folder.resolve("bundle.js"), UsualFunction.source());
            return measure(kubernetes, runner, bundle);
        } finally {
            Folders.deleteRecursively(folder);
        }
    }

    private static List<Figure> measure(EmbeddedKubernetes kubernetes, PodRunner runner, Path bundle) throws Exception {
        LocalObjects deployments = kubernetes.objects("apps/v1", "deployments", "bench");
        BlockingQueue<Optional<String>> serving = new ArrayBlockingQueue<>(1_000);
        Path sockets = runner.sockets().resolve("default").resolve(NAME);
        Path socket = sockets.resolve("0.sock");
        try (var watch = kubernetes
                .objects("discovery.k8s.io/v1", "endpointslices", "bench")
                .watch(change -> serving.add(address(change.object().body())))) {
            var ready = new ArrayList<Duration>();
            var firstByte = new ArrayList<Duration>();
            for (int i = 0; i < COLD_STARTS; i++) {
                scale(deployments, bundle, 0);
                awaitGone(socket);
                serving.clear();
                long begin = System.nanoTime();
                scale(deployments, bundle, 1);
                socket = sockets.resolve(awaitServing(serving));
                ready.add(Duration.ofNanos(System.nanoTime() - begin));
                try (var caller = SocketCaller.ofProcess(socket)) {
                    caller.call();
                }
                firstByte.add(Duration.ofNanos(System.nanoTime() - begin));
            }
            var figures = new ArrayList<Figure>();
            figures.add(Figure.watched(
                    "function, 300 KB: scale to ready, p50", Samples.of(ready).median(), "ms"));
            figures.add(Figure.atMost(
                    "function, 300 KB: cold start to first byte, p50 of " + COLD_STARTS,
                    Samples.of(firstByte).median(),
                    "ms",
                    COLD_LIMIT_MILLIS));
            figures.addAll(warm(socket));
            return figures;
        }
    }

    private static List<Figure> warm(Path socket) throws IOException {
        long pid = ProcessHandle.allProcesses()
                .filter(Orphan.runsWith(socket.toString()))
                .mapToLong(ProcessHandle::pid)
                .max()
                .orElseThrow();
        try (var caller = SocketCaller.ofProcess(socket)) {
            for (int i = 0; i < WARM_UP; i++) {
                caller.call();
            }
            double before = residentMegabytes(pid);
            var timed = new ArrayList<Duration>();
            for (int i = 0; i < CALLS - WARM_UP; i++) {
                long begin = System.nanoTime();
                caller.call();
                if (i >= CALLS - WARM_UP - TIMED) {
                    timed.add(Duration.ofNanos(System.nanoTime() - begin));
                }
            }
            double after = residentMegabytes(pid);
            return List.of(
                    Figure.watched(
                            "function, warm call on the runner, p50",
                            Samples.of(timed).median(),
                            "ms"),
                    Figure.watched("function, resident after 1,000 calls", before, "MB"),
                    Figure.costAgainstPeer(
                            "function, resident after 100,000 calls",
                            after,
                            "MB",
                            "after 1,000",
                            before,
                            GROWTH_LIMIT));
        }
    }

    /** The socket that an EndpointSlice names; empty while nothing serves. */
    private static Optional<String> address(JsonNode slice) {
        String address =
                slice.path("endpoints").path(0).path("addresses").path(0).asText("");
        return Optional.of(address).filter(text -> !text.isEmpty());
    }

    private static String awaitServing(BlockingQueue<Optional<String>> serving) throws InterruptedException {
        while (true) {
            Optional<String> now = serving.poll(WAIT_SECONDS, TimeUnit.SECONDS);
            if (now == null) {
                throw new IllegalStateException("the function did not start within " + WAIT_SECONDS + " s");
            }
            if (now.isPresent()) {
                return now.get();
            }
        }
    }

    private static void awaitGone(Path socket) throws InterruptedException {
        while (Files.exists(socket)) {
            Thread.sleep(5);
        }
    }

    private static double residentMegabytes(long pid) throws IOException {
        String line = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(each -> each.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024 / MEGABYTE;
    }

    private static void scale(LocalObjects deployments, Path bundle, int replicas) throws IOException {
        deployments.put((ObjectNode) new ObjectMapper().readTree("""
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"replicas": %d, "selector": {"matchLabels": {"a": "b"}},
                  "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [
                   {"name": "function", "image": "svc/function-runtime",
                    "env": [{"name": "SVC_RUNTIME_BUNDLE", "value": "%s"}]}]}}}}
                """.formatted(NAME, replicas, bundle.toUri())));
    }
}
