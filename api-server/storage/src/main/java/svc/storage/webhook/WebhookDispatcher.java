package svc.storage.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;
import svc.crds.project.service.StorageWebhookSpec;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;
import svc.platform.egress.EgressClient;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.rows.EventRows;
import svc.storage.rows.EventRows.Event;

/**
 * Delivers the queued events of projects to their webhooks, at least once. A webhook has one batch on its way at a time; one
 * that fails has its next attempt ever later. Those that failed or were slow share places of their own, so that others, also
 * of the same project, do not wait for them.
 */
public final class WebhookDispatcher {
    private static final Logger LOG = Logger.getLogger(WebhookDispatcher.class);
    private static final int BATCH = 50;
    private static final int AT_ONCE = 96;
    private static final int SLOW_AT_ONCE = 32;

    /** Of a batch: a webhook that takes longer shares the places of the slow ones next time. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private static final Duration FIRST_DELAY = Duration.ofSeconds(5);
    private static final Duration MAX_DELAY = Duration.ofHours(1);
    private static final int DELAY_FACTOR = 4;

    private final EventRows rows;
    private final TenantDirectory tenants;
    private final WebhookSender sender;
    private final Executor threads;
    private final Clock clock;
    private final Budget places = new Budget("webhooks", AT_ONCE);
    private final Budget placesOfSlow = new Budget("slow-webhooks", SLOW_AT_ONCE);
    private final Set<Target> slow = ConcurrentHashMap.newKeySet();
    private final Set<Target> running = ConcurrentHashMap.newKeySet();
    private final Set<Target> again = ConcurrentHashMap.newKeySet();
    private final Map<Target, Instant> retries = new ConcurrentHashMap<>();

    /**
     * @param limit of a call of a webhook
     * @param threads run what may wait for seconds
     */
    public WebhookDispatcher(
            EventRows rows,
            TenantDirectory tenants,
            EgressClient egress,
            ProjectSecrets secrets,
            Duration limit,
            Executor threads,
            Clock clock) {
        this.rows = rows;
        this.tenants = tenants;
        this.sender = new WebhookSender(egress, secrets, limit, clock);
        this.threads = threads;
        this.clock = clock;
    }

    private record Target(String ref, String webhook) {}

    /** Events may have been queued. Returns at once. */
    public void queued(Tenant tenant) {
        for (StorageWebhookSpec webhook : tenant.storage().webhooks()) {
            var target = new Target(tenant.ref(), webhook.name());
            // One that waits for its next attempt is asked again then.
            if (!retries.containsKey(target)) {
                start(target);
            }
        }
    }

    /** Looks for events that another instance has left, and forgets those of webhooks that are gone. Blocks. */
    public void recover(Tenant tenant) {
        try {
            if (rows.exists(tenant)) {
                rows.keepOnly(
                        tenant,
                        tenant.storage().webhooks().stream()
                                .map(StorageWebhookSpec::name)
                                .toList());
                for (StorageWebhookSpec webhook : tenant.storage().webhooks()) {
                    trim(tenant, webhook.name());
                }
                queued(tenant);
            }
        } catch (SqlError | PoolExhausted e) {
            LOG.debugf("%s: the events of webhooks cannot be looked for: %s", tenant.ref(), e.getMessage());
        }
    }

    /** Starts the attempts whose time has come. */
    public void retry() {
        Instant now = clock.instant();
        retries.forEach((target, at) -> {
            if (!at.isAfter(now) && retries.remove(target, at)) {
                start(target);
            }
        });
    }

    private void start(Target target) {
        if (!running.add(target)) {
            again.add(target);
            // It may have ended meanwhile, without having seen this.
            if (running.contains(target) || !again.remove(target) || !running.add(target)) {
                return;
            }
        }
        try {
            threads.execute(() -> run(target));
        } catch (RejectedExecutionException e) {
            running.remove(target);
        }
    }

    private void run(Target target) {
        Optional<Failure> failure = Optional.empty();
        try {
            failure = deliver(target);
        } catch (SqlError | PoolExhausted e) {
            LOG.debugf("%s: events of the webhook %s wait: %s", target.ref(), target.webhook(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.errorf(e, "%s: the webhook %s could not be called", target.ref(), target.webhook());
        } finally {
            failure.ifPresent(failed -> retries.put(target, clock.instant().plus(failed.delay())));
            running.remove(target);
        }
        if (again.remove(target) && failure.isEmpty()) {
            start(target);
        }
    }

    private record Failure(Duration delay) {}

    /** Until nothing is queued, or a call has failed. Each batch waits for a place of its own. */
    private Optional<Failure> deliver(Target target) throws InterruptedException {
        while (true) {
            Batch batch;
            long begin;
            try (Permit place = place(target)) {
                begin = System.nanoTime();
                batch = next(target);
            }
            if (batch.failure().isPresent() || System.nanoTime() - begin > SLOW.toNanos()) {
                slow.add(target);
            } else {
                slow.remove(target);
            }
            if (batch.failure().isPresent() || batch.events() < BATCH) {
                return batch.failure();
            }
            tenants.find(target.ref()).ifPresent(tenant -> trim(tenant, target.webhook()));
        }
    }

    /** By turns of the projects; a webhook has one batch on its way, so few wait of each. */
    private Permit place(Target target) throws InterruptedException {
        Account project =
                (slow.contains(target) ? placesOfSlow : places).whole().part(target.ref(), Limit.NONE);
        while (true) {
            if (project.await(1, Account.UNTIL_GIVEN_UP) instanceof Outcome.Granted(Permit place)) {
                return place;
            }
        }
    }

    private record Batch(int events, Optional<Failure> failure) {}

    private Batch next(Target target) {
        Optional<Tenant> tenant = tenants.find(target.ref());
        Optional<StorageWebhookSpec> webhook = tenant.flatMap(found -> named(found, target.webhook()));
        List<Event> events = webhook.isEmpty() ? List.of() : rows.claim(tenant.get(), target.webhook(), BATCH);
        if (events.isEmpty()) {
            return new Batch(0, Optional.empty());
        }
        return switch (sender.send(tenant.get(), webhook.get(), events)) {
            case WebhookSender.Outcome.Delivered delivered -> {
                rows.delete(tenant.get(), events);
                yield new Batch(events.size(), Optional.empty());
            }
            case WebhookSender.Outcome.Failed failed -> {
                Duration delay = delay(events.getFirst().attempts(), failed.retryAfter());
                rows.postpone(tenant.get(), events, delay, failed.why());
                yield new Batch(events.size(), Optional.of(new Failure(delay)));
            }
        };
    }

    private void trim(Tenant tenant, String webhook) {
        int lost = rows.trim(tenant, webhook);
        if (lost > 0) {
            LOG.warnf("%s: %d events of the webhook %s were given up", tenant.ref(), lost, webhook);
        }
    }

    private static Optional<StorageWebhookSpec> named(Tenant tenant, String name) {
        return tenant.storage().webhooks().stream()
                .filter(webhook -> webhook.name().equals(name))
                .filter(webhook -> tenant.storage().enabled())
                .findFirst();
    }

    /** 5 s, 20 s, 80 s, 5 min, 21 min, then every hour; or later, if the receiver asks for it. */
    static Duration delay(int attempts, Optional<Duration> retryAfter) {
        long seconds = FIRST_DELAY.toSeconds();
        for (int i = 1; i < attempts && seconds < MAX_DELAY.toSeconds(); i++) {
            seconds *= DELAY_FACTOR;
        }
        long asked = retryAfter.map(Duration::toSeconds).orElse(0L);
        return Duration.ofSeconds(Math.min(MAX_DELAY.toSeconds(), Math.max(seconds, asked)));
    }
}
