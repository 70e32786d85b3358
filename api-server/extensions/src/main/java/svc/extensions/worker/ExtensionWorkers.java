package svc.extensions.worker;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;
import svc.database.key.LoginSecret;
import svc.database.key.Purpose;
import svc.database.loop.ProjectRunner;
import svc.extensions.cron.JobCommands;
import svc.extensions.net.OwnAddresses;
import svc.extensions.net.RequestSender;
import svc.extensions.project.LiveProjects;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.platform.config.ServerRole;
import svc.platform.egress.EgressClient;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.jdbc.ExtensionDatabase;
import svc.postgres.pool.PoolSettings;

/**
 * Begins a worker for each shared database that a served project is in. They run in processes of the control plane, which alone
 * hold the keys of owners; one of these leads in each database.
 */
@ApplicationScoped
public class ExtensionWorkers {
    private static final Logger LOG = Logger.getLogger(ExtensionWorkers.class);

    /** The key version of the platform's logins. */
    private static final int LOGIN_VERSION = 1;

    /** Between two looks for databases that have no worker yet. */
    private static final Duration DISCOVERY = Duration.ofSeconds(2);

    private final LiveProjects projects;
    private final ProjectWatch watch;
    private final ProjectRunner runner;
    private final PurposeRoots roots;
    private final ExtensionConfig config;
    private final ApiConfig api;
    private final DatabaseWorker.Parts parts;
    private final Map<DatabaseAddress, DatabaseWorker> workers = new ConcurrentHashMap<>();

    ExtensionWorkers(
            LiveProjects projects,
            ProjectWatch watch,
            ProjectRunner runner,
            PurposeRoots roots,
            ExtensionConfig config,
            ApiConfig api,
            JobCommands commands,
            EgressClient egress,
            OwnAddresses own,
            @VirtualThreads ExecutorService threads) {
        this.projects = projects;
        this.watch = watch;
        this.runner = runner;
        this.roots = roots;
        this.config = config;
        this.api = api;
        this.parts =
                DatabaseWorker.Parts.of(projects, commands, new RequestSender(egress, own), threads, Clock.systemUTC());
    }

    void start(@Observes StartupEvent event) {
        if (!config.worker() || !api.roles().contains(ServerRole.CONTROL)) {
            return;
        }
        if (roots.newest(Purpose.LOGIN_EXTENSIONS).isEmpty()) {
            LOG.warn(
                    "no jobs and requests of projects run: this process has no root key login-svc-extensions (svc.api.keys)");
            return;
        }
        runner.repeat("databases of extensions", DISCOVERY, this::discover);
    }

    /** All at once: each waits for what it has under way. */
    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        List<Thread> closing = workers.values().stream()
                .map(worker -> Thread.startVirtualThread(worker::close))
                .toList();
        for (Thread thread : closing) {
            thread.join();
        }
    }

    /** A project that is not known yet must not be taken for one that is paused. */
    private void discover() {
        if (watch.synced()) {
            projects.sharedDatabases().forEach(database -> workers.computeIfAbsent(database, this::begin));
        }
    }

    private DatabaseWorker begin(DatabaseAddress database) {
        var settings = PoolSettings.defaults().withCap(config.connections());
        var worker = new DatabaseWorker(new ExtensionDatabase(database, this::password, settings), parts);
        runner.repeat("extensions of " + database.name(), DatabaseWorker.PACE, worker::turn);
        return worker;
    }

    private String password() {
        return roots.newest(Purpose.LOGIN_EXTENSIONS)
                .map(root -> LoginSecret.of(root.platformLeaf(LOGIN_VERSION)).password())
                .orElseThrow();
    }
}
