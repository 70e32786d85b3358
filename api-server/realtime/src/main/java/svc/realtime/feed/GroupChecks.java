package svc.realtime.feed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.PoolExhausted;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.InFlightRequest;
import svc.postgres.flush.TransactionEnd;
import svc.realtime.filter.Comparison;

/**
 * Asks PostgreSQL for the groups of one project, a few at a time and in turn, each with its own role and claims in a
 * transaction of its own that reads. Used by the tasks of its project's feed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What a future does at its end it does by tasks.
final class GroupChecks {
    private static final Logger LOG = Logger.getLogger(GroupChecks.class);
    private static final long RETRY_MILLIS = 300;

    private final Supplier<Tenant> tenant;
    private final FeedResources resources;
    private final SerialTasks tasks;
    private final Queue<CallerGroup> turn = new ArrayDeque<>();
    private int running;

    GroupChecks(Supplier<Tenant> tenant, FeedResources resources, SerialTasks tasks) {
        this.tenant = tenant;
        this.resources = resources;
        this.tasks = tasks;
    }

    /** Delivers what the group can have at once, and has the rest checked. */
    void advance(CallerGroup group) {
        if (group.isChecking()) {
            return;
        }
        List<PendingChange> run = group.next();
        if (run.isEmpty()) {
            return;
        }
        group.checking(true);
        if (running >= resources.settings().checksPerProject()) {
            turn.add(group);
        } else {
            check(group, run);
        }
    }

    private void check(CallerGroup group, List<PendingChange> run) {
        running++;
        var check = new Check(group.key(), run);
        check.ask()
                .whenComplete((done, failure) -> tasks.run(() -> {
                    running--;
                    ended(group, check, failure);
                    following();
                }));
    }

    private void following() {
        while (running < resources.settings().checksPerProject() && !turn.isEmpty()) {
            CallerGroup group = turn.remove();
            group.checking(false);
            advance(group);
        }
    }

    private void ended(CallerGroup group, Check check, Throwable failure) {
        if (failure == null) {
            group.checking(false);
            check.decided.forEach((comparison, failed) -> failed.ifPresentOrElse(
                    message -> group.conditionFailed(comparison, message), () -> group.conditionDecided(comparison)));
            group.answered(check.run);
            advance(group);
            return;
        }
        Throwable why = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        if (isMomentary(why) && group.again()) {
            resources
                    .clock()
                    .schedule(
                            () -> tasks.run(() -> {
                                group.checking(false);
                                advance(group);
                            }),
                            RETRY_MILLIS,
                            TimeUnit.MILLISECONDS);
            return;
        }
        group.checking(false);
        resources.metrics().failed();
        LOG.debugf("%s: a check of table changes failed: %s", tenant.get().ref(), why);
        group.mute(message(why));
    }

    /** Whether the same question may be answered in a moment. */
    private static boolean isMomentary(Throwable why) {
        return why instanceof PoolExhausted
                || (why instanceof SqlError error
                        && (error.infrastructure() || !error.fromServer())
                        && !error.is("57014"));
    }

    private String message(Throwable why) {
        if (why instanceof SqlError error && error.is("57014")) {
            return "Changes are lost: the policies of the table took too long";
        }
        return why instanceof SqlError error && error.fromServer()
                ? "Changes are lost: a policy or filter failed: "
                        + DisplayedNames.of(tenant.get()).in(error.getMessage())
                : "Changes are lost: the database cannot be reached";
    }

    /**
     * What is asked about some changes, all of one table: first which rows the caller sees, then, of these alone, the conditions
     * that PostgreSQL decides, one after the other. Touches only the changes.
     */
    private final class Check {
        private final GroupKey key;
        private final List<PendingChange> run;

        /** The conditions that were asked, with the message of each that failed by its own fault. */
        private final Map<Comparison, Optional<String>> decided = new HashMap<>();

        Check(GroupKey key, List<PendingChange> run) {
            this.key = key;
            this.run = run;
        }

        CompletableFuture<Void> ask() {
            List<PendingChange> rows =
                    run.stream().filter(PendingChange::needsRow).toList();
            try {
                CompletableFuture<Void> seen = rows.isEmpty() ? CompletableFuture.completedFuture(null) : rows(rows);
                return seen.thenCompose(answered -> conditions());
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private CompletableFuture<Void> rows(List<PendingChange> rows) {
            PendingChange first = rows.getFirst();
            RowCheck.Statement statement = RowCheck.visible(
                    first.row().table(), rows.stream().map(PendingChange::key).toList(), first.missing());
            return answer(key, statement).thenAccept(answer -> {
                for (int i = 0; i < rows.size(); i++) {
                    rows.get(i).answered(Optional.ofNullable(answer.byPlace().get(i)));
                }
            });
        }

        private CompletableFuture<Void> conditions() {
            Map<Comparison, List<PendingChange>> concerned = new LinkedHashMap<>();
            run.forEach(change -> change.undecided()
                    .forEach(comparison -> concerned
                            .computeIfAbsent(comparison, added -> new ArrayList<>())
                            .add(change)));
            CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
            for (var condition : concerned.entrySet()) {
                all = all.thenCompose(before -> condition(condition.getKey(), condition.getValue()));
            }
            return all;
        }

        private CompletableFuture<Void> condition(Comparison comparison, List<PendingChange> concerned) {
            RowCheck.Statement statement = RowCheck.passing(
                    comparison,
                    concerned.stream()
                            .map(change ->
                                    change.row().value(comparison.condition().column()))
                            .toList());
            return answer(key, statement).handle((answer, failure) -> {
                if (failure != null) {
                    Throwable why = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
                    if (!(why instanceof SqlError) || isMomentary(why)) {
                        throw new CompletionException(why);
                    }
                    decided.put(comparison, Optional.of(ofFilter(why)));
                    return null;
                }
                for (int i = 0; i < concerned.size(); i++) {
                    concerned.get(i).decided(comparison, answer.byPlace().containsKey(i));
                }
                decided.put(comparison, Optional.empty());
                return null;
            });
        }
    }

    /** The fault of a condition is that of the channels which ask for it, and of no other. */
    private String ofFilter(Throwable why) {
        resources.metrics().failed();
        return why instanceof SqlError error && error.is("57014")
                ? "Changes are lost: the filter took too long"
                : "Changes are lost: the filter failed: "
                        + DisplayedNames.of(tenant.get()).in(why.getMessage());
    }

    private CompletableFuture<RowCheck.Answer> answer(GroupKey key, RowCheck.Statement statement) {
        resources.metrics().checked();
        return run(key, statement)
                .thenApply(row -> RowCheck.Answer.parse(row.text(0).orElse("[]")));
    }

    /** Runs a statement as a caller, and stops it when it takes too long: a policy can lift the session's own limit. */
    CompletableFuture<FlushRow> run(GroupKey key, RowCheck.Statement statement) {
        Tenant now = tenant.get();
        long limit = resources.settings().checkTimeout().toMillis();
        InFlightRequest request = resources
                .transactions()
                .start(
                        now,
                        key.login(),
                        new Flush(
                                Access.READ,
                                settings(now, key, limit),
                                statement.sql(),
                                statement.binds(),
                                new TransactionEnd.Commit()));
        var stop = resources.clock().schedule(request::cancel, limit + limit / 2, TimeUnit.MILLISECONDS);
        return request.row().whenComplete((row, failure) -> stop.cancel(false));
    }

    private static List<Setting> settings(Tenant tenant, GroupKey key, long limit) {
        return List.of(
                Setting.of(
                        "search_path", tenant.requestSearchPath(tenant.names().schema())),
                Setting.of("timezone", "UTC"),
                Setting.of("statement_timeout", Long.toString(limit)),
                Setting.of("role", key.role()),
                Setting.of("request.jwt.claims", key.claims()),
                Setting.of("request.method", "GET"),
                Setting.of("request.path", "/realtime/v1/websocket"),
                Setting.of("request.headers", "{}"));
    }
}
