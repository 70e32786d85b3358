package svc.realtime.feed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.platform.memory.ByteBudget;
import svc.realtime.feed.PendingChange.SharedRow;
import svc.realtime.filter.Comparison;
import svc.realtime.reader.LogTime;

/**
 * Subscribers that policies cannot tell apart, with the changes that wait for them in the order of the log. A check that
 * fails mutes this group alone. Used by the tasks of its project's feed.
 */
final class CallerGroup {
    /** Changes of one table that are checked by one statement. */
    private static final int MAX_CHECKED = 500;

    private static final String SLOW = "Changes are lost: the checks of row security are slower than the changes come";

    private static final Duration MAX_MUTE = Duration.ofMinutes(1);
    private static final int MAX_ATTEMPTS = 5;

    private final GroupKey key;
    private final FeedSettings settings;
    private final FeedMetrics metrics;
    private final Set<FeedSubscription> subscriptions = new LinkedHashSet<>();
    private final Deque<PendingChange> waiting = new ArrayDeque<>();
    private final ByteBudget.Account memory;
    private long bytes;
    private boolean checking;
    private int attempts;
    private Duration mute;
    private long mutedUntil;
    private boolean muted;
    private String reason = "";
    private final ConditionPauses pauses;

    CallerGroup(GroupKey key, FeedSettings settings, FeedMetrics metrics, ByteBudget.Account memory) {
        this.key = key;
        this.settings = settings;
        this.metrics = metrics;
        this.memory = memory;
        this.mute = settings.mute();
        this.pauses = new ConditionPauses(settings.mute());
    }

    GroupKey key() {
        return key;
    }

    Set<FeedSubscription> subscriptions() {
        return subscriptions;
    }

    boolean isChecking() {
        return checking;
    }

    void checking(boolean now) {
        checking = now;
    }

    /**
     * A channel begins to get the group's changes, from one number on. It hears at once if the group, or a condition of its
     * own, is left alone now: "Subscribed" would promise changes that do not come.
     */
    void admit(FeedSubscription subscription, long from) {
        subscription.begins(from);
        subscriptions.add(subscription);
        if (isMuted()) {
            subscription.failed(reason);
            return;
        }
        subscription.bindings().stream()
                .flatMap(binding -> binding.filter().known().stream())
                .flatMap(comparison -> pauses.reason(comparison).stream())
                .findFirst()
                .ifPresent(subscription::failed);
    }

    /** Whether it was a member. */
    boolean leave(FeedSubscription subscription) {
        return subscriptions.remove(subscription);
    }

    /** Queues a change for the bindings whose filters it may pass. */
    void offer(SharedRow row, TableAccess access) {
        offer(row, access, subscriptions, Optional.empty());
    }

    /** The same for one of the subscriptions. */
    void offerTo(FeedSubscription subscription, SharedRow row, TableAccess access) {
        offer(row, access, List.of(subscription), Optional.of(subscription));
    }

    private void offer(
            SharedRow row,
            TableAccess access,
            Collection<FeedSubscription> receivers,
            Optional<FeedSubscription> only) {
        var offer = new RowOffer(row, access, pauses);
        receivers.stream()
                .filter(FeedSubscription::isActive)
                .filter(receiver -> only.isPresent() || receiver.receives(row))
                .forEach(offer::to);
        offer.pending(only).ifPresent(this::queue);
    }

    private void queue(PendingChange change) {
        if (change.needsStatement() && isMuted()) {
            metrics.dropped(1);
            return;
        }
        if (bytes + change.bytes() > settings.groupBytes() || !change.hold(memory.open())) {
            mute(SLOW, Optional.of(waiting.isEmpty() ? change : waiting.peek()));
            return;
        }
        bytes += change.bytes();
        waiting.add(change);
    }

    /** Tells those whose filters have a condition that PostgreSQL failed to decide, and asks it no more for a while. */
    void conditionFailed(Comparison comparison, String message) {
        pauses.failed(comparison, message);
        metrics.dropped(1);
        List.copyOf(subscriptions).stream()
                .filter(FeedSubscription::isActive)
                .filter(subscription -> subscription.has(comparison))
                .forEach(subscription -> subscription.failed(message));
    }

    void conditionDecided(Comparison comparison) {
        pauses.succeeded(comparison);
    }

    /** Delivers what waits for no statement, and returns what a statement is to be asked about, in order. */
    @SuppressWarnings("ReferenceEquality") // One version of the schema has one object for a table.
    List<PendingChange> next() {
        while (!waiting.isEmpty() && !waiting.peek().needsStatement()) {
            deliver(take());
        }
        List<PendingChange> run = new ArrayList<>();
        for (PendingChange change : waiting) {
            boolean same = run.isEmpty()
                    || (change.row().table() == run.getFirst().row().table()
                            && change.missing().equals(run.getFirst().missing()));
            if (run.size() == MAX_CHECKED || !same) {
                break;
            }
            run.add(change);
        }
        return run;
    }

    /** Takes a subscription out, and the changes that wait for it: they must not be judged by its former claims. */
    List<SharedRow> withdraw(FeedSubscription subscription) {
        subscriptions.remove(subscription);
        return waiting.stream()
                .filter(change -> change.withdraw(subscription))
                .map(PendingChange::shared)
                .toList();
    }

    /** PostgreSQL has answered for all of these, the first that wait. */
    @SuppressWarnings("ReferenceEquality") // The same change, not an equal one.
    void answered(List<PendingChange> run) {
        attempts = 0;
        muted = false;
        mute = settings.mute();
        for (PendingChange change : run) {
            if (waiting.peek() == change) {
                deliver(take());
            }
        }
    }

    private PendingChange take() {
        PendingChange change = waiting.remove();
        bytes -= change.bytes();
        change.release();
        return change;
    }

    private void clear() {
        waiting.forEach(PendingChange::release);
        waiting.clear();
        bytes = 0;
    }

    private void deliver(PendingChange change) {
        int channels = change.deliver(subscriptions);
        for (int i = 0; i < channels; i++) {
            metrics.delivered();
        }
    }

    /** The database cannot answer now. @return whether to ask again */
    boolean again() {
        return ++attempts < MAX_ATTEMPTS;
    }

    /** Drops what waits, says why, and leaves the group alone for a while, longer each time. */
    void mute(String message) {
        mute(message, Optional.ofNullable(waiting.peek()));
    }

    /** @param first the first change that is lost; empty when it is gone already */
    private void mute(String message, Optional<PendingChange> first) {
        metrics.dropped(waiting.size() + 1);
        clear();
        attempts = 0;
        mutedUntil = System.nanoTime() + mute.toNanos();
        mute = mute.multipliedBy(2).compareTo(MAX_MUTE) > 0 ? MAX_MUTE : mute.multipliedBy(2);
        muted = true;
        reason = message;
        fail(first.map(change ->
                        new Loss(message, LogTime.of(change.row().change().commitMicros())).text())
                .orElse(message));
    }

    private boolean isMuted() {
        return muted && System.nanoTime() - mutedUntil < 0;
    }

    private void fail(String message) {
        List.copyOf(subscriptions).stream()
                .filter(FeedSubscription::isActive)
                .forEach(subscription -> subscription.failed(message));
    }

    void close() {
        clear();
    }
}
