package svc.chart.node;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.stream.IntStream;
import svc.chart.support.Chart;

/**
 * A Kubernetes cluster of one node with its own processes, network and mounts ({@code e2e/kubernetes/node.sh}), whose disks are a
 * folder.
 */
final class NodeMachine implements AutoCloseable {
    /** What {@code e2e/kubernetes/network} builds. */
    static final String NETWORK_PROGRAM = System.getProperty("svc.test.network");

    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final int FIRST_NETWORK = 201;
    private static final int LAST_NETWORK = 250;

    private final Path folder;
    private final int number;
    private Process process;

    private NodeMachine(Path folder, int number) {
        this.folder = folder;
        this.number = number;
    }

    /** A machine that has never run, with empty disks, in a network that this host does not use. */
    static NodeMachine on(Path folder) throws IOException {
        var interfaces = Collections.list(NetworkInterface.getNetworkInterfaces());
        int number = IntStream.rangeClosed(FIRST_NETWORK, LAST_NETWORK)
                .filter(candidate -> interfaces.stream()
                        .flatMap(NetworkInterface::inetAddresses)
                        .noneMatch(address -> address.getHostAddress().startsWith("10." + candidate + ".")))
                .findFirst()
                .orElseThrow(() -> new IOException("no network 10.x is free"));
        return new NodeMachine(folder, number);
    }

    /** Takes an image without a registry, at the next start. */
    void bring(Path archive) throws IOException {
        Path images = Files.createDirectories(folder.resolve("images"));
        Files.createSymbolicLink(images.resolve(archive.getFileName()), archive.toAbsolutePath());
    }

    /** Switches it on; returns when the node is Ready. What its disks hold from before goes on. */
    void start() throws IOException, InterruptedException {
        process = new ProcessBuilder(
                        Chart.REPOSITORY.resolve("e2e/kubernetes/node.sh").toString(),
                        folder.toString(),
                        System.getProperty("testing.kubernetes"),
                        NETWORK_PROGRAM,
                        System.getProperty("svc.test.node"),
                        Integer.toString(number))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("machine.log").toFile())
                .start();
        // etcd remembers the word of the time before, which does not count.
        Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Waiting.until("the node is ready", START_LIMIT, () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "the machine ended: " + Files.readString(folder.resolve("machine.log")));
            }
            return Files.exists(kubeconfig()) && isReadySince(started);
        });
    }

    /** Every process of it ends at once, and nothing is left but its disks. */
    void cutPower() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }

    /** The address under which pods reach servers on this machine. */
    String hostAddress() {
        return "10." + number + ".0.1";
    }

    /** The node's own address, at which the Kubernetes API and the kubelet listen. */
    String nodeAddress() {
        return "10." + number + ".0.2";
    }

    /** The Service of the Kubernetes API. */
    String apiService() {
        return "10." + number + ".16.1";
    }

    /** Where pods ask for names: the Service of a name server, which a test brings. */
    String nameService() {
        return "10." + number + ".16.10";
    }

    Path kubeconfig() {
        return folder.resolve("etc/kubeconfig");
    }

    KubernetesClient client() throws IOException {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(Files.readString(kubeconfig())))
                .build();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        cutPower();
    }

    private boolean isReadySince(Instant started) {
        try (KubernetesClient client = client()) {
            return client.nodes().list().getItems().stream().anyMatch(node -> isReadySince(node, started));
        } catch (KubernetesClientException | IOException e) {
            return false;
        }
    }

    private static boolean isReadySince(Node node, Instant started) {
        return node.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True")
                        && !Instant.parse(condition.getLastHeartbeatTime()).isBefore(started));
    }
}
