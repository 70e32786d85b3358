package svc.operator.watch.report;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import svc.crds.project.Project;
import svc.operator.kubernetes.EventType;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observation.WatchActed;
import svc.operator.observe.Observer;
import svc.operator.watch.WatchListener;
import svc.operator.watch.database.ProjectRecords;
import svc.operator.watch.database.WatchedProject;
import svc.operator.watch.rule.Action;

/**
 * Reports each action of a watch: a metric and a line of the operator's log, then an Event of the Project and a line in the
 * project's log. Carries out quarantines. All but the metric happens on one thread of its own, behind a bounded queue: a watch
 * must not wait for the Kubernetes API or for the platform's database.
 */
public final class WatchReports implements WatchListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchReports.class);

    /** Reports that may wait; further ones are lost, and the action is done all the same. */
    static final int MAX_WAITING = 1_000;

    private final KubernetesClient client;
    private final ProjectRecords projects;
    private final ResourceEvents events;
    private final Observer observer;
    private final QuarantineGate gate;
    private final Consumer<UUID> quarantineChanges;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MAX_WAITING),
            Thread.ofPlatform().daemon().name("watch-reports").factory(),
            (report, executor) -> LOG.warn("A report of the watch is lost: {} wait already", MAX_WAITING));

    /** Closes the logins of a project. */
    @FunctionalInterface
    public interface QuarantineGate {
        /** @return false if they were closed already */
        boolean close(String database, UUID project, String message);
    }

    /** @param quarantineChanges hears of projects that came into quarantine or left it */
    public WatchReports(
            KubernetesClient client,
            ProjectRecords projects,
            ResourceEvents events,
            Observer observer,
            QuarantineGate gate,
            Consumer<UUID> quarantineChanges) {
        this.client = client;
        this.projects = projects;
        this.events = events;
        this.observer = observer;
        this.gate = gate;
        this.quarantineChanges = quarantineChanges;
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void acted(String database, Action action) {
        observer.observed(new WatchActed(
                database, action.rule().name().toLowerCase(Locale.ROOT), step(action), action.message()));
        action.owner().ifPresent(owner -> thread.execute(() -> report(database, owner, action)));
    }

    @Override
    public void quarantineChanged(UUID project) {
        quarantineChanges.accept(project);
    }

    private void report(String database, UUID owner, Action action) {
        try {
            if (action instanceof Action.Quarantine quarantine && !gate.close(database, owner, quarantine.message())) {
                return;
            }
            Optional<WatchedProject> project = projects.find(owner);
            if (project.isPresent()) {
                reason(action).ifPresent(reason -> writeEvent(project.get(), reason, action.message()));
                projects.log(owner, action.message());
            }
        } catch (RuntimeException e) {
            LOG.warn("The watch cannot report on a project of database {}", database, e);
        }
    }

    private void writeEvent(WatchedProject project, String reason, String message) {
        Project resource = client.resources(Project.class)
                .inNamespace(project.namespace())
                .withName(project.name())
                .get();
        if (resource != null) {
            events.write(resource, EventType.WARNING, reason, message);
        }
    }

    private static String step(Action action) {
        return switch (action) {
            case Action.Warn unused -> "warn";
            case Action.Cancel unused -> "cancel";
            case Action.Terminate unused -> "terminate";
            case Action.ReportStuck unused -> "stuck";
            case Action.StopMaintenance unused -> "stop_maintenance";
            case Action.Quarantine unused -> "quarantine";
        };
    }

    /** Empty for a quarantine, whose Event is that of the condition. */
    private static Optional<String> reason(Action action) {
        return switch (action) {
            case Action.Warn unused -> Optional.of(WatchEvents.LIMIT_NEAR);
            case Action.Cancel unused -> Optional.of(WatchEvents.STATEMENT_CANCELLED);
            case Action.Terminate unused -> Optional.of(WatchEvents.SESSION_TERMINATED);
            case Action.ReportStuck unused -> Optional.of(WatchEvents.SESSION_STUCK);
            case Action.StopMaintenance unused -> Optional.of(WatchEvents.MAINTENANCE_STOPPED);
            case Action.Quarantine unused -> Optional.empty();
        };
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
