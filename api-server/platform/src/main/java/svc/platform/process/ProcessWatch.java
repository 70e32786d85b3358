package svc.platform.process;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Kills a process that exceeds a limit, which ends the wait of its user. One thread samples all processes of a watch. */
public final class ProcessWatch implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ProcessWatch.class);
    private static final Duration SAMPLING = Duration.ofMillis(50);

    private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock;
    private final ScheduledFuture<?> sampling;

    /** @param name of what is watched, for the thread */
    public ProcessWatch(String name) {
        this.clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("watch-" + name).factory());
        this.sampling = clock.scheduleWithFixedDelay(
                () -> guards.forEach(ProcessWatch::sample),
                SAMPLING.toMillis(),
                SAMPLING.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** A failure must not end the schedule: nothing would enforce the limits of the other processes any more. */
    private static void sample(Guard guard) {
        try {
            guard.sample();
        } catch (RuntimeException e) {
            LOG.debug("a process cannot be sampled", e);
        }
    }

    /** Enforces the limits until the guard is closed. */
    public Guard guard(ChildProcess process, ProcessLimits limits) {
        var guard = new Guard(process, limits);
        guard.timeout = clock.schedule(
                () -> guard.kill(KillReason.WALL_TIME), limits.wallTime().toMillis(), TimeUnit.MILLISECONDS);
        guards.add(guard);
        return guard;
    }

    @Override
    public void close() {
        sampling.cancel(false);
        clock.shutdownNow();
    }

    /** One piece of work under watch. */
    public final class Guard implements AutoCloseable {
        private final ChildProcess process;
        private final ProcessLimits limits;
        private ScheduledFuture<?> timeout;
        private Duration timeBefore;
        private volatile KillReason killedFor;
        private boolean closed;

        private Guard(ChildProcess process, ProcessLimits limits) {
            this.process = process;
            this.limits = limits;
        }

        /** Why the process was killed; empty when it was not, or ended by itself. */
        public Optional<KillReason> killedFor() {
            return Optional.ofNullable(killedFor);
        }

        private void sample() {
            if (process.residentBytes() > limits.residentBytes()) {
                kill(KillReason.MEMORY);
            } else if (limits.processorTime().filter(this::exceeded).isPresent()) {
                kill(KillReason.PROCESSOR_TIME);
            }
        }

        /** Counts from the first sample, so that work which ends before it costs no system call for the process. */
        private boolean exceeded(Duration limit) {
            Duration time = process.processorTime();
            if (timeBefore == null) {
                timeBefore = time;
            }
            return time.minus(timeBefore).compareTo(limit) > 0;
        }

        private synchronized void kill(KillReason reason) {
            // Never after the end of the work: the process may serve another caller by then.
            if (!closed && killedFor == null) {
                killedFor = reason;
                process.kill();
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            guards.remove(this);
            timeout.cancel(false);
        }
    }
}
