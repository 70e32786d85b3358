package svc.embedded.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import svc.embedded.kubernetes.Credentials;
import svc.embedded.kubernetes.http.TlsIdentity;
import svc.embedded.process.Folders;
import svc.embedded.process.FreePort;

/**
 * A Kubernetes control plane on the loopback interface: etcd, kube-apiserver with RBAC and an audit log, and the
 * garbage collection and namespace controllers. There are no nodes: pods stay Pending, and nothing writes the status of a
 * Deployment. {@link #close} deletes all data.
 */
public final class ControlPlane implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(50);

    // Data need not survive a crash of the machine.
    private static final List<String> ETCD = List.of("--unsafe-no-fsync", "--log-level=warn");

    // The admission plugin would reject pods until the controller for ServiceAccounts, which is not started, creates
    // them.
    private static final List<String> API = List.of(
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            "--authorization-mode=RBAC",
            "--disable-admission-plugins=ServiceAccount",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--audit-log-mode=blocking",
            "--v=0");

    private static final List<String> CONTROLLERS = List.of(
            "--controllers=garbage-collector-controller,namespace-controller",
            "--leader-elect=false",
            "--secure-port=0");

    /** The user name of the administrator, whose requests are not audited. */
    private static final String ADMIN = "svc-tests";

    private static final String AUDIT_POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules:
              - level: None
                users: [%s, "system:apiserver"]
              - level: Metadata
            """.formatted(ADMIN);

    private final Path folder;
    private final ChildProgram program;
    private final Credentials admin;
    private final int etcdPort = FreePort.find();
    private final int etcdPeerPort = FreePort.find();
    private final int port = FreePort.find();
    private final Child etcd;
    private Child api;
    private Child controllers;

    private ControlPlane(Path program) throws IOException, InterruptedException {
        this.folder = Files.createTempDirectory("svc-kubernetes-");
        this.program = new ChildProgram(program, folder);
        TlsIdentity identity = TlsIdentity.generate(Clock.systemUTC());
        this.admin =
                new Credentials("https://127.0.0.1:" + port, UUID.randomUUID().toString(), identity.certificatePem());
        writeFiles(identity);
        this.etcd = startEtcd();
        this.api = startServer();
    }

    /**
     * Starts etcd and kube-apiserver; returns when requests are answered, after some seconds.
     *
     * @param program what {@code e2e/kubernetes} builds
     * @throws IOException with the end of a program's log if it does not come up
     */
    public static ControlPlane start(Path program) throws IOException, InterruptedException {
        return new ControlPlane(program);
    }

    /**
     * Starts garbage collection and namespace deletion. Install CustomResourceDefinitions first: the collector
     * discovers new ones every 30 s only.
     */
    public void startControllers() throws IOException {
        controllers = program.start(
                "kube-controller-manager", CONTROLLERS, List.of("--kubeconfig=" + folder.resolve("admin.kubeconfig")));
    }

    /** Client settings of the administrator, whose requests are not audited. */
    public Config adminConfig() {
        return admin.clientConfig();
    }

    /** Client settings with the token of another user. */
    public Config configOf(String token) {
        return new Credentials(admin.url(), token, admin.certificatePem()).clientConfig();
    }

    /** The audit log: one JSON object per line for each completed request, except the administrator's. */
    public Path auditLog() {
        return folder.resolve("audit.log");
    }

    /** The process id of kube-apiserver. */
    public long serverProcess() {
        return api.process().pid();
    }

    /** Kills kube-apiserver: requests are refused and watches end, until {@link #startApi}. */
    public void stopApi() {
        api.kill();
    }

    /** Restarts kube-apiserver with its data, on the same port. */
    public void startApi() throws IOException, InterruptedException {
        api = startServer();
    }

    @Override
    public void close() {
        if (controllers != null) {
            controllers.kill();
        }
        api.kill();
        etcd.kill();
        try {
            Folders.deleteRecursively(folder);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("while removing " + folder, e);
        }
    }

    private void writeFiles(TlsIdentity identity) throws IOException {
        Files.writeString(file("tls.key"), identity.keyPem());
        Files.writeString(file("tls.crt"), identity.certificatePem());
        TlsIdentity accounts = TlsIdentity.generate(Clock.systemUTC());
        Files.writeString(file("accounts.key"), accounts.keyPem());
        Files.writeString(file("accounts.crt"), accounts.certificatePem());
        Files.writeString(file("tokens.csv"), admin.token() + "," + ADMIN + ",1,system:masters\n");
        Files.writeString(file("audit-policy.yaml"), AUDIT_POLICY);
        admin.write(file("admin.kubeconfig"));
    }

    private Child startEtcd() throws IOException {
        String peer = "http://127.0.0.1:" + etcdPeerPort;
        return program.start(
                "etcd",
                ETCD,
                List.of(
                        "--name=tests",
                        "--data-dir=" + file("etcd"),
                        "--listen-client-urls=" + etcdUrl(),
                        "--advertise-client-urls=" + etcdUrl(),
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=tests=" + peer));
    }

    private Child startServer() throws IOException, InterruptedException {
        Child started = program.start(
                "kube-apiserver",
                API,
                List.of(
                        "--etcd-servers=" + etcdUrl(),
                        "--secure-port=" + port,
                        "--tls-private-key-file=" + file("tls.key"),
                        "--tls-cert-file=" + file("tls.crt"),
                        "--token-auth-file=" + file("tokens.csv"),
                        "--service-account-key-file=" + file("accounts.crt"),
                        "--service-account-signing-key-file=" + file("accounts.key"),
                        "--audit-policy-file=" + file("audit-policy.yaml"),
                        "--audit-log-path=" + auditLog()));
        awaitReady(started);
        return started;
    }

    private void awaitReady(Child server) throws IOException, InterruptedException {
        Config withoutRetries = new ConfigBuilder(adminConfig())
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout((int) START_TIMEOUT.toMillis())
                .build();
        Instant limit = Instant.now().plus(START_TIMEOUT);
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(withoutRetries).build()) {
            while (!isReady(client)) {
                if (!server.process().isAlive()
                        || !etcd.process().isAlive()
                        || Instant.now().isAfter(limit)) {
                    String logs = etcd.endOfLog() + server.endOfLog();
                    server.kill();
                    etcd.kill();
                    throw new IOException("kube-apiserver does not start:\n" + logs);
                }
                Thread.sleep(POLL.toMillis());
            }
        }
    }

    private static boolean isReady(KubernetesClient client) {
        try {
            return client.raw("/readyz") != null;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private String etcdUrl() {
        return "http://127.0.0.1:" + etcdPort;
    }

    private Path file(String name) {
        return folder.resolve(name);
    }
}
