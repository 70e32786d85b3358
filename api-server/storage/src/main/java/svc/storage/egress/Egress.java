package svc.storage.egress;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import svc.platform.tenancy.Tenant;
import svc.storage.http.StorageError;

/**
 * Limits what a project's files send in a month, where the project has a limit. Each instance counts responses on their way
 * every second, and sums of all instances are added up every few seconds: so a project may exceed its limit by what it
 * sends in that time, and by what it is sending when the limit is reached. While the sums cannot be kept each instance
 * counts on its own.
 */
public final class Egress {
    private static final Logger LOG = Logger.getLogger(Egress.class);
    private static final int MAX_PROJECTS = 10_000;
    private static final long MIB = 1 << 20;

    /** How long a sum is believed that other instances may have added to. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    private final SentBytes sums;
    private final Clock clock;
    private final Queue<OnItsWay> answers = new ConcurrentLinkedQueue<>();
    private final Cache<Month, Usage> usages = Caffeine.newBuilder()
            .maximumSize(MAX_PROJECTS)
            .expireAfterAccess(Duration.ofHours(1))
            .build();

    public Egress(SentBytes sums, Clock clock) {
        this.sums = sums;
        this.clock = clock;
    }

    private record Month(UUID projectId, YearMonth month) {}

    private static final class Usage {
        private final AtomicLong added = new AtomicLong();
        private volatile long sum;
        private volatile Instant asked = Instant.MIN;

        long total() {
            return sum + added.get();
        }
    }

    /** Confined to the thread that counts responses. */
    private static final class OnItsWay {
        private final Month month;
        private final HttpServerResponse response;
        private long counted;

        OnItsWay(Month month, HttpServerResponse response) {
            this.month = month;
            this.response = response;
        }

        boolean isOver() {
            return response.ended() || response.closed();
        }

        /** Since the last time. */
        long more() {
            long written = response.bytesWritten();
            long more = written - counted;
            counted = written;
            return more;
        }
    }

    /**
     * Lets a file be sent, and counts what is. May wait for the sums a moment.
     *
     * @throws StorageError when the project has sent what it may
     */
    public void begin(Tenant tenant, HttpServerResponse response) {
        Long limit = tenant.storage().egressLimitMB();
        if (limit == null) {
            return;
        }
        var month = new Month(tenant.projectId(), YearMonth.from(clock.instant().atZone(ZoneOffset.UTC)));
        Usage usage = usage(month);
        if (usage.asked.isBefore(clock.instant().minus(FRESH))) {
            add(month, usage);
        }
        if (usage.total() >= limit * MIB) {
            throw StorageError.egressExceeded(limit);
        }
        answers.add(new OnItsWay(month, response));
    }

    /** A month that something is being sent in stays known, however long that takes. */
    private Usage usage(Month month) {
        return usages.get(month, unknown -> new Usage());
    }

    /** Counts what has been sent since the last time. Does not wait. */
    public void look() {
        for (Iterator<OnItsWay> all = answers.iterator(); all.hasNext(); ) {
            OnItsWay answer = all.next();
            boolean over = answer.isOver();
            usage(answer.month).added.addAndGet(answer.more());
            if (over) {
                all.remove();
            }
        }
    }

    /** Adds what was counted to the sums, until they fail: the others then have their turn next time. */
    public void flush() {
        for (var sent : usages.asMap().entrySet()) {
            if (sent.getValue().added.get() > 0 && !add(sent.getKey(), sent.getValue())) {
                return;
            }
        }
    }

    /** False when the sums fail. */
    private boolean add(Month month, Usage usage) {
        long bytes = usage.added.getAndSet(0);
        usage.asked = clock.instant();
        try {
            usage.sum = sums.add(month.projectId(), month.month(), bytes);
            return true;
        } catch (RuntimeException e) {
            usage.added.addAndGet(bytes);
            LOG.debugf(e, "what project %s sends is counted by this instance alone", month.projectId());
            return false;
        }
    }
}
