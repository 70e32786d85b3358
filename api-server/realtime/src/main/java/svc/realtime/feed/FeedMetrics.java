package svc.realtime.feed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What becomes of table changes in this process, in figures of all projects together. */
public final class FeedMetrics {
    private final Counter delivered;
    private final Counter dropped;
    private final Counter checks;
    private final Counter failedChecks;
    private final AtomicLong subscriptions = new AtomicLong();

    public FeedMetrics(MeterRegistry registry) {
        this.delivered = Counter.builder("svc.realtime.changes.delivered")
                .description("Table changes handed to channels")
                .register(registry);
        this.dropped = Counter.builder("svc.realtime.changes.dropped")
                .description("Table changes that a group of callers did not get, because its policy failed or was slow")
                .register(registry);
        this.checks = Counter.builder("svc.realtime.changes.checks")
                .description("Statements that asked PostgreSQL which changes a group of callers may see")
                .register(registry);
        this.failedChecks = Counter.builder("svc.realtime.changes.checks.failed")
                .description("Such statements that failed or took too long")
                .register(registry);
        Gauge.builder("svc.realtime.changes.subscriptions", subscriptions, AtomicLong::get)
                .description("Channels with table changes")
                .register(registry);
    }

    void delivered() {
        delivered.increment();
    }

    void dropped(int changes) {
        dropped.increment(changes);
    }

    void checked() {
        checks.increment();
    }

    void failed() {
        failedChecks.increment();
    }

    void subscriptions(int change) {
        subscriptions.addAndGet(change);
    }
}
