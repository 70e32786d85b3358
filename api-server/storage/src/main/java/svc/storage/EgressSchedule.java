package svc.storage;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.storage.egress.Egress;

/** Counts what files send, and adds it to the sums of all instances. */
@ApplicationScoped
@SuppressWarnings("FutureReturnValueIgnored") // The work ends by itself.
class EgressSchedule {
    private static final Logger LOG = Logger.getLogger(EgressSchedule.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration FLUSH = Duration.ofSeconds(5);

    private final Egress egress;
    private final boolean active;
    /** Two threads: one counts responses while the other waits for the sums. */
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon().name("storage-egress-", 0).factory());

    EgressSchedule(Egress egress, ApiConfig api) {
        this.egress = egress;
        this.active = api.roles().contains(ServerRole.DATA);
    }

    void start(@Observes StartupEvent event) {
        if (active) {
            clock.scheduleWithFixedDelay(
                    () -> logged(egress::look), LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
            clock.scheduleWithFixedDelay(
                    () -> logged(egress::flush), FLUSH.toMillis(), FLUSH.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** A failure must not end the schedule. */
    private static void logged(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("what files send could not be counted", e);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        clock.shutdownNow();
        egress.look();
        egress.flush();
    }
}
