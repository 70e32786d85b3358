package svc.operator.assembly;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.quarkiverse.operatorsdk.runtime.api.ConfigurableReconciler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.ProjectDatabase;
import svc.database.key.MasterKeys;
import svc.database.network.ServerNetworks;
import svc.database.platform.ProjectRegistry;
import svc.operator.config.ManagedPodsReader;
import svc.operator.config.MasterKeyRing;
import svc.operator.config.OperatorConfig;
import svc.operator.config.OperatorConfig.DatabaseConfig;
import svc.operator.config.ReconcilerTuning;
import svc.operator.database.DatabaseAddress;
import svc.operator.database.DatabaseBootstraps;
import svc.operator.database.DatabaseLogin;
import svc.operator.database.PartitionMaintenance;
import svc.operator.database.RegisteredProjects;
import svc.operator.database.SharedDatabases;
import svc.operator.function.EdgeFunctionReconciler;
import svc.operator.function.FunctionServices;
import svc.operator.function.desired.RuntimeSettings;
import svc.operator.installation.CrdInstallation;
import svc.operator.installation.InstallationSecrets;
import svc.operator.kubernetes.ResourceCloner;
import svc.operator.observe.Observer;
import svc.operator.pod.ManagedPods;
import svc.operator.project.ProjectReconciler;
import svc.operator.project.ProjectServices;
import svc.operator.project.ProjectTrigger;
import svc.operator.project.adopted.database.PostgresAdoptedDatabase;
import svc.operator.project.connection.database.ProjectServer;
import svc.operator.project.database.PostgresProjectProvisioner;
import svc.operator.project.database.ServiceTables;
import svc.operator.project.dedicated.database.PostgresDedicatedDatabase;
import svc.operator.project.sidecar.desired.SidecarSettings;
import svc.operator.secret.FunctionSecretReconciler;

/**
 * Wires the operator from its configuration, for a Quarkus application, for one process with the API server, and for tests.
 * The constructor opens no database connection unless it must generate a master key; it calls the Kubernetes API for the
 * installation's Secrets and the custom resource definitions.
 */
public final class OperatorAssembly implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorAssembly.class);

    /** Practically no timeout: the start probe of the process limits the start. */
    private static final Duration CACHE_SYNC_TIMEOUT = Duration.ofDays(1);

    private static final Duration INTERRUPTED_TIMEOUT = Duration.ofSeconds(2);

    private final OperatorConfig config;
    private final KubernetesClient client;
    private final SharedDatabases databases;
    private final ProjectServices services;
    private final FunctionServices functions;
    private final PartitionMaintenance auditPartitions;
    private final PartitionMaintenance logPartitions;
    private final ServiceTables serviceTables;
    private final ServerWatches watches;

    /** @throws IllegalStateException when the configuration is invalid; names the key to set */
    public OperatorAssembly(OperatorConfig config, KubernetesClient client, InstantSource clock, Observer observer) {
        ManagedPods pods = ManagedPodsReader.read(config.managedPods());
        this.config = config;
        this.client = client;
        List<DatabaseLogin> logins = logins(config.databases());
        MasterKeys masterKeys = masterKeys(config, client, logins);
        var bootstraps = new DatabaseBootstraps(
                logins,
                config.platformDatabase(),
                masterKeys,
                Set.copyOf(config.operator().extensions().orElse(List.of())));
        this.databases = new SharedDatabases(logins, config.platformDatabase(), bootstraps::of, observer);
        this.auditPartitions = PartitionMaintenance.ofAudit(
                databases.platform(), config.audit().retentionMonths(), clock);
        this.logPartitions = PartitionMaintenance.ofProjectLogs(
                databases.platform(), config.logs().retentionDays(), clock);
        if (config.crds().apply()) {
            CrdInstallation.apply(client);
        }
        var tuning = new ReconcilerTuning(config.operator());
        var registry = new ProjectRegistry(databases.platform(), new SecureRandom());
        this.serviceTables = new ServiceTables(registry, databases::database);
        ServerNetworks networks = networks(config, logins, client);
        var server = new ProjectServer(networks);
        var trigger = new ProjectTrigger();
        this.watches = new ServerWatches(config.watch(), logins, databases, client, clock, observer, trigger);
        this.services = new ProjectServices(
                new PostgresProjectProvisioner(registry, databases::database, masterKeys),
                new PostgresAdoptedDatabase(registry, masterKeys.newest().version(), server),
                new PostgresDedicatedDatabase(registry, masterKeys, server),
                locations(logins),
                masterKeys,
                sidecars(config, networks, pods),
                config.dataUrl(),
                tuning,
                trigger,
                client,
                clock,
                observer);
        this.functions = new FunctionServices(masterKeys, runtime(config, pods), tuning, client, clock, observer);
    }

    /** Prepares the databases in the background. Without this call the first project of each database waits for it. */
    public void prepareDatabases() {
        databases.prepareInBackground(request -> serviceTables.complete(request.projectId(), request.service()));
        auditPartitions.start();
        logPartitions.start();
        watches.start();
    }

    /**
     * Blocks until the platform's database is prepared, and prepares it if no other thread does.
     *
     * @throws IllegalStateException when that fails
     */
    public void awaitPlatformDatabase() {
        databases.awaitPlatform();
    }

    /** The dependencies of the Project reconciler. */
    public ProjectServices services() {
        return services;
    }

    /** The dependencies of the EdgeFunction and FunctionSecret reconcilers. */
    public FunctionServices functionServices() {
        return functions;
    }

    /**
     * Creates an operator with every reconciler registered, not started. Stop it before closing this. It stops itself after a
     * fatal failure, without ending the process.
     */
    public Operator plainOperator() {
        return plainOperator(Metrics.NOOP);
    }

    /** The same with metrics of the SDK. */
    public Operator plainOperator(Metrics metrics) {
        var self = new AtomicReference<ReplicaOperator>();
        ReplicaOperator operator = replica(
                List.of(
                        new ProjectReconciler(services),
                        new EdgeFunctionReconciler(functions),
                        new FunctionSecretReconciler(functions)),
                metrics,
                () -> self.get().stopOnceStarted());
        self.set(operator);
        return operator;
    }

    /**
     * Creates an operator with these reconcilers, not started.
     *
     * @param onFatal must stop the operator: it lost its lease, so that another replica may be active, or an informer
     *     stopped. Called once, on a new thread
     */
    public Operator operator(
            List<ConfigurableReconciler<? extends HasMetadata>> reconcilers, Metrics metrics, Runnable onFatal) {
        return replica(reconcilers, metrics, onFatal);
    }

    private ReplicaOperator replica(
            List<ConfigurableReconciler<? extends HasMetadata>> reconcilers, Metrics metrics, Runnable onFatal) {
        var fatal = new FatalShutdown(onFatal);
        var election = config.operator().leaderElection();
        Optional<LeaderLease> lease =
                election.enabled() ? Optional.of(new LeaderLease(client, election, fatal)) : Optional.empty();
        var operator = new ReplicaOperator(
                service -> configure(service, metrics, lease, fatal),
                lease,
                config.operator().terminationTimeout());
        reconcilers.forEach(reconciler -> register(operator, reconciler));
        return operator;
    }

    private static <P extends HasMetadata> void register(Operator operator, ConfigurableReconciler<P> reconciler) {
        operator.register(reconciler, reconciler::updateConfigurationFrom);
    }

    private static MasterKeys masterKeys(OperatorConfig config, KubernetesClient client, List<DatabaseLogin> logins) {
        if (config.installation().masterKeySecret().isEmpty()) {
            return MasterKeyRing.read(config.masterKeys());
        }
        if (!config.masterKeys().isEmpty()) {
            throw new IllegalStateException("set svc.master-keys or svc.installation.master-key-secret, not both");
        }
        BooleanSupplier inUse = () -> logins.stream()
                .filter(login -> login.name().equals(config.platformDatabase()))
                .anyMatch(RegisteredProjects::exist);
        return new InstallationSecrets(client, config.installation(), new SecureRandom(), inUse).reconcile();
    }

    /** The platform's own servers are closed: those that the operator knows, and those that the configuration names. */
    private static ServerNetworks networks(OperatorConfig config, List<DatabaseLogin> logins, KubernetesClient client) {
        List<String> closed = new ArrayList<>(config.projectServers().closed().orElse(List.of()));
        logins.forEach(login -> closed.add(login.address().host()));
        closed.add(client.getMasterUrl().getHost());
        return new ServerNetworks(config.projectServers().networks().orElse(List.of()), closed);
    }

    private static Optional<SidecarSettings> sidecars(
            OperatorConfig config, ServerNetworks networks, ManagedPods pods) {
        return config.operator()
                .realtimeImage()
                .map(image -> new SidecarSettings(
                        image, config.runtime().gatewayNamespace(), networks, config.realtimeSidecars(), pods));
    }

    private static RuntimeSettings runtime(OperatorConfig config, ManagedPods pods) {
        return new RuntimeSettings(
                config.operator().functionImage(),
                config.runtime().gatewayUrl().orElse(config.dataUrl()),
                config.runtime().gatewayNamespace(),
                config.runtime().closedNetworks().orElse(List.of()),
                pods);
    }

    @Override
    public void close() {
        watches.close();
        auditPartitions.close();
        logPartitions.close();
        databases.close();
    }

    private void configure(
            ConfigurationServiceOverrider service, Metrics metrics, Optional<LeaderLease> lease, FatalShutdown fatal) {
        service.withKubernetesClient(client)
                // The caller owns the client and may start another operator with it.
                .withCloseClientOnStop(false)
                .withResourceCloner(new ResourceCloner(client.getKubernetesSerialization()))
                .withMetrics(metrics)
                .withConcurrentReconciliationThreads(config.operator().concurrency())
                // Of what does not end when it is interrupted: ReplicaOperator has waited for reconciliations by then.
                .withReconciliationTerminationTimeout(INTERRUPTED_TIMEOUT)
                // Waits for a slow or unreachable API: restarting the process instead would soon wait longer between
                // restarts than the API takes. A start with an unreadable object goes on: see InformerSync.
                .withStopOnInformerErrorDuringStartup(false)
                .withCacheSyncTimeout(CACHE_SYNC_TIMEOUT)
                .withInformerStoppedHandler((informer, failure) -> {
                    if (failure != null) {
                        LOG.error(
                                "The informer of {} stopped: the operator shuts down",
                                informer.getApiTypeClass().getSimpleName(),
                                failure);
                        fatal.run();
                    }
                });
        lease.map(LeaderLease::configuration).ifPresent(service::withLeaderElectionConfiguration);
    }

    /** Sorted by name: the configuration map has no order. */
    private static List<DatabaseLogin> logins(Map<String, DatabaseConfig> databases) {
        return databases.entrySet().stream()
                .map(database -> login(database.getKey(), database.getValue()))
                .sorted(Comparator.comparing(DatabaseLogin::name))
                .toList();
    }

    private static DatabaseLogin login(String name, DatabaseConfig config) {
        Supplier<String> password = config.passwordFile()
                .<Supplier<String>>map(file -> () -> {
                    try {
                        return Files.readString(file).strip();
                    } catch (IOException e) {
                        throw new UncheckedIOException("while reading the password of database " + name, e);
                    }
                })
                .or(() -> config.password().map(fixed -> () -> fixed))
                .orElseThrow(() -> new IllegalStateException("database " + name + " has no password: set svc.databases."
                        + name + ".password-file or .password"));
        return new DatabaseLogin(name, config.jdbcUrl(), config.username(), password, config.poolMax());
    }

    private static Map<String, ProjectDatabase> locations(List<DatabaseLogin> logins) {
        Map<String, ProjectDatabase> locations = new LinkedHashMap<>();
        for (DatabaseLogin login : logins) {
            DatabaseAddress at = login.address();
            locations.put(
                    login.name(),
                    new ProjectDatabase(login.name(), at.host(), at.port(), at.databaseName(), DatabaseLayout.SHARED));
        }
        return locations;
    }
}
