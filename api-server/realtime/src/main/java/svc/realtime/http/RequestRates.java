package svc.realtime.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import svc.platform.tenancy.Tenant;
import svc.realtime.channel.RealtimeProjects.Delivery;
import svc.realtime.message.Broadcast;
import svc.realtime.message.Rate;

/** How many messages a project sends by requests to this process. Thread-safe. */
public final class RequestRates {
    private static final int BURST_SECONDS = 5;
    private static final int MAX_PROJECTS = 100_000;

    private final Cache<UUID, Rate> rates = Caffeine.newBuilder()
            .maximumSize(MAX_PROJECTS)
            .expireAfterAccess(Duration.ofMinutes(1))
            .executor(Runnable::run)
            .build();

    private final BiFunction<Tenant, List<Broadcast>, Delivery> delivery;

    /** @param delivery whether the receivers in this process may be sent messages now */
    public RequestRates(BiFunction<Tenant, List<Broadcast>, Delivery> delivery) {
        this.delivery = delivery;
    }

    /** Whether a batch may be sent. */
    enum Verdict {
        GRANTED,
        EXCEEDED,
        /** More than are granted at any time. */
        TOO_MANY
    }

    Verdict take(Tenant tenant, List<Broadcast> messages) {
        int perSecond = tenant.realtime().maxMessagesPerSecond();
        Delivery deliverable = delivery.apply(tenant, messages);
        if (messages.size() > perSecond * BURST_SECONDS || deliverable == Delivery.TOO_MANY) {
            return Verdict.TOO_MANY;
        }
        if (deliverable == Delivery.LATER) {
            return Verdict.EXCEEDED;
        }
        Rate rate = rates.get(tenant.projectId(), id -> new Rate(BURST_SECONDS));
        if (!rate.take(perSecond)) {
            return Verdict.EXCEEDED;
        }
        rate.spend(messages.size() - 1, perSecond);
        return Verdict.GRANTED;
    }
}
