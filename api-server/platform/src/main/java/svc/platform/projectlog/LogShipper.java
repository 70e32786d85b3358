package svc.platform.projectlog;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;
import svc.platform.config.OutageLog;

/** Sends the lines of this process to the control plane, in batches, from one thread. */
@ApplicationScoped
class LogShipper {
    private static final Logger LOG = Logger.getLogger(LogShipper.class);

    /** Lines of a batch: at most 4 MB, mostly 100 KB. */
    private static final int BATCH = 500;

    /** How long lines gather; a line is to be read soon. */
    private static final Duration GATHERING = Duration.ofMillis(100);

    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final ProjectLog log;
    private final LogBuffer buffer;
    private final OutageLog outages;
    private final boolean enabled;
    private volatile boolean closing;
    private volatile Thread thread;

    LogShipper(ProjectLog log, LogBuffer buffer, LogConfig config, Clock clock) {
        this.log = log;
        this.buffer = buffer;
        this.enabled = config.enabled();
        this.outages = new OutageLog(clock);
    }

    void start(@Observes StartupEvent started) {
        if (enabled) {
            thread = Thread.ofVirtual().name("svc-log-shipper").start(this::run);
        }
    }

    void stop(@Observes ShutdownEvent stopping) {
        closing = true;
        Thread running = thread;
        if (running != null) {
            try {
                running.join(FAREWELL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        try {
            while (true) {
                boolean last = closing;
                boolean full = ship();
                if (!full && last) {
                    return;
                }
                if (!full) {
                    Thread.sleep(GATHERING);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether there may be more. */
    private boolean ship() throws InterruptedException {
        List<ProjectLine> lines = log.take(BATCH, closing ? Duration.ZERO : WAIT);
        if (lines.isEmpty()) {
            return false;
        }
        try {
            if (!buffer.push(LineJson.of(lines))) {
                throw new IllegalStateException("the control plane is behind with writing them");
            }
        } catch (RuntimeException e) {
            log.lost(lines);
            outages.line("push", String.valueOf(e.getMessage()))
                    .ifPresent(line -> LOG.warnf("lines of the projects' logs are lost: %s", line));
        }
        return lines.size() >= BATCH;
    }
}
