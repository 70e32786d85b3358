package svc.realtime.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.UUID;
import svc.platform.tenancy.Tenant;
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

    /** Whether a batch may be sent. */
    enum Verdict {
        GRANTED,
        EXCEEDED,
        /** More than are granted at any time. */
        TOO_MANY
    }

    Verdict take(Tenant tenant, int messages) {
        int perSecond = tenant.realtime().maxMessagesPerSecond();
        if (messages > perSecond * BURST_SECONDS) {
            return Verdict.TOO_MANY;
        }
        Rate rate = rates.get(tenant.projectId(), id -> new Rate(BURST_SECONDS));
        if (!rate.take(perSecond)) {
            return Verdict.EXCEEDED;
        }
        rate.spend(messages - 1, perSecond);
        return Verdict.GRANTED;
    }
}
