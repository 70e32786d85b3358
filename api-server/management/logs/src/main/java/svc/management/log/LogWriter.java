package svc.management.log;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.platform.config.ApiConfig;
import svc.platform.config.OutageLog;
import svc.platform.config.ServerRole;
import svc.platform.projectlog.LogBuffer;
import svc.platform.projectlog.LogConfig;
import svc.postgres.PlatformUnavailable;

/**
 * Moves batches from the buffer to the database, in one thread of each control plane. While the database is away it waits with
 * the batch at hand; the buffer fills up and the senders count what they lose.
 */
@ApplicationScoped
class LogWriter {
    private static final Logger LOG = Logger.getLogger(LogWriter.class);

    /** Batches taken at once; a crash loses them. */
    private static final int AT_ONCE = 4;

    private static final Duration IDLE = Duration.ofMillis(150);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long TRIM_NANOS = Duration.ofSeconds(30).toNanos();

    private final LogBuffer buffer;
    private final LogStore store;
    private final OtlpExport export;
    private final LogConfig config;
    private final boolean here;
    private final OutageLog outages;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Set<UUID> written = new HashSet<>();
    private long trimmed = System.nanoTime();

    LogWriter(LogBuffer buffer, LogStore store, OtlpExport export, LogConfig config, ApiConfig api, Clock clock) {
        this.buffer = buffer;
        this.store = store;
        this.export = export;
        this.config = config;
        this.here = config.enabled() && api.roles().contains(ServerRole.CONTROL);
        this.outages = new OutageLog(clock);
    }

    void start(@Observes StartupEvent started) {
        if (here) {
            Thread.ofVirtual().name("svc-log-writer").start(this::run);
        }
    }

    void stop(@Observes ShutdownEvent stopping) {
        closing.countDown();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                List<String> batches = batches();
                for (String batch : batches) {
                    write(batch);
                }
                trim();
                if (batches.size() < AT_ONCE && closing.await(IDLE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> batches() throws InterruptedException {
        try {
            return buffer.pop(AT_ONCE);
        } catch (RuntimeException e) {
            report("read", e);
            pause();
            return List.of();
        }
    }

    private void write(String batch) throws InterruptedException {
        while (true) {
            try {
                written.addAll(store.add(batch));
                export.send(batch);
                return;
            } catch (PlatformUnavailable e) {
                report("write", e);
                if (pause()) {
                    return;
                }
            } catch (RuntimeException e) {
                // Of no use a second time.
                LOG.errorf(e, "a batch of the projects' logs cannot be stored");
                return;
            }
        }
    }

    private void trim() {
        long now = System.nanoTime();
        if (now - trimmed < TRIM_NANOS || written.isEmpty()) {
            return;
        }
        trimmed = now;
        try {
            int lines = store.trim(written, config.projectLines(), config.projectBytes());
            written.clear();
            LOG.debugf("%d lines of projects with more than their share are deleted", lines);
        } catch (RuntimeException e) {
            report("trim", e);
        }
    }

    /** True when the process ends. */
    private boolean pause() throws InterruptedException {
        return closing.await(RETRY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void report(String what, RuntimeException fault) {
        outages.line(what, String.valueOf(fault.getMessage()))
                .ifPresent(line -> LOG.warnf("projects' logs: failed to %s: %s", what, line));
    }
}
