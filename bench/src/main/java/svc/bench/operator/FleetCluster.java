package svc.bench.operator;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import svc.crds.CrdCatalog;
import svc.e2e.platform.OperatorProcess;
import svc.embedded.cluster.AuditedRequests;
import svc.embedded.cluster.ControlPlane;
import svc.embedded.cluster.ServiceAccountToken;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.process.Folders;

/**
 * Kubernetes' own API server with the three kinds, a PostgreSQL that waits for its disk, and replicas of the packaged operator
 * on both, each a process of its own with the operator's rights.
 */
final class FleetCluster implements AutoCloseable {
    static final String DATABASE = "svc";

    private static final Path RIGHTS = Path.of("config", "rbac", "operator.yaml");
    private static final String SYSTEM = "svc-system";
    private static final String ACCOUNT = "svc-operator";
    private static final String LEASE = "svc-operator";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Path folder;
    private final ControlPlane plane;
    private final KubernetesClient admin;
    private final String token;
    private final Duration driftInterval;
    private EmbeddedPostgres postgres;

    /** @param program what {@code ./svc control-plane} builds */
    static FleetCluster start(Path program, Duration driftInterval) throws Exception {
        return new FleetCluster(program, driftInterval);
    }

    private FleetCluster(Path program, Duration driftInterval) throws Exception {
        this.driftInterval = driftInterval;
        this.folder = Files.createTempDirectory("svc-bench-");
        started.push(() -> Folders.deleteRecursively(folder));
        startPostgres(0);
        started.push(() -> postgres.close());
        try (var connection = postgres.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
        }
        this.plane = ControlPlane.start(program);
        started.push(plane);
        this.admin =
                new KubernetesClientBuilder().withConfig(plane.adminConfig()).build();
        started.push(admin);
        CrdCatalog.load().all().forEach(kind -> admin.resource(kind).create());
        plane.startControllers();
        this.token = ServiceAccountToken.install(admin, RIGHTS, SYSTEM, ACCOUNT);
        ServiceAccountToken.apply(admin, RIGHTS.resolveSibling("cluster-wide.yaml"), SYSTEM);
    }

    KubernetesClient admin() {
        return admin;
    }

    EmbeddedPostgres postgres() {
        return postgres;
    }

    /** Starts PostgreSQL with the data that it has. */
    void startPostgres(int port) {
        postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.lasting(folder.resolve("postgres"), port));
    }

    /** A file of this run. */
    Path file(String name) {
        return folder.resolve(name);
    }

    /** Starts a replica; returns when it is ready, as a leader or a candidate. */
    OperatorProcess operator(String name) throws IOException, InterruptedException {
        Map<String, String> settings = new HashMap<>();
        settings.put("svc.operator.drift-interval", driftInterval.toString());
        settings.put("svc.operator.leader-election.enabled", "true");
        settings.put("svc.operator.leader-election.lease-name", LEASE);
        settings.put("svc.operator.leader-election.lease-namespace", SYSTEM);
        settings.put("svc.master-keys.1.value", Base64.getEncoder().encodeToString(new byte[32]));
        settings.put("svc.databases.main.jdbc-url", postgres.jdbcUrl(DATABASE));
        settings.put("svc.databases.main.password", postgres.operatorPassword());
        // Servers of dedicated projects are on this machine too.
        settings.put("svc.project-servers.networks", "127.0.0.0/8,::1");
        var operator = OperatorProcess.start(plane.configOf(token), settings, folder.resolve(name + ".log"));
        started.push(operator);
        return operator;
    }

    /** The requests of all replicas so far. */
    ApiCalls calls() throws IOException {
        return ApiCalls.of(AuditedRequests.read(plane.auditLog(), SYSTEM, ACCOUNT));
    }

    /** The identity of the leader; empty while there is none. */
    String leader() {
        Lease lease = admin.leases().inNamespace(SYSTEM).withName(LEASE).get();
        String holder = lease == null ? null : lease.getSpec().getHolderIdentity();
        return holder == null ? "" : holder;
    }

    @Override
    public void close() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }
}
