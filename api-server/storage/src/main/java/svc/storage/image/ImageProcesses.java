package svc.storage.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import svc.platform.process.KillReason;
import svc.platform.process.ProcessFolder;
import svc.platform.process.ProcessLimits;
import svc.platform.process.ProcessOutcome;
import svc.platform.process.ProcessWatch;
import svc.platform.process.SandboxHome;
import svc.platform.process.SandboxProgram;

/**
 * The processes that decode images. A process sees the images of one project alone: what a misled decoder keeps can reach
 * no other. Beside those that work, one that has seen none is ready for a project that comes next. None is kept that was
 * not used for a while.
 *
 * <p>How many work at the same time is the caller's to limit.
 */
final class ImageProcesses implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ImageProcesses.class);
    private static final String NAME = "image decoder";
    private static final int ERROR_CHARACTERS = 500;
    private static final ProcessLimits START = new ProcessLimits(Duration.ofSeconds(30), 512L << 20);

    private final Supplier<SandboxHome> home;
    private final ImageLimits limits;
    private final Executor threads;
    private final ProcessWatch watch = new ProcessWatch(NAME);
    private final List<Idle> idle = new ArrayList<>();
    private final List<ImageProcess> working = new ArrayList<>();
    private final AtomicBoolean closingPlanned = new AtomicBoolean();
    private ProcessFolder scratch;
    private boolean preparing;
    private boolean closed;

    ImageProcesses(Supplier<SandboxHome> home, ImageLimits limits, Executor threads) {
        this.home = home;
        this.limits = limits;
        this.threads = threads;
    }

    /** @param project empty for a process that has seen no image */
    private record Idle(ImageProcess process, Optional<String> project, long since) {}

    /** One job. */
    @FunctionalInterface
    interface Work<T> {
        /** @throws IOException when the process ends or violates its protocol; it is killed then */
        T ask(ImageProcess process) throws IOException;
    }

    /** Has a process of the project work within the limits. What the work throws ends the process. */
    <T> ProcessOutcome<T> run(String project, Work<T> work) {
        ImageProcess process;
        try {
            process = take(project);
        } catch (IOException | IllegalStateException e) {
            return new ProcessOutcome.NotStarted<>(e);
        }
        boolean sound = false;
        ProcessWatch.Guard guard = watch.guard(process.child(), limits.job());
        try (guard) {
            T answer = work.ask(process);
            sound = true;
            return new ProcessOutcome.Completed<>(answer);
        } catch (IOException e) {
            return new ProcessOutcome.Failed<>(guard.killedFor(), e);
        } finally {
            guard.close();
            giveBack(process, project, sound && guard.killedFor().isEmpty());
        }
    }

    private ImageProcess take(String project) throws IOException {
        synchronized (this) {
            if (closed) {
                throw new IOException("the service ends");
            }
            Optional<Idle> found = idleOf(Optional.of(project)).or(() -> idleOf(Optional.empty()));
            if (found.isPresent()) {
                idle.remove(found.get());
                working.add(found.get().process());
                return found.get().process();
            }
            // Another project's makes room.
            if (idle.size() + working.size() >= limits.workers() && !idle.isEmpty()) {
                idle.removeFirst().process().child().kill();
            }
        }
        ImageProcess started = start();
        synchronized (this) {
            working.add(started);
        }
        return started;
    }

    private Optional<Idle> idleOf(Optional<String> project) {
        return idle.stream()
                .filter(one -> one.project().equals(project))
                .filter(one -> one.process().child().isAlive())
                .findFirst();
    }

    private void giveBack(ImageProcess process, String project, boolean sound) {
        boolean kept = sound && process.child().residentBytes() <= limits.recycleBytes();
        synchronized (this) {
            working.remove(process);
            if (kept && !closed) {
                idle.add(new Idle(process, Optional.of(project), System.nanoTime()));
            }
            idle.removeIf(one -> !one.process().child().isAlive());
            // One of each project that works now, and a fresh one.
            while (idle.size() + working.size() > limits.workers() + 1
                    || idle.stream().filter(one -> one.project().isPresent()).count() > limits.workers()) {
                idle.removeFirst().process().child().kill();
            }
        }
        if (!kept) {
            process.child().kill();
        }
        prepareNext();
        closeIdleLater();
    }

    /** Starts the process of the project that comes next, in the background. */
    private void prepareNext() {
        synchronized (this) {
            if (closed
                    || preparing
                    || !limits.spare()
                    || idleOf(Optional.empty()).isPresent()) {
                return;
            }
            preparing = true;
        }
        threads.execute(() -> {
            try {
                ImageProcess started = start();
                synchronized (this) {
                    if (!closed) {
                        idle.add(new Idle(started, Optional.empty(), System.nanoTime()));
                        return;
                    }
                }
                started.child().kill();
            } catch (IOException | RuntimeException e) {
                LOG.debugf(e, "no %s can be started; the next image tries again", NAME);
            } finally {
                synchronized (this) {
                    preparing = false;
                }
            }
        });
    }

    private ImageProcess start() throws IOException {
        ImageProcess process = ImageProcess.launch(home.get(), scratch());
        ProcessWatch.Guard guard = watch.guard(process.child(), START);
        try (guard) {
            process.awaitReady();
            return process;
        } catch (IOException e) {
            process.child().kill();
            Optional<KillReason> reason = guard.killedFor();
            throw new IOException(
                    "while starting an " + NAME + reason.map(why -> ": " + why).orElse("") + said(), e);
        }
    }

    private String said() {
        try {
            String text = Files.readString(scratch().resolve(SandboxProgram.ERROR_FILE))
                    .strip();
            return text.isEmpty() ? "" : ": " + text.substring(Math.max(0, text.length() - ERROR_CHARACTERS));
        } catch (IOException e) {
            return "";
        }
    }

    private synchronized Path scratch() throws IOException {
        if (scratch == null) {
            scratch = ProcessFolder.create("svc-image-");
        }
        return scratch.path();
    }

    private void closeIdleLater() {
        if (closingPlanned.compareAndSet(false, true)) {
            CompletableFuture.delayedExecutor(limits.idle().toMillis(), TimeUnit.MILLISECONDS, threads)
                    .execute(this::closeIdle);
        }
    }

    private void closeIdle() {
        closingPlanned.set(false);
        long now = System.nanoTime();
        boolean some;
        synchronized (this) {
            idle.removeIf(one -> {
                boolean over = now - one.since() >= limits.idle().toNanos();
                if (over) {
                    one.process().child().kill();
                }
                return over;
            });
            some = !idle.isEmpty();
        }
        if (some) {
            closeIdleLater();
        }
    }

    /** Process ids of all processes. */
    synchronized List<Long> processIds() {
        List<Long> ids = new ArrayList<>();
        idle.forEach(one -> ids.add(one.process().child().pid()));
        working.forEach(one -> ids.add(one.child().pid()));
        return ids;
    }

    /** Process ids of those that work. */
    synchronized List<Long> workingIds() {
        return working.stream().map(one -> one.child().pid()).toList();
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(one -> one.process().child().kill());
        working.forEach(one -> one.child().kill());
        watch.close();
        if (scratch != null) {
            scratch.close();
        }
    }
}
