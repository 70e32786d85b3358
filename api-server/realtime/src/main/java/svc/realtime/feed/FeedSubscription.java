package svc.realtime.feed;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import svc.platform.dataplane.Caller;
import svc.realtime.change.ChangeData;
import svc.realtime.change.ChangeReceiver;
import svc.realtime.change.ChangeSubscription;
import svc.realtime.feed.PendingChange.SharedRow;
import svc.realtime.filter.Comparison;
import svc.realtime.reader.LogPosition;

/** The table changes of one channel. */
final class FeedSubscription implements ChangeSubscription {
    private static final Logger LOG = Logger.getLogger(FeedSubscription.class);

    private final ProjectFeed feed;
    private final List<ParsedBinding> bindings;
    private final ChangeReceiver receiver;
    private final Runnable afterwards;

    /** Failures that were reported and are not repeated; of the feed's tasks alone. */
    private final Set<String> once = new HashSet<>(0);

    private final AtomicBoolean open = new AtomicBoolean(true);
    private volatile Caller caller;

    /** Whether it gets changes; the feed's tasks alone use it. */
    private boolean active;

    /** The first change of its group that it gets; the feed's tasks alone use it, and what follows. */
    private long since;

    private LogPosition position = LogPosition.START;
    private Instant began = Instant.EPOCH;
    private boolean lossReported;

    /** @param afterwards when it is closed */
    FeedSubscription(
            ProjectFeed feed,
            Caller caller,
            List<ParsedBinding> bindings,
            ChangeReceiver receiver,
            Runnable afterwards) {
        this.feed = feed;
        this.afterwards = afterwards;
        this.caller = caller;
        this.bindings = List.copyOf(bindings);
        this.receiver = receiver;
    }

    List<ParsedBinding> bindings() {
        return bindings;
    }

    /** Whether one of its filters has this condition. */
    boolean has(Comparison comparison) {
        return bindings.stream().anyMatch(binding -> binding.filter().has(comparison));
    }

    Caller caller() {
        return caller;
    }

    boolean isClosed() {
        return !open.get();
    }

    boolean isActive() {
        return active && open.get();
    }

    /** Begins behind a position of the log. */
    void activate(LogPosition from) {
        position = from;
        began = Instant.now();
        active = true;
    }

    /** It gets what is behind. */
    LogPosition position() {
        return position;
    }

    /** Whether it is a member of its group for this change. */
    boolean receives(SharedRow row) {
        return since <= row.number() && row.row().change().position().isAfter(position);
    }

    /** @param number of the first change that it gets as a member of its group */
    void begins(long number) {
        since = number;
    }

    /** Changes are missing; said once until the next ones arrive. @param arrived when the last one that arrived committed */
    void lost(String reason, Instant arrived) {
        if (!lossReported) {
            lossReported = true;
            failed(new Loss(reason, arrived.isAfter(began) ? arrived : began).text());
        }
    }

    /** Changes arrive again. */
    void arriving() {
        lossReported = false;
    }

    @Override
    public void authorize(Caller next) {
        if (open.get()) {
            feed.authorize(this, next);
        }
    }

    void become(Caller next) {
        caller = next;
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            feed.closed(this);
            afterwards.run();
        }
    }

    void subscribed() {
        notify(receiver::subscribed);
    }

    void refused(String message) {
        notify(() -> receiver.refused(message));
    }

    void changed(List<Integer> ids, ChangeData data) {
        notify(() -> receiver.changed(ids, data));
    }

    void failed(String message) {
        notify(() -> receiver.failed(message));
    }

    /** Reports a failure that each row would repeat, at the first one. */
    void failedOnce(String message) {
        if (once.add(message)) {
            failed(message);
        }
    }

    /** A fault of one receiver is none of the others'. */
    private void notify(Runnable notice) {
        if (!open.get()) {
            return;
        }
        try {
            notice.run();
        } catch (RuntimeException e) {
            LOG.error("a channel failed to take what its table changes say", e);
        }
    }
}
