package svc.embedded.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import svc.embedded.kubernetes.LocalObjects;
import svc.embedded.process.FreePort;

/** One process of the API server as a realtime sidecar. */
final class SidecarProcess {
    private static final long POLL_MS = 150;
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(2);
    private static final Duration LAST_LIMIT = Duration.ofSeconds(8);

    private static final List<String> OPTIONS = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-XX:+ExitOnOutOfMemoryError");

    private final Process process;
    private final int port;
    private final Path log;
    private volatile boolean stopping;

    /** Called on any thread, each at most once. */
    interface Listener {
        void ready();

        void ended(int code);
    }

    private SidecarProcess(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** @param mark an option that tells the processes of one runner from others */
    static SidecarProcess start(
            Path jar, String mark, DesiredPods desired, LocalObjects secrets, Path log, Listener listener)
            throws IOException {
        int port = FreePort.find();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(List.of(mark, "-jar", jar.toString()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        for (String name : desired.secrets()) {
            ObjectNode secret = secrets.find(desired.namespace(), name)
                    .orElseThrow(() -> new IOException("the Secret " + name + " does not exist"));
            secret.path("data")
                    .properties()
                    .forEach(entry -> environment.put(
                            entry.getKey(),
                            new String(
                                    Base64.getDecoder().decode(entry.getValue().asText()), StandardCharsets.UTF_8)));
        }
        environment.putAll(desired.variables());
        environment.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        var started = new SidecarProcess(builder.start(), port, log);
        Thread.ofVirtual().name("sidecar-exit").start(() -> started.await(listener));
        Thread.ofVirtual().name("sidecar-probe").start(() -> started.probe(listener));
        return started;
    }

    private void await(Listener listener) {
        try {
            listener.ended(process.waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void probe(Listener listener) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/q/health/ready"))
                    .timeout(PROBE_LIMIT)
                    .build();
            while (process.isAlive() && !stopping) {
                if (succeeds(client, ready)) {
                    listener.ready();
                    return;
                }
                Thread.sleep(POLL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean succeeds(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    int port() {
        return port;
    }

    Path log() {
        return log;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Asks it to end, and kills it after the grace period. */
    void stop(Duration grace) {
        if (!stopping) {
            stopping = true;
            process.destroy();
            Thread.ofVirtual().name("sidecar-stop").start(() -> killAfter(grace));
        }
    }

    private void killAfter(Duration grace) {
        try {
            if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    void stopAndWait() {
        stopping = true;
        process.destroy();
        killAfter(LAST_LIMIT);
    }
}
