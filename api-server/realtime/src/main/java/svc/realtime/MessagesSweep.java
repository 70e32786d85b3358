package svc.realtime;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.crds.project.Project;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.realtime.policy.MessagesTable;

/**
 * Deletes messages of databases that are older than {@link RealtimeConfig#retention()}, in the process that reads the
 * database's log: it knows the projects that have sent any, and looks once a day for those whose messages others have read.
 * Projects without messages cost nothing.
 */
@ApplicationScoped
@SuppressWarnings("FutureReturnValueIgnored") // The work logs its failures itself.
class MessagesSweep implements ProjectListener {
    private static final Logger LOG = Logger.getLogger(MessagesSweep.class);
    private static final Duration INTERVAL = Duration.ofHours(1);

    /** Rows of one statement, and statements of one project in a row. */
    private static final int BATCH = 1_000;

    private static final int MAX_BATCHES = 100;

    private final MessagesTable messages;
    private final TenantDirectory tenants;
    private final StoredMessages stored;
    private final Duration retention;
    private final Map<UUID, String> refs = new ConcurrentHashMap<>();
    private final Map<UUID, Long> lastMessage = new ConcurrentHashMap<>();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("realtime-sweeper").factory());

    MessagesSweep(MessagesTable messages, TenantDirectory tenants, StoredMessages stored, RealtimeConfig config) {
        this.messages = messages;
        this.tenants = tenants;
        this.stored = stored;
        this.retention = config.retention();
    }

    void start(@Observes StartupEvent event) {
        worker.scheduleWithFixedDelay(this::sweepAll, INTERVAL.toMinutes(), INTERVAL.toMinutes(), TimeUnit.MINUTES);
    }

    void stop(@Observes ShutdownEvent event) {
        worker.shutdownNow();
    }

    @Override
    public void seen(Project project) {
        id(project).ifPresent(id -> refs.put(id, ProjectWatch.refOf(project)));
    }

    @Override
    public void gone(Project project) {
        id(project).ifPresent(id -> {
            refs.remove(id);
            lastMessage.remove(id);
        });
    }

    /** The project has one message more. */
    void hasMessages(UUID projectId) {
        lastMessage.put(projectId, System.nanoTime());
    }

    private static Optional<UUID> id(Project project) {
        return Optional.ofNullable(project.getStatus())
                .filter(status -> status.projectId() != null)
                .map(status -> UUID.fromString(status.projectId()));
    }

    /** One turn: what other processes have read is found a bounded number of projects at a time. */
    void sweepAll() {
        try {
            long longAgo = System.nanoTime() - retention.toNanos();
            stored.next().forEach(projectId -> lastMessage.putIfAbsent(projectId, longAgo));
        } catch (RuntimeException e) {
            // A failure must not end the schedule.
            LOG.warnf("Old messages that other processes have read stay until the next sweep: %s", e.getMessage());
        }
        lastMessage.forEach((projectId, last) -> {
            try {
                Optional.ofNullable(refs.get(projectId))
                        .flatMap(tenants::find)
                        .filter(tenant -> tenant.projectId().equals(projectId))
                        .ifPresent(this::sweep);
                if (System.nanoTime() - last > retention.plus(INTERVAL).toNanos()) {
                    lastMessage.remove(projectId, last);
                }
            } catch (RuntimeException e) {
                LOG.warnf("Old messages of the project %s stay until the next sweep: %s", projectId, e.getMessage());
            }
        });
    }

    private void sweep(Tenant tenant) {
        long deleted = BATCH;
        for (int batch = 0; batch < MAX_BATCHES && deleted == BATCH; batch++) {
            deleted = messages.sweep(tenant, retention.toSeconds(), BATCH);
        }
    }
}
