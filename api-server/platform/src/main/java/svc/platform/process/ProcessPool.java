package svc.platform.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * A few child processes, each for one caller at a time. A process that ends, hangs or grows is killed and replaced. Callers
 * have a place of a {@link svc.platform.budget.SharedPlaces}, which has as many as there are processes: they wait for a
 * process that is being replaced, not for each other.
 */
public final class ProcessPool<P extends PooledProcess> implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ProcessPool.class);
    private static final int ERROR_CHARACTERS = 500;

    private final PoolSettings settings;
    private final Launcher<P> launcher;
    private final ProcessWatch watch;
    private final BlockingDeque<ProcessSlot<P>> free = new LinkedBlockingDeque<>();
    private final List<ProcessSlot<P>> slots = new ArrayList<>();
    private ProcessFolder scratch;
    private volatile boolean closed;

    /** Starts a process, without waiting until it is ready. */
    @FunctionalInterface
    public interface Launcher<P> {
        /** @param scratch a folder that all processes of the pool share */
        P launch(Path scratch) throws IOException;
    }

    /** Makes a pool; one that starts eagerly begins with that in the background. */
    public ProcessPool(PoolSettings settings, Launcher<P> launcher) {
        this.settings = settings;
        this.launcher = launcher;
        this.watch = new ProcessWatch(settings.name());
        for (int i = 0; i < settings.processes(); i++) {
            var slot = new ProcessSlot<P>();
            slots.add(slot);
            if (settings.startsEagerly()) {
                replaceAndFree(slot);
            } else {
                free.addLast(slot);
            }
        }
    }

    /** Lends a process; waits while it is being replaced. Empty when that takes too long, or the pool is closed. */
    public Optional<ProcessLease<P>> acquire() {
        if (closed) {
            return Optional.empty();
        }
        try {
            ProcessSlot<P> slot = free.pollFirst(settings.queueTimeout().toMillis(), TimeUnit.MILLISECONDS);
            if (slot != null) {
                return Optional.of(new ProcessLease<>(this, slot));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }

    /** Lends a process that is free now. A caller that holds one already must not wait for another. */
    public Optional<ProcessLease<P>> tryAcquire() {
        if (closed) {
            return Optional.empty();
        }
        return Optional.ofNullable(free.pollFirst()).map(found -> new ProcessLease<>(this, found));
    }

    public boolean isClosed() {
        return closed;
    }

    /** Process ids of the processes that are up. */
    public List<Long> processIds() {
        return slots.stream()
                .flatMap(slot -> slot.live().stream())
                .map(process -> process.child().pid())
                .toList();
    }

    <T> ProcessOutcome<T> run(ProcessSlot<P> slot, ProcessLimits limits, ProcessLease.Work<P, T> work) {
        P process;
        try {
            process = live(slot);
        } catch (IOException | IllegalStateException e) {
            return new ProcessOutcome.NotStarted<>(e);
        }
        ProcessWatch.Guard guard = watch.guard(process.child(), limits);
        try (guard) {
            return new ProcessOutcome.Completed<>(work.ask(process));
        } catch (IOException e) {
            slot.kill();
            return new ProcessOutcome.Failed<>(guard.killedFor(), e);
        } finally {
            guard.close();
            if (guard.killedFor().isPresent()) {
                slot.kill();
            }
        }
    }

    private P live(ProcessSlot<P> slot) throws IOException {
        Optional<P> live = slot.live();
        if (live.isPresent()) {
            return live.get();
        }
        P started = start();
        slot.fill(started);
        return started;
    }

    private P start() throws IOException {
        if (closed) {
            throw new IOException("the pool is closed");
        }
        P process = launcher.launch(scratch());
        try (var guard = watch.guard(process.child(), settings.startLimits())) {
            process.awaitReady();
            return process;
        } catch (IOException e) {
            process.child().kill();
            throw new IOException("while starting a " + settings.name() + standardError(), e);
        }
    }

    private synchronized Path scratch() throws IOException {
        if (scratch == null) {
            scratch = ProcessFolder.create("svc-process-");
        }
        return scratch.path();
    }

    private String standardError() {
        try {
            String text = Files.readString(scratch().resolve(SandboxProgram.ERROR_FILE))
                    .strip();
            return text.isEmpty() ? "" : ": " + text.substring(Math.max(0, text.length() - ERROR_CHARACTERS));
        } catch (IOException e) {
            return "";
        }
    }

    /** @param sound whether everything that was asked of the process was answered */
    void release(ProcessSlot<P> slot, boolean sound) {
        if (settings.startsEagerly()) {
            // Not on the caller's thread: the caller has its answer.
            Thread.ofVirtual().name("release-" + settings.name()).start(() -> takeBackEager(slot, sound));
        } else {
            takeBackIdle(slot, sound);
        }
    }

    private void takeBackEager(ProcessSlot<P> slot, boolean sound) {
        if (sound && slot.reset(settings.recycleBytes())) {
            // Behind the others, which have had longer to prepare for their next caller.
            free.addLast(slot);
        } else {
            replaceAndFree(slot);
        }
    }

    /** The slot used last comes first, so that the others may grow idle. */
    private void takeBackIdle(ProcessSlot<P> slot, boolean sound) {
        if (sound && !closed && slot.reset(settings.recycleBytes())) {
            free.addFirst(slot);
        } else {
            slot.kill();
            free.addLast(slot);
        }
    }

    /** In the background: the next caller finds a process that is up already. */
    private void replaceAndFree(ProcessSlot<P> slot) {
        Thread.ofVirtual().name("replace-" + settings.name()).start(() -> {
            try {
                slot.kill();
                if (!closed) {
                    slot.fill(start());
                }
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    LOG.errorf(e, "no %s can be started; the next request tries again", settings.name());
                }
            } finally {
                free.addLast(slot);
                if (closed) {
                    slot.kill();
                }
            }
        });
    }

    /** Ends processes that were not used for the settings' time; called regularly. */
    public void closeIdle() {
        settings.maxIdle().ifPresent(max -> {
            for (ProcessSlot<P> slot : slots) {
                if (slot.isIdleFor(max) && free.remove(slot)) {
                    slot.kill();
                    free.addLast(slot);
                }
            }
        });
    }

    /** Ends all processes; a request that is under way fails. */
    @Override
    public void close() {
        closed = true;
        slots.forEach(ProcessSlot::kill);
        watch.close();
        synchronized (this) {
            if (scratch != null) {
                scratch.close();
            }
        }
    }
}
