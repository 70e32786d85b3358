package svc.e2e.platform;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import svc.embedded.process.FreePort;

/** A packaged server as a pod of it runs: a process of its own that knows the Kubernetes API by the token of its account. */
final class PodProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Process process;
    private final int port = FreePort.find();

    private PodProcess(Path jar, List<String> options, Config access, Map<String, String> settings, Path log)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.kubernetes-client.api-server-url=" + access.getMasterUrl(),
                "-Dquarkus.kubernetes-client.token=" + access.getOauthToken(),
                "-Dquarkus.kubernetes-client.ca-cert-data=" + access.getCaCertData()));
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-jar", jar.toString()));
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        // It must not outlive a run that is broken off.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /**
     * Starts it and returns when it is ready.
     *
     * @param options of the Java virtual machine
     * @param access to the Kubernetes API, as the account of its pods
     * @param log where it writes what it has to say
     * @throws IOException with its log when it ends or does not become ready
     */
    static PodProcess start(Path jar, List<String> options, Config access, Map<String, String> settings, Path log)
            throws IOException, InterruptedException {
        return start(jar, options, access, settings, log, "ready");
    }

    /** @param probe that must succeed first: {@code ready}, or {@code live} for one that cannot become ready */
    static PodProcess start(
            Path jar, List<String> options, Config access, Map<String, String> settings, Path log, String probe)
            throws IOException, InterruptedException {
        var pod = new PodProcess(jar, options, access, settings, log);
        Instant limit = Instant.now().plus(START_LIMIT);
        while (!pod.succeeds(probe)) {
            if (!pod.process.isAlive() || Instant.now().isAfter(limit)) {
                pod.close();
                throw new IOException(jar + " does not start:\n" + Files.readString(log));
            }
            Thread.sleep(POLL.toMillis());
        }
        return pod;
    }

    /** On the loopback interface. */
    URI address(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    Process process() {
        return process;
    }

    private boolean succeeds(String probe) {
        try {
            return ControlPlane.send(HttpRequest.newBuilder(address("/q/health/" + probe)))
                            .status()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
