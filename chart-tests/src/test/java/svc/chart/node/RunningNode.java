package svc.chart.node;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import svc.chart.support.Chart;
import svc.chart.support.Kubectl;
import svc.embedded.process.Folders;

/** A node with the platform installed on it, the servers beside it, and the pods that a cluster has anyway. */
final class RunningNode implements AutoCloseable {
    /** A namespace that has nothing to do with the platform; its one pod answers HTTP at port 8080. */
    static final String NEIGHBOURS = "neighbours";

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** The cluster's name server, which passes questions on to this machine, and the neighbour. */
    private static final String OTHER_PODS = """
            apiVersion: v1
            kind: Pod
            metadata: {name: names, namespace: kube-system, labels: {k8s-app: kube-dns}}
            spec:
              dnsPolicy: Default
              containers:
                - {name: names, image: "docker.io/svc/network:1", args: [names, "%1$s:53"], securityContext: {runAsUser: 0}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: kube-dns, namespace: kube-system}
            spec: {clusterIP: %2$s, selector: {k8s-app: kube-dns}, ports: [{port: 53, protocol: UDP}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: neighbour, namespace: %3$s}
            spec:
              containers: [{name: neighbour, image: "docker.io/svc/network:1", args: [answer, "8080"]}]
            """;

    private final Path folder;
    private final NodeMachine machine;
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private Kubectl kubectl;
    private KubernetesClient client;
    private HostServers servers;
    private InstalledPlatform platform;

    private RunningNode(Path folder, NodeMachine machine) {
        this.folder = folder;
        this.machine = machine;
    }

    static RunningNode start() throws Exception {
        Path folder = Path.of("target/node").toAbsolutePath();
        Folders.deleteRecursively(folder);
        Files.createDirectories(folder);
        var node = new RunningNode(folder, NodeMachine.on(folder));
        try {
            node.install();
            return node;
        } catch (Exception | AssertionError e) {
            node.close();
            throw e;
        }
    }

    private void install() throws Exception {
        for (String image : List.of("pause", "network", "operator", "api-server", "function-runtime")) {
            machine.bring(Chart.REPOSITORY.resolve("target/images/" + image + ".oci.tar"));
        }
        Instant on = Instant.now();
        closing.push(machine);
        machine.start();
        say("the node is ready after " + since(on));
        client = machine.client();
        closing.push(client);
        kubectl = new Kubectl(machine.kubeconfig());
        servers = new HostServers(machine.hostAddress());
        closing.push(servers);
        Instant begun = Instant.now();
        installOtherPods();
        platform = InstalledPlatform.install(client, machine, servers, folder);
        closing.push(new Names(machine.hostAddress(), platform::addressOf));
        platform.awaitReady();
        say("the platform is installed and ready after " + since(begun));
    }

    /** Without the account that controllers make in each namespace, a pod is refused. */
    private void installOtherPods() throws IOException, InterruptedException {
        awaitAccount("kube-system");
        kubectl.run("", "create", "namespace", NEIGHBOURS);
        awaitAccount(NEIGHBOURS);
        kubectl.run(OTHER_PODS.formatted(machine.hostAddress(), machine.nameService(), NEIGHBOURS), "apply", "-f", "-");
    }

    private void awaitAccount(String namespace) throws InterruptedException {
        Waiting.until(
                "the namespace " + namespace + " has an account for pods",
                LIMIT,
                () -> client.serviceAccounts()
                                .inNamespace(namespace)
                                .withName("default")
                                .get()
                        != null);
    }

    NodeMachine machine() {
        return machine;
    }

    HostServers servers() {
        return servers;
    }

    KubernetesClient client() {
        return client;
    }

    Kubectl kubectl() {
        return kubectl;
    }

    InstalledPlatform platform() {
        return platform;
    }

    /** For a person who reads the output; nothing depends on these figures. */
    void say(String figure) {
        System.out.println(figure);
    }

    static String since(Instant then) {
        return Duration.between(then, Instant.now()).toSeconds() + " s";
    }

    /** The images and what etcd wrote are large and go; logs and settings stay for a person who reads them. */
    @Override
    public void close() throws Exception {
        while (!closing.isEmpty()) {
            closing.pop().close();
        }
        Folders.deleteRecursively(folder.resolve("lib"));
    }
}
