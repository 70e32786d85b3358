package svc.management.idempotency;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;

/** Deletes expired keys, in one thread of each control plane; several at once do not wait for each other. */
@ApplicationScoped
class IdempotencySweep {
    private static final Logger LOG = Logger.getLogger(IdempotencySweep.class);
    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final int AT_ONCE = 5_000;

    private final IdempotentCalls calls;
    private final boolean here;
    private final CountDownLatch closing = new CountDownLatch(1);

    IdempotencySweep(IdempotentCalls calls, ApiConfig config) {
        this.calls = calls;
        this.here = config.roles().contains(ServerRole.CONTROL);
    }

    void start(@Observes StartupEvent started) {
        if (here) {
            Thread.ofVirtual().name("svc-idempotency-sweep").start(this::run);
        }
    }

    void stop(@Observes ShutdownEvent stopping) {
        closing.countDown();
    }

    private void run() {
        try {
            while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                sweep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sweep() {
        try {
            while (calls.sweep(AT_ONCE) == AT_ONCE && closing.getCount() > 0) {
                Thread.yield();
            }
        } catch (RuntimeException e) {
            LOG.debugf(e, "expired idempotency keys stay until the next sweep");
        }
    }
}
