package svc.sqlgate.parser;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Kills a process that works for longer or holds more memory than it may, which ends the wait of whoever uses it. */
final class ProcessWatch implements AutoCloseable {
    private static final Duration SAMPLING = Duration.ofMillis(50);

    private final long residentBytes;
    private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
    private final ScheduledFuture<?> sampling;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("watch-sql-parsers").factory());

    ProcessWatch(long residentBytes) {
        this.residentBytes = residentBytes;
        this.sampling = clock.scheduleWithFixedDelay(
                () -> guards.forEach(this::sample), SAMPLING.toMillis(), SAMPLING.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Watches a process until the guard is closed.
     *
     * @param work processor time that it may use meanwhile
     * @param deadline by the clock
     */
    Guard guard(ParserProcess process, Duration work, Duration deadline) {
        var guard = new Guard(process, work);
        guard.timeout =
                clock.schedule(() -> guard.kill(RefusedReason.STARVED), deadline.toMillis(), TimeUnit.MILLISECONDS);
        guards.add(guard);
        return guard;
    }

    private void sample(Guard guard) {
        if (guard.process.residentBytes() > residentBytes) {
            guard.kill(RefusedReason.TOO_DEEP);
        } else if (guard.workedTooLong()) {
            guard.kill(RefusedReason.TOO_SLOW);
        }
    }

    @Override
    public void close() {
        sampling.cancel(false);
        clock.shutdownNow();
    }

    /** One piece of work under watch. */
    final class Guard implements AutoCloseable {
        private final ParserProcess process;
        private final Duration work;
        private ScheduledFuture<?> timeout;
        private Duration workedBefore;
        private volatile RefusedReason killedFor;
        private boolean over;

        private Guard(ParserProcess process, Duration work) {
            this.process = process;
            this.work = work;
        }

        /** Why the process was killed; empty when it was not, or fell by itself. */
        Optional<RefusedReason> killedFor() {
            return Optional.ofNullable(killedFor);
        }

        /** Counts from the first sample, so a request that is answered before it costs no look at the process. */
        private boolean workedTooLong() {
            Duration worked = process.processorTime();
            if (workedBefore == null) {
                workedBefore = worked;
            }
            return worked.minus(workedBefore).compareTo(work) > 0;
        }

        private synchronized void kill(RefusedReason reason) {
            // Work that has just ended is not punished: the process may be in other hands already.
            if (!over) {
                killedFor = reason;
                process.kill();
            }
        }

        @Override
        public synchronized void close() {
            over = true;
            guards.remove(this);
            timeout.cancel(false);
        }
    }
}
