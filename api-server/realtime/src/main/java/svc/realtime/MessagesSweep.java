package svc.realtime;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import svc.crds.project.Project;
import svc.database.loop.ProjectLoop;
import svc.database.loop.ProjectRunner;
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
class MessagesSweep implements ProjectListener, ProjectLoop {
    private static final Logger LOG = Logger.getLogger(MessagesSweep.class);
    private static final Duration INTERVAL = Duration.ofHours(1);

    /** Rows of one statement, after which other projects have their turn. */
    private static final int BATCH = 1_000;

    private final MessagesTable messages;
    private final TenantDirectory tenants;
    private final StoredMessages stored;
    private final Duration retention;
    private final Map<UUID, String> refs = new ConcurrentHashMap<>();
    private final Map<UUID, Long> lastMessage = new ConcurrentHashMap<>();
    private final ProjectRunner runner;

    @Inject
    MessagesSweep(
            MessagesTable messages,
            TenantDirectory tenants,
            StoredMessages stored,
            ProjectRunner runner,
            RealtimeConfig config) {
        this(messages, tenants, stored, runner, config.retention());
    }

    /** @param retention how long messages are kept */
    MessagesSweep(
            MessagesTable messages,
            TenantDirectory tenants,
            StoredMessages stored,
            ProjectRunner runner,
            Duration retention) {
        this.messages = messages;
        this.tenants = tenants;
        this.stored = stored;
        this.runner = runner;
        this.retention = retention;
    }

    void start(@Observes StartupEvent event) {
        runner.repeat(name(), INTERVAL, INTERVAL, this::findDue);
    }

    @Override
    public String name() {
        return "old messages";
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
    void findDue() {
        try {
            long longAgo = System.nanoTime() - retention.toNanos();
            stored.next().forEach(projectId -> lastMessage.putIfAbsent(projectId, longAgo));
        } catch (RuntimeException e) {
            // A failure must not end the schedule.
            LOG.warnf("Old messages that other processes have read stay until the next sweep: %s", e.getMessage());
        }
        lastMessage.forEach((projectId, last) -> {
            runner.due(this, projectId.toString());
            if (System.nanoTime() - last > retention.plus(INTERVAL).toNanos()) {
                lastMessage.remove(projectId, last);
            }
        });
    }

    @Override
    public Progress run(String project) {
        UUID projectId = UUID.fromString(project);
        Optional<Tenant> tenant = Optional.ofNullable(refs.get(projectId))
                .flatMap(tenants::find)
                .filter(found -> found.projectId().equals(projectId));
        long deleted = tenant.map(found -> messages.sweep(found, retention.toSeconds(), BATCH))
                .orElse(0L);
        return deleted == BATCH ? Progress.MORE : Progress.DONE;
    }
}
