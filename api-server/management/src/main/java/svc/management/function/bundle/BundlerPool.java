package svc.management.function.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import svc.sqlgate.parser.SandboxHome;

/**
 * Bundles functions in a few processes that are kept while they are used, because starting one takes a second. A
 * function that hangs or blows up its process takes that one along and no other.
 */
final class BundlerPool implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(BundlerPool.class);

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration KEPT_IDLE = Duration.ofMinutes(10);
    private static final long RESIDENT_BYTES = 1L << 30;
    /** A process that holds more after an answer is not used again: the compiler's memory never shrinks. */
    private static final long RECYCLE_BYTES = 448L << 20;

    /** The largest module that is made. */
    static final int BUNDLE_BYTES = 20 << 20;

    private final Supplier<SandboxHome> home;
    private final RegistryPolicy policy;
    private final Duration limit;
    private final int queue;
    private final Semaphore slots;
    private final AtomicInteger callers = new AtomicInteger();
    private final int processes;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private Path scratch;
    private boolean closed;

    private record Idle(BundlerProcess process, long since) {}

    BundlerPool(Supplier<SandboxHome> home, RegistryPolicy policy, BundleConfig config) {
        this.home = home;
        this.policy = policy;
        this.limit = config.bundleTime();
        this.queue = config.queue();
        this.processes = config.bundlers();
        this.slots = new Semaphore(processes, true);
    }

    /** Blocks while others are before this one; {@link BundleResult.Busy} when too many are. */
    BundleResult bundle(BundleRequest request) {
        if (callers.incrementAndGet() > processes + queue) {
            callers.decrementAndGet();
            return new BundleResult.Busy();
        }
        try {
            if (!slots.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return new BundleResult.Busy();
            }
            try {
                return bundleNow(request);
            } finally {
                slots.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new BundleResult.Busy();
        } catch (IOException e) {
            throw new UncheckedIOException("while starting a bundler: " + startFailure(), e);
        } finally {
            callers.decrementAndGet();
        }
    }

    private BundleResult bundleNow(BundleRequest request) throws IOException {
        for (boolean first = true; ; first = false) {
            BundlerProcess process = ready();
            var guard = ProcessGuard.of(process.process(), limit, RESIDENT_BYTES);
            try (guard) {
                JsonNode answer = process.exchange(job(request));
                guard.close();
                giveBack(process, guard.killedFor() == null);
                return BundlerAnswer.read(answer);
            } catch (IOException e) {
                process.kill();
                LOG.debugf(e, "a bundler ended while it worked on %s [%s]", request.name(), guard.killedFor());
                // One that fell by itself may have fallen before it was asked.
                if (guard.killedFor() != null || !first) {
                    return new BundleResult.Refused(List.of(costly(guard.killedFor())));
                }
            }
        }
    }

    private BundleFault costly(ProcessGuard.Reason reason) {
        String message = reason == ProcessGuard.Reason.TIME
                ? "Bundling took longer than " + limit.toSeconds() + " seconds."
                : "Bundling took more memory than a function is given.";
        return BundleFault.of(BundleFault.Kind.TOO_COSTLY, message);
    }

    private BundlerProcess ready() throws IOException {
        Optional<BundlerProcess> kept = takeIdle();
        if (kept.isPresent()) {
            return kept.get();
        }
        BundlerProcess started = BundlerProcess.start(home.get(), policy, scratch());
        try (var guard = ProcessGuard.of(started.process(), START_LIMIT, RESIDENT_BYTES)) {
            started.awaitReady();
            return started;
        } catch (IOException e) {
            started.kill();
            throw e;
        }
    }

    private synchronized Optional<BundlerProcess> takeIdle() {
        for (Idle found = idle.pollFirst(); found != null; found = idle.pollFirst()) {
            // The handle asks the kernel; Process itself learns of a death only when its reaper thread has run.
            if (found.process().process().toHandle().isAlive()) {
                return Optional.of(found.process());
            }
        }
        return Optional.empty();
    }

    private synchronized void giveBack(BundlerProcess process, boolean sound) {
        if (closed || !sound || ProcessGuard.residentBytes(process.process()) > RECYCLE_BYTES) {
            process.kill();
            return;
        }
        idle.addFirst(new Idle(process, System.nanoTime()));
    }

    /** Ends processes that nobody has used for a while. */
    synchronized void dropIdle() {
        long now = System.nanoTime();
        idle.removeIf(found -> {
            boolean old = now - found.since() > KEPT_IDLE.toNanos();
            if (old) {
                found.process().kill();
            }
            return old;
        });
    }

    private static Map<String, Object> job(BundleRequest request) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("name", request.name());
        job.put("entrypoint", request.entrypoint());
        job.put("source", request.source());
        job.put(
                "files",
                request.files().entrySet().stream()
                        .map(file -> List.of(file.getKey(), file.getValue()))
                        .toList());
        job.put("importMap", request.importMap().orElse(null));
        job.put("limit", BUNDLE_BYTES);
        return job;
    }

    private synchronized Path scratch() throws IOException {
        if (scratch == null) {
            scratch = Files.createTempDirectory("svc-bundler-");
        }
        return scratch;
    }

    private synchronized String startFailure() {
        try {
            return scratch == null
                    ? ""
                    : Files.readString(scratch.resolve("bundler.err")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(found -> found.process().kill());
        idle.clear();
        if (scratch != null) {
            ScratchFolder.delete(scratch);
        }
    }
}
