package svc.management;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.management.token.AdminToken;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;

/**
 * Stores the configured admin token, with retries until it succeeds: the operator creates the tables and may start
 * later than this pod, and the database may be unavailable. The control plane answers meanwhile.
 */
@ApplicationScoped
class AdminTokenAtStart {
    private static final Logger LOG = Logger.getLogger(AdminTokenAtStart.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(10);

    private final ApiConfig config;
    private final Instance<AdminToken> adminToken;
    private final CountDownLatch stopping = new CountDownLatch(1);

    AdminTokenAtStart(ApiConfig config, Instance<AdminToken> adminToken) {
        this.config = config;
        this.adminToken = adminToken;
    }

    void start(@Observes StartupEvent event) {
        Optional<String> given = config.tokens().admin();
        if (given.isPresent() && config.roles().contains(ServerRole.CONTROL)) {
            Thread.ofVirtual().name("store-admin-token").start(() -> storeUntilDone(given));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        stopping.countDown();
    }

    private void storeUntilDone(Optional<String> given) {
        Duration pause = FIRST_PAUSE;
        try {
            do {
                try {
                    adminToken.get().ensure(given);
                    return;
                } catch (IllegalArgumentException e) {
                    LOG.errorf("the configured admin token was not stored: %s", e.getMessage());
                    return;
                } catch (RuntimeException e) {
                    LOG.debugf(e, "the admin token cannot be stored yet; retrying in %s", pause);
                }
                pause = pause.multipliedBy(2).compareTo(MAX_BACKOFF) < 0 ? pause.multipliedBy(2) : MAX_BACKOFF;
            } while (!stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
