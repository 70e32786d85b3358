package svc.e2e.platform;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import svc.embedded.process.FreePort;

/**
 * The operator as the chart starts it: a process of its own, so that memory and processor time are its own, with the chart's
 * options of the Java virtual machine, which sees the chart's limit of memory.
 */
public final class OperatorProcess implements AutoCloseable {
    private static final Path CHART = PlatformCommand.root().resolve("helm/svc/values.yaml");
    private static final Path JAR = PlatformCommand.root().resolve("operator/target/quarkus-app/quarkus-run.jar");
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Pattern BUCKET =
            Pattern.compile("^svc_reconcile_seconds_bucket\\{le=\"([^\"]+)\"\\} ([0-9.]+)", Pattern.MULTILINE);

    private static final int LAST_LINES = 20;

    private final Process process;
    private final Path log;
    private final int port = FreePort.find();
    /** Not HTTP/2, whose upgrade on a connection of the JDK's client may lose a request for ever. */
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private OperatorProcess(Config access, Map<String, String> settings, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(machineOptions());
        command.addAll(List.of(
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.kubernetes-client.api-server-url=" + access.getMasterUrl(),
                "-Dquarkus.kubernetes-client.token=" + access.getOauthToken(),
                "-Dquarkus.kubernetes-client.ca-cert-data=" + access.getCaCertData()));
        this.log = log;
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-jar", JAR.toString()));
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        // It must not outlive a run that is broken off.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /**
     * Starts it and returns when it is healthy.
     *
     * @param access to the Kubernetes API, as the operator's account
     * @param log where it writes what it has to say
     */
    public static OperatorProcess start(Config access, Map<String, String> settings, Path log)
            throws IOException, InterruptedException {
        var operator = new OperatorProcess(access, settings, log);
        Instant limit = Instant.now().plus(START_LIMIT);
        while (!operator.isHealthy()) {
            if (!operator.process.isAlive() || Instant.now().isAfter(limit)) {
                operator.close();
                throw new IOException("the operator does not start:\n" + Files.readString(log));
            }
            Thread.sleep(POLL.toMillis());
        }
        return operator;
    }

    private static List<String> machineOptions() throws IOException {
        JsonNode chart =
                Serialization.unmarshal(Files.readString(CHART), JsonNode.class).path("operator");
        String limit = chart.at("/resources/limits/memory").asText();
        if (!limit.endsWith("Mi")) {
            throw new IOException("the operator's limit of memory in " + CHART + " is not in Mi: " + limit);
        }
        List<String> options =
                new ArrayList<>(List.of(chart.path("javaOptions").asText().split(" ")));
        options.add("-XX:MaxRAM=" + limit.replace("Mi", "m"));
        return options;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The end of its log. */
    public String lastWords() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** In bytes. */
    public long residentMemory() throws IOException {
        return ResidentMemory.ofTree(process.toHandle()).summed();
    }

    /** Of all its threads, since it started. */
    public double processorSeconds() throws IOException {
        return ProcessorTime.of(process.toHandle());
    }

    /** Reconciliations of Projects so far, by the upper bound of their time in seconds; cumulative. */
    public List<Bucket> reconciliations() throws IOException, InterruptedException {
        return BUCKET.matcher(get("/q/metrics"))
                .results()
                .map(line -> new Bucket(
                        line.group(1).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(line.group(1)),
                        Double.parseDouble(line.group(2))))
                .toList();
    }

    /** One step of a cumulative histogram. */
    public record Bucket(double atMostSeconds, double count) {
        /** The bound that 99 of 100 of what came between two readings did not exceed, in milliseconds. */
        public static double p99Millis(List<Bucket> before, List<Bucket> after) {
            double all = after.getLast().count() - before.getLast().count();
            for (int i = 0; i < after.size(); i++) {
                if (after.get(i).count() - before.get(i).count() >= 0.99 * all) {
                    return after.get(i).atMostSeconds() * 1000;
                }
            }
            return Double.POSITIVE_INFINITY;
        }
    }

    private boolean isHealthy() throws InterruptedException {
        try {
            return get("/q/health/ready").contains("UP");
        } catch (IOException e) {
            return false;
        }
    }

    private String get(String path) throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .timeout(ANSWER_LIMIT)
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** Tells it to end, as a cluster tells a pod (SIGTERM). */
    public void tellToEnd() {
        process.destroy();
    }

    /**
     * Its exit code, when it ends within that time.
     *
     * @throws IOException with its last words, when it does not
     */
    public int exitCode(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("the operator still runs after " + limit + ":\n" + lastWords());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
