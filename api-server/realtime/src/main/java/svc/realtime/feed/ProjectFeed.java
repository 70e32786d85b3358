package svc.realtime.feed;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import svc.catalog.ProjectSchema;
import svc.platform.dataplane.Caller;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.replication.MalformedLogException;
import svc.realtime.bus.ProjectBus;
import svc.realtime.bus.ProjectBus.Kind;
import svc.realtime.feed.PendingChange.SharedRow;
import svc.realtime.reader.ChangeBatch;
import svc.realtime.reader.LogPosition;
import svc.realtime.reader.LogTime;
import svc.realtime.reader.TransactionLimit;
import svc.realtime.row.ChangedRow;

/**
 * The changes of one project in this process: takes batches from the bus, drops what it has had, notices what is missing,
 * and offers each change to the groups of callers. All state is used by the feed's tasks, which run one after the other, so
 * one project never waits for another.
 */
final class ProjectFeed {
    private static final Logger LOG = Logger.getLogger(ProjectFeed.class);

    static final String LOST = "Changes are lost: the connection to the database's log was interrupted";
    private static final String INTERRUPTED = "Changes may be lost: the connection between servers was interrupted";
    private static final String UNREACHABLE = "Changes are lost: the database cannot be reached";
    private static final String BEHIND = "Changes are lost: they come faster than they can be delivered";
    private static final String FAILED = "Changes are lost: they cannot be read";
    private static final String UNREADABLE =
            "Changes are lost: PostgreSQL cannot send a transaction of this project, such as a row of more than 1 GB";
    private static final String TOO_LARGE =
            "Changes are lost: a transaction of this project changed more than " + TransactionLimit.TEXT;

    private final FeedResources resources;
    private final SerialTasks tasks;
    private final GroupChecks checks;
    private final FeedSchema tables;
    private final CallerGroups groups;
    private final AtomicLong queued = new AtomicLong();
    private final SharedFilters filters = new SharedFilters();
    private long nextRow;

    /** When the last change that arrived committed. */
    private Instant arrived = Instant.EPOCH;

    private volatile Tenant tenant;
    private final BatchOrder order = new BatchOrder();

    /** Of the feed's registry, which guards it. */
    private int members;

    private volatile CompletableFuture<ProjectBus.Listener> listening = new CompletableFuture<>();

    ProjectFeed(Tenant tenant, FeedResources resources) {
        this.tenant = tenant;
        this.resources = resources;
        this.tasks = new SerialTasks(resources.threads());
        this.checks = new GroupChecks(() -> this.tenant, resources, tasks);
        this.tables = new FeedSchema(() -> this.tenant, resources);
        this.groups = new CallerGroups(() -> this.tenant, resources);
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
        ByteBudget.Permit permit =
                resources.memory().account(tenant.projectId().toString()).open();
        if (queued.addAndGet(bytes) > resources.settings().projectBytes()
                || permit.grow(bytes) != ByteBudget.Verdict.GRANTED) {
            queued.addAndGet(-bytes);
            permit.close();
            tasks.run(() -> lost(BEHIND));
            return;
        }
        tasks.run(() -> {
            try {
                batch(ChangeBatch.decode(message));
            } catch (MalformedLogException e) {
                LOG.warnf("%s: a batch of changes cannot be read: %s", tenant.ref(), e.getMessage());
                lost(FAILED);
            } catch (RuntimeException e) {
                LOG.errorf(e, "%s: a batch of changes has failed", tenant.ref());
                lost(FAILED);
            } finally {
                permit.close();
                queued.addAndGet(-bytes);
            }
        });
    }

    /** Messages of other processes may be missing: said at once, because the next change may be hours away. */
    void interrupted() {
        tasks.run(() -> lost(INTERRUPTED));
    }

    /** The log itself has lost changes. */
    void lost() {
        tasks.run(() -> lost(LOST));
    }

    private void lost(String reason) {
        groups.lost(reason, arrived, subscription -> true);
    }

    /** Begins to deliver what commits at this byte of the log or later. In a task. */
    void activate(FeedSubscription subscription, long position) {
        if (subscription.isClosed()) {
            return;
        }
        LogPosition from = LogPosition.before(position);
        order.begin(from);
        subscription.activate(from);
        subscription.subscribed();
        groups.of(subscription.caller()).admit(subscription, nextRow);
    }

    /** From now on its changes, also those that wait, are what this caller may see. */
    void authorize(FeedSubscription subscription, Caller next) {
        tasks.run(() -> {
            Optional<CallerGroup> former = groups.having(subscription);
            List<SharedRow> waiting =
                    former.map(group -> group.withdraw(subscription)).orElse(List.of());
            former.ifPresent(groups::closeIfEmpty);
            subscription.become(next);
            if (former.isPresent() && !subscription.isClosed()) {
                CallerGroup group = groups.of(next);
                group.admit(subscription, nextRow);
                offerAgain(subscription, waiting, group);
            }
        });
    }

    private void offerAgain(FeedSubscription subscription, List<SharedRow> waiting, CallerGroup group) {
        try {
            waiting.forEach(row -> group.offerTo(
                    subscription,
                    row,
                    tables.access(row.row().table(), group.key().role())));
        } catch (SqlError | PoolExhausted e) {
            subscription.lost(UNREACHABLE, arrived);
        }
        checks.advance(group);
    }

    void closed(FeedSubscription subscription) {
        resources.metrics().subscriptions(-1);
        tasks.run(() -> leave(subscription));
    }

    private void leave(FeedSubscription subscription) {
        groups.having(subscription).ifPresent(group -> {
            group.leave(subscription);
            groups.closeIfEmpty(group);
        });
    }

    private void batch(ChangeBatch batch) {
        order.missingUntil(batch)
                .ifPresent(until -> groups.lost(LOST, arrived, subscription -> until.isAfter(subscription.position())));
        groups.arriving();
        tables.begin(batch);
        Optional<ProjectSchema> schema = groups.isEmpty() ? Optional.empty() : schema(batch);
        offer(batch, schema);
        groups.all().forEach(checks::advance);
    }

    private void offer(ChangeBatch batch, Optional<ProjectSchema> schema) {
        boolean reachable = true;
        for (ChangeBatch.Entry entry : batch.entries()) {
            switch (entry) {
                case ChangeBatch.Shape shape -> tables.describe(shape);
                case ChangeBatch.Change change -> {
                    if (order.isNew(change.position())) {
                        arrived = LogTime.of(change.commitMicros());
                        reachable = reachable && (schema.isEmpty() || isOffered(schema.get(), change));
                    }
                }
                case ChangeBatch.Passed passed -> passed(passed);
            }
        }
    }

    /** The reader has not read a transaction of the project to its end, and goes on behind it. */
    private void passed(ChangeBatch.Passed transaction) {
        var end = LogPosition.after(transaction.commit());
        if (order.isNew(end)) {
            LOG.warnf(
                    "%s: a transaction at %x of the log is passed (%s); its changes are lost",
                    tenant.ref(), transaction.commit(), transaction.reason());
            groups.lost(
                    switch (transaction.reason()) {
                        case UNREADABLE -> UNREADABLE;
                        case TOO_LARGE -> TOO_LARGE;
                    },
                    LogTime.of(transaction.commitMicros()),
                    subscription -> end.isAfter(subscription.position()));
        }
    }

    /** The project's tables as new as the batch; empty when they cannot be read, which is reported to the subscribers. */
    private Optional<ProjectSchema> schema(ChangeBatch batch) {
        try {
            return Optional.of(tables.of(batch));
        } catch (SqlError | PoolExhausted e) {
            LOG.warnf("%s: changes are dropped, the schema cannot be read: %s", tenant.ref(), e.getMessage());
            lost(UNREACHABLE);
            return Optional.empty();
        }
    }

    /** False when privileges cannot be read, which is reported to the subscribers. */
    private boolean isOffered(ProjectSchema schema, ChangeBatch.Change change) {
        try {
            change(schema, change);
            return true;
        } catch (SqlError | PoolExhausted e) {
            LOG.warnf("%s: changes are dropped, privileges cannot be read: %s", tenant.ref(), e.getMessage());
            lost(UNREACHABLE);
            return false;
        }
    }

    private void change(ProjectSchema schema, ChangeBatch.Change change) {
        Optional<FeedSchema.Described> table = tables.table(schema, change);
        if (table.isEmpty()) {
            return;
        }
        var row = new SharedRow(
                nextRow++,
                ChangedRow.of(table.get().relation(), table.get().table(), change),
                DisplayedNames.of(tenant).in(table.get().relation().schema()));
        for (CallerGroup group : groups.askingFor(row.row())) {
            group.offer(row, tables.access(row.row().table(), group.key().role()));
        }
    }

    SharedFilters filters() {
        return filters;
    }

    GroupChecks checks() {
        return checks;
    }
}
