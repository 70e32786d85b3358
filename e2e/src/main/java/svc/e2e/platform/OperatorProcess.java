package svc.e2e.platform;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The operator as the chart starts it: a process of its own, so that memory and processor time are its own, with the chart's
 * options of the Java virtual machine, which sees the chart's limit of memory.
 */
public final class OperatorProcess implements AutoCloseable {
    private static final Path CHART = PlatformCommand.root().resolve("helm/svc/values.yaml");
    private static final Path JAR = PlatformCommand.root().resolve("operator/target/quarkus-app/quarkus-run.jar");
    private static final Pattern BUCKET =
            Pattern.compile("^svc_reconcile_seconds_bucket\\{le=\"([^\"]+)\"\\} ([0-9.]+)", Pattern.MULTILINE);

    private static final int LAST_LINES = 20;

    private final PodProcess pod;
    private final Process process;
    private final Path log;

    private OperatorProcess(PodProcess pod, Path log) {
        this.pod = pod;
        this.process = pod.process();
        this.log = log;
    }

    /**
     * Starts it and returns when it is healthy.
     *
     * @param access to the Kubernetes API, as the operator's account
     * @param log where it writes what it has to say
     */
    public static OperatorProcess start(Config access, Map<String, String> settings, Path log)
            throws IOException, InterruptedException {
        return new OperatorProcess(PodProcess.start(JAR, machineOptions(), access, settings, log), log);
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

    /** The Java virtual machine. */
    public ProcessHandle machine() {
        return process.toHandle();
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
    public List<Bucket> reconciliations() throws IOException {
        Answer metrics = ControlPlane.send(HttpRequest.newBuilder(pod.address("/q/metrics")));
        return BUCKET.matcher(metrics.response().body())
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

    /** Tells it to end, as a cluster tells a pod (SIGTERM). */
    public void tellToEnd() {
        process.destroy();
    }

    /** Ends it without a word, as SIGKILL does. */
    public void kill() {
        process.destroyForcibly();
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
        pod.close();
    }
}
