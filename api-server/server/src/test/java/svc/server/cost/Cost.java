package svc.server.cost;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Set;

/**
 * What an exchange has cost all threads of this process but the calling one, which is the client.
 *
 * @param bytes allocated
 * @param nanos of processor time; those of compiler and collector are not counted, nor those of threads that work by the clock:
 *     an exchange that waits long for PostgreSQL would seem to cost them
 */
record Cost(long bytes, long nanos) {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The tests' own thread is one of them. */
    private static final Set<String> BY_THE_CLOCK = Set.of(
            "requested-tables",
            "svc-db-clock",
            "svc-loop-watch",
            "watch-SQL parser",
            "watch-image decoder",
            "ForkJoinPool-1-delayScheduler",
            "surefire-forkedjvm-stream-flusher");

    static final Cost MAX = new Cost(Long.MAX_VALUE, Long.MAX_VALUE);

    static Cost of(Runnable exchange) {
        long bytes = allocated();
        long nanos = processorTime();
        exchange.run();
        return new Cost(Math.max(0, allocated() - bytes), Math.max(0, processorTime() - nanos));
    }

    Cost min(Cost other) {
        return new Cost(Math.min(bytes, other.bytes), Math.min(nanos, other.nanos));
    }

    private static long allocated() {
        return THREADS.getTotalThreadAllocatedBytes() - THREADS.getCurrentThreadAllocatedBytes();
    }

    private static long processorTime() {
        long sum = -THREADS.getCurrentThreadCpuTime();
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && !BY_THE_CLOCK.contains(thread.getThreadName())) {
                sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return sum;
    }

    @Override
    public String toString() {
        return bytes / 1_000 + " KB and " + nanos / 1_000_000 + " ms";
    }
}
