package svc.management;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.management.token.AdminToken;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.retry.RetryPolicy;

/**
 * Stores the configured admin token, with retries until it succeeds: the operator creates the tables and may start
 * later than this pod, and the database may be unavailable. The control plane answers meanwhile.
 */
@ApplicationScoped
class AdminTokenAtStart {
    private static final Logger LOG = Logger.getLogger(AdminTokenAtStart.class);
    private static final RetryPolicy RETRY = RetryPolicy.untilSuccess()
            .withExponentialBackoff(Duration.ofMillis(50), Duration.ofSeconds(10))
            .retryOn(AdminTokenAtStart::isTransient);

    private final ApiConfig config;
    private final Instance<AdminToken> adminToken;
    private volatile Optional<Thread> storing = Optional.empty();

    AdminTokenAtStart(ApiConfig config, Instance<AdminToken> adminToken) {
        this.config = config;
        this.adminToken = adminToken;
    }

    void start(@Observes StartupEvent event) {
        Optional<String> given = config.tokens().admin();
        if (given.isPresent() && config.roles().contains(ServerRole.CONTROL)) {
            storing = Optional.of(Thread.ofVirtual().name("store-admin-token").start(() -> storeUntilDone(given)));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        storing.ifPresent(Thread::interrupt);
    }

    private void storeUntilDone(Optional<String> given) {
        try {
            RETRY.call(() -> {
                store(given);
                return true;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) {
                LOG.errorf("the admin token of this installation is not stored: %s", e.getMessage());
            }
        }
    }

    private void store(Optional<String> given) {
        try {
            adminToken.get().ensure(given);
        } catch (RuntimeException e) {
            LOG.debugf(e, "the admin token cannot be stored yet");
            throw e;
        }
    }

    /** A token of the wrong form stays wrong. */
    private static boolean isTransient(Throwable failure) {
        return failure instanceof RuntimeException
                && !(failure instanceof IllegalArgumentException)
                && !Thread.currentThread().isInterrupted();
    }
}
