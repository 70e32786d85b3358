package svc.realtime.feed;

import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.SchemaScope;
import svc.catalog.Table;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.MalformedLogException;
import svc.realtime.bus.ProjectBus;
import svc.realtime.bus.ProjectBus.Kind;
import svc.realtime.feed.PendingChange.SharedRow;
import svc.realtime.reader.ChangeBatch;
import svc.realtime.reader.LogPosition;
import svc.realtime.row.ChangedRow;

/**
 * The changes of one project in this process: takes batches from the bus, drops what it has had, notices what is missing,
 * and offers each change to the groups of callers. All state is used by the feed's tasks, which run one after the other, so
 * one project never waits for another.
 */
final class ProjectFeed {
    private static final Logger LOG = Logger.getLogger(ProjectFeed.class);

    static final String LOST = "Changes are lost: the connection to the database's log was interrupted";
    private static final String UNREACHABLE = "Changes are lost: the database cannot be reached";
    private static final String BEHIND = "Changes are lost: they come faster than they can be delivered";

    private final FeedResources resources;
    private final SerialTasks tasks;
    private final GroupChecks checks;
    private final Map<GroupKey, CallerGroup> groups = new LinkedHashMap<>();
    private final Map<Integer, ChangeBatch.Shape> shapes = new HashMap<>();
    private final Map<AccessKey, TableAccess> access = new HashMap<>();
    private final AtomicLong queued = new AtomicLong();
    private volatile Tenant tenant;
    private String accessVersion = "";
    private Optional<LogPosition> last = Optional.empty();
    private boolean interrupted;

    /** Of the feed's registry, which guards it. */
    private int members;

    private volatile CompletableFuture<ProjectBus.Listener> listening = new CompletableFuture<>();

    private record AccessKey(long table, String role) {}

    ProjectFeed(Tenant tenant, FeedResources resources) {
        this.tenant = tenant;
        this.resources = resources;
        this.tasks = new SerialTasks(resources.threads());
        this.checks = new GroupChecks(() -> this.tenant, resources, tasks);
    }

    Tenant tenant() {
        return tenant;
    }

    /** The project as it is now: another key, another database. */
    void is(Tenant now) {
        tenant = now;
    }

    int join(int change) {
        members += change;
        return members;
    }

    void run(Runnable task) {
        tasks.run(task);
    }

    /** Begins to receive from the bus. By the registry. */
    void listen(ProjectBus bus) {
        listening = new CompletableFuture<>();
        CompletableFuture<ProjectBus.Listener> now = listening;
        bus.listen(tenant.projectId(), Kind.CHANGES, this::received, this::interrupted)
                .onSuccess(now::complete)
                .onFailure(now::completeExceptionally);
    }

    /** Completes when the bus delivers. */
    CompletableFuture<ProjectBus.Listener> listening() {
        return listening;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A listener that never began needs no end.
    void stopListening() {
        listening.thenAccept(ProjectBus.Listener::close);
    }

    /** Any thread. */
    void received(Buffer message) {
        int bytes = message.length();
        if (queued.addAndGet(bytes) > resources.settings().projectBytes()) {
            queued.addAndGet(-bytes);
            tasks.run(() -> {
                interrupted = true;
                failAll(BEHIND);
            });
            return;
        }
        tasks.run(() -> {
            try {
                batch(ChangeBatch.decode(message));
            } catch (MalformedLogException e) {
                LOG.warnf("%s: a batch of changes cannot be read: %s", tenant.ref(), e.getMessage());
            } finally {
                queued.addAndGet(-bytes);
            }
        });
    }

    /** Messages of other processes may be missing; the next batch tells. */
    void interrupted() {
        tasks.run(() -> interrupted = true);
    }

    /** The log itself has lost changes. */
    void lost() {
        tasks.run(() -> {
            last = Optional.empty();
            failAll(LOST);
        });
    }

    /** Begins to deliver what commits at this byte of the log or later. In a task. */
    void activate(FeedSubscription subscription, long position) {
        if (subscription.isClosed()) {
            return;
        }
        LogPosition from = LogPosition.before(position);
        last = Optional.of(last.filter(known -> known.isAfter(from)).orElse(from));
        group(subscription.caller()).subscriptions().add(subscription);
        subscription.activate();
        subscription.subscribed();
    }

    void authorize(FeedSubscription subscription, Caller next) {
        tasks.run(() -> {
            boolean member = leave(subscription);
            subscription.become(next);
            if (member && !subscription.isClosed()) {
                group(next).subscriptions().add(subscription);
            }
        });
    }

    void closed(FeedSubscription subscription) {
        resources.metrics().subscriptions(-1);
        tasks.run(() -> leave(subscription));
    }

    private boolean leave(FeedSubscription subscription) {
        GroupKey key = GroupKey.of(tenant, subscription.caller());
        CallerGroup group = groups.get(key);
        boolean member = group != null && group.subscriptions().remove(subscription);
        if (member && group.subscriptions().isEmpty()) {
            group.close();
            groups.remove(key);
        }
        return member;
    }

    private CallerGroup group(Caller caller) {
        return groups.computeIfAbsent(
                GroupKey.of(tenant, caller),
                key -> new CallerGroup(
                        key,
                        resources.settings(),
                        resources.metrics(),
                        resources.memory().account(tenant.projectId().toString())));
    }

    private void failAll(String message) {
        List.copyOf(groups.values()).forEach(group -> group.fail(message));
    }

    /** The scope of the main schema, whose tables alone can be published. */
    SchemaScope scope() {
        return new SchemaScope(tenant.database(), List.of(tenant.names().schemaName()), List.of());
    }

    private void batch(ChangeBatch batch) {
        if (last.isEmpty()) {
            return;
        }
        if (isMissing(batch)) {
            failAll(LOST);
        }
        interrupted = false;
        Optional<ProjectSchema> schema = groups.isEmpty() ? Optional.empty() : schema(batch);
        try {
            offer(batch, schema);
        } catch (SqlError | PoolExhausted e) {
            LOG.warnf("%s: changes are dropped, privileges cannot be read: %s", tenant.ref(), e.getMessage());
            failAll(UNREACHABLE);
        }
        List.copyOf(groups.values()).forEach(checks::advance);
    }

    private void offer(ChangeBatch batch, Optional<ProjectSchema> schema) {
        for (ChangeBatch.Entry entry : batch.entries()) {
            switch (entry) {
                case ChangeBatch.Shape shape -> shapes.put(shape.relation().oid(), shape);
                case ChangeBatch.Change change -> {
                    if (change.position().isAfter(last.orElseThrow())) {
                        last = Optional.of(change.position());
                        schema.ifPresent(known -> change(known, change));
                    }
                }
            }
        }
    }

    /** Whether something was committed between the last change that arrived and this batch. */
    private boolean isMissing(ChangeBatch batch) {
        LogPosition known = last.orElseThrow();
        return batch.previous().map(previous -> previous.isAfter(known)).orElse(interrupted)
                || Long.compareUnsigned(batch.completeSince(), known.commit()) > 0;
    }

    /** The project's tables as new as the batch; empty when they cannot be read, which the subscribers are told. */
    private Optional<ProjectSchema> schema(ChangeBatch batch) {
        boolean newer =
                batch.entries().stream().anyMatch(entry -> entry instanceof ChangeBatch.Shape shape && isNew(shape));
        for (int attempt = 0; ; attempt++) {
            try {
                // The log describes a table again after each change of its definition, privileges and policies.
                ProjectSchema schema = newer
                        ? resources.schemas().current(scope())
                        : resources.schemas().get(scope());
                if (!schema.version().equals(accessVersion)) {
                    access.clear();
                    accessVersion = schema.version();
                }
                return Optional.of(schema);
            } catch (SqlError | PoolExhausted e) {
                if (attempt == 3) {
                    LOG.warnf("%s: changes are dropped, the schema cannot be read: %s", tenant.ref(), e.getMessage());
                    failAll(UNREACHABLE);
                    return Optional.empty();
                }
                pause();
            }
        }
    }

    private boolean isNew(ChangeBatch.Shape shape) {
        ChangeBatch.Shape known = shapes.get(shape.relation().oid());
        return known == null || known.seen() != shape.seen();
    }

    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void change(ProjectSchema schema, ChangeBatch.Change change) {
        ChangeBatch.Shape shape = shapes.get(change.row().relation());
        if (shape == null) {
            LOG.warnf("%s: a change of a table that was not described", tenant.ref());
            return;
        }
        LogMessage.Relation relation = shape.relation();
        Optional<Table> table = schema.table(new QualifiedIdentifier(relation.schema(), relation.table()));
        if (table.isEmpty() || table.get().oid() != Integer.toUnsignedLong(relation.oid())) {
            // Dropped or renamed since; or a partition, which applications do not name.
            return;
        }
        var row = new SharedRow(
                ChangedRow.of(relation, table.get(), change),
                DisplayedNames.of(tenant).in(relation.schema()));
        for (CallerGroup group : groups.values()) {
            if (asksFor(group, row.row())) {
                group.offer(row, access(table.get(), group.key().role()));
            }
        }
    }

    private static boolean asksFor(CallerGroup group, ChangedRow row) {
        return group.subscriptions().stream()
                .anyMatch(subscription -> subscription.bindings().stream().anyMatch(binding -> binding.asksFor(row)));
    }

    private TableAccess access(Table table, String role) {
        return access.computeIfAbsent(
                new AccessKey(table.oid(), role),
                key -> TableAccess.read(resources.catalog(), tenant.database(), table, role));
    }

    GroupChecks checks() {
        return checks;
    }
}
