package svc.realtime.channel;

import java.util.concurrent.atomic.LongAdder;
import svc.platform.realtime.RealtimeActivity;
import svc.realtime.message.Rate;

/**
 * What this process may use of a project's limits: all that the other processes leave, by their last report, and at least an
 * equal part. So the limits are those of all processes together, but for the second in which a use begins. Thread-safe.
 *
 * <p>It is no budget: rates of several processes are spent and never returned.
 */
final class ProjectShare {
    private static final int MESSAGE_BURST_SECONDS = 5;

    private final Rate joins = new Rate(1);
    private final Rate messages = new Rate(MESSAGE_BURST_SECONDS);
    private final LongAdder joined = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private volatile RealtimeActivity others = RealtimeActivity.NONE;
    private long reportedAt = System.nanoTime();

    RealtimeActivity others() {
        return others;
    }

    void others(RealtimeActivity now) {
        others = now;
    }

    boolean takeJoin(int perSecond) {
        boolean may = joins.take(part(perSecond, others.joinsPerSecond()));
        if (may) {
            joined.increment();
        }
        return may;
    }

    boolean takeMessage(int perSecond) {
        boolean may = messages.take(part(perSecond, others.messagesPerSecond()));
        if (may) {
            passed.increment();
        }
        return may;
    }

    /** Counts deliveries, which have happened. */
    void spendMessages(int count, int perSecond) {
        messages.spend(count, part(perSecond, others.messagesPerSecond()));
        passed.add(count);
    }

    /** Deliveries of messages by request that may come at once: half of all, the other half is the sockets'. */
    static int requestBurst(int perSecond) {
        return perSecond * MESSAGE_BURST_SECONDS / 2;
    }

    boolean mayDeliver(int count, int perSecond) {
        return messages.hasBeyondHalf(count, part(perSecond, others.messagesPerSecond()));
    }

    /** Counts deliveries of a message by request, if as many are left beyond the half that is the sockets'. */
    boolean takeDeliveries(int count, int perSecond) {
        boolean may = messages.takeBeyondHalf(count, part(perSecond, others.messagesPerSecond()));
        if (may) {
            passed.add(count);
        }
        return may;
    }

    private int part(int limit, long used) {
        int equal = limit / (others.processes() + 1);
        return (int) Math.max(Math.max(1, equal), limit - used);
    }

    /** What was used since the last report, by the second. */
    synchronized RealtimeActivity report(long connections, long channels, long subscriptions, long lagBytes) {
        long now = System.nanoTime();
        double seconds = Math.max(1e-3, (now - reportedAt) / 1e9);
        reportedAt = now;
        return new RealtimeActivity(
                1,
                connections,
                channels,
                subscriptions,
                Math.round(joined.sumThenReset() / seconds),
                Math.round(passed.sumThenReset() / seconds),
                lagBytes);
    }
}
