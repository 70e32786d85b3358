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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.ProjectDatabase;
import svc.database.key.MasterKeys;
import svc.database.platform.ProjectRegistry;
import svc.operator.config.MasterKeyRing;
import svc.operator.config.OperatorConfig;
import svc.operator.config.OperatorConfig.DatabaseConfig;
import svc.operator.config.ReconcilerTuning;
import svc.operator.database.AuditPartitionMaintenance;
import svc.operator.database.DatabaseAddress;
import svc.operator.database.DatabaseBootstraps;
import svc.operator.database.DatabaseLogin;
import svc.operator.database.RegisteredProjects;
import svc.operator.database.SharedDatabases;
import svc.operator.function.EdgeFunctionReconciler;
import svc.operator.function.FunctionServices;
import svc.operator.function.desired.RuntimeSettings;
import svc.operator.installation.CrdInstallation;
import svc.operator.installation.InstallationSecrets;
import svc.operator.kubernetes.ResourceCloner;
import svc.operator.observe.Observer;
import svc.operator.project.ProjectReconciler;
import svc.operator.project.ProjectServices;
import svc.operator.project.adopted.database.PostgresAdoptedDatabase;
import svc.operator.project.database.PostgresProjectProvisioner;
import svc.operator.project.database.ServiceTables;
import svc.operator.project.dedicated.database.PostgresDedicatedDatabase;
import svc.operator.secret.FunctionSecretReconciler;

/**
 * Puts the operator together from its configuration; the same for a Quarkus application, for one process with the
 * API server, and for tests. Making one connects to nothing but the Kubernetes API, and to that only to install the kinds.
 */
public final class OperatorAssembly implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorAssembly.class);

    /** A start has no limit of its own: whoever started the process knows how long it may take. */
    private static final Duration UNTIL_THE_START_PROBE_ENDS_IT = Duration.ofDays(1);

    private final OperatorConfig config;
    private final KubernetesClient client;
    private final SharedDatabases databases;
    private final ProjectServices services;
    private final FunctionServices functions;
    private final AuditPartitionMaintenance audit;
    private final ServiceTables serviceTables;

    /** @throws IllegalStateException when the configuration cannot work, saying which key to set */
    public OperatorAssembly(OperatorConfig config, KubernetesClient client, InstantSource clock, Observer observer) {
        this.config = config;
        this.client = client;
        List<DatabaseLogin> logins = logins(config.databases());
        MasterKeys masterKeys = masterKeys(config, client, logins);
        var preparations = new DatabaseBootstraps(logins, config.platformDatabase(), masterKeys);
        this.databases = new SharedDatabases(logins, config.platformDatabase(), preparations::of, observer);
        this.audit = new AuditPartitionMaintenance(
                databases.platform(), config.audit().retentionMonths(), clock);
        if (config.crds().apply()) {
            CrdInstallation.apply(client);
        }
        var tuning = new ReconcilerTuning(config.operator());
        var registry = new ProjectRegistry(databases.platform(), new SecureRandom());
        this.serviceTables = new ServiceTables(registry, databases::database);
        this.services = new ProjectServices(
                new PostgresProjectProvisioner(registry, databases::database, masterKeys),
                new PostgresAdoptedDatabase(registry, masterKeys.newest().version()),
                new PostgresDedicatedDatabase(registry, masterKeys),
                places(logins),
                masterKeys,
                config.dataUrl(),
                tuning,
                client,
                clock,
                observer);
        this.functions = new FunctionServices(masterKeys, runtime(config), tuning, client, clock, observer);
    }

    /** Begins to prepare the databases; returns at once. Without it the first project of each database waits for that. */
    public void prepareDatabases() {
        databases.prepareInBackground(wish -> serviceTables.complete(wish.projectId(), wish.service()));
        audit.start();
    }

    /**
     * Returns when the platform's database is prepared, which it prepares itself if nobody else is at it.
     *
     * @throws IllegalStateException when that fails
     */
    public void awaitPlatformDatabase() {
        databases.awaitPlatform();
    }

    /** What a Quarkus application injects into its reconciler. */
    public ProjectServices services() {
        return services;
    }

    /** The same for the reconcilers of functions and their secrets. */
    public FunctionServices functionServices() {
        return functions;
    }

    /**
     * An operator with every reconciler registered, not started. Stop it before closing this. It stops itself when it cannot
     * go on, as {@link #operator} tells others; the process is the caller's.
     */
    public Operator plainOperator() {
        var self = new AtomicReference<ReplicaOperator>();
        ReplicaOperator operator = replica(
                List.of(
                        new ProjectReconciler(services),
                        new EdgeFunctionReconciler(functions),
                        new FunctionSecretReconciler(functions)),
                Metrics.NOOP,
                () -> self.get().stopOnceStarted());
        self.set(operator);
        return operator;
    }

    /**
     * The same for whoever decides what becomes of its process.
     *
     * @param whenItMustEnd is to stop the operator, which has lost its lease, so that another replica may work by now, or
     *     hears no longer of what changes. Told once, on a thread of its own
     */
    public Operator operator(
            List<ConfigurableReconciler<? extends HasMetadata>> reconcilers, Metrics metrics, Runnable whenItMustEnd) {
        return replica(reconcilers, metrics, whenItMustEnd);
    }

    private ReplicaOperator replica(
            List<ConfigurableReconciler<? extends HasMetadata>> reconcilers, Metrics metrics, Runnable whenItMustEnd) {
        var end = new FatalShutdown(whenItMustEnd);
        var election = config.operator().leaderElection();
        Optional<LeaderLease> lease =
                election.enabled() ? Optional.of(new LeaderLease(client, election, end)) : Optional.empty();
        var operator = new ReplicaOperator(service -> configure(service, metrics, lease, end), lease);
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
            throw new IllegalStateException(
                    "master keys come from svc.master-keys or from svc.installation.master-key-secret, not from both");
        }
        BooleanSupplier inUse = () -> logins.stream()
                .filter(login -> login.name().equals(config.platformDatabase()))
                .anyMatch(RegisteredProjects::exist);
        return new InstallationSecrets(client, config.installation(), new SecureRandom(), inUse).keep();
    }

    private static RuntimeSettings runtime(OperatorConfig config) {
        return new RuntimeSettings(
                config.operator().functionImage(),
                config.runtime().gatewayUrl().orElse(config.dataUrl()),
                config.runtime().gatewayNamespace(),
                config.runtime().closedNetworks().orElse(List.of()));
    }

    @Override
    public void close() {
        audit.close();
        databases.close();
    }

    private void configure(
            ConfigurationServiceOverrider service, Metrics metrics, Optional<LeaderLease> lease, FatalShutdown end) {
        service.withKubernetesClient(client)
                // The client is the caller's, who may stop and start operators on it.
                .withCloseClientOnStop(false)
                .withResourceCloner(new ResourceCloner(client.getKubernetesSerialization()))
                .withMetrics(metrics)
                .withConcurrentReconciliationThreads(config.operator().concurrency())
                .withReconciliationTerminationTimeout(config.operator().terminationTimeout())
                // An API that is slow or away while a node starts is waited for: a process that ends instead is started
                // anew after pauses that soon are longer than what was slow. The start goes on only where an object
                // cannot be
                // read: see InformerSync.
                .withStopOnInformerErrorDuringStartup(false)
                .withCacheSyncTimeout(UNTIL_THE_START_PROBE_ENDS_IT)
                .withInformerStoppedHandler((informer, failure) -> {
                    if (failure != null) {
                        LOG.error(
                                "nothing is heard any more of {}",
                                informer.getApiTypeClass().getSimpleName(),
                                failure);
                        end.run();
                    }
                });
        lease.map(LeaderLease::configuration).ifPresent(service::withLeaderElectionConfiguration);
    }

    /** In the order of their names: a map of configuration keys has none of its own. */
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

    private static Map<String, ProjectDatabase> places(List<DatabaseLogin> logins) {
        Map<String, ProjectDatabase> places = new LinkedHashMap<>();
        for (DatabaseLogin login : logins) {
            DatabaseAddress at = login.address();
            places.put(
                    login.name(),
                    new ProjectDatabase(login.name(), at.host(), at.port(), at.databaseName(), DatabaseLayout.SHARED));
        }
        return places;
    }
}
