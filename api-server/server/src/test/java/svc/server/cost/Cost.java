package svc.server.cost;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Map;
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
        Map<Long, Long> before = processorTimes();
        exchange.run();
        return new Cost(Math.max(0, allocated() - bytes), processorTimeSince(before));
    }

    Cost min(Cost other) {
        return new Cost(Math.min(bytes, other.bytes), Math.min(nanos, other.nanos));
    }

    private static long allocated() {
        return THREADS.getTotalThreadAllocatedBytes() - THREADS.getCurrentThreadAllocatedBytes();
    }

    /** By thread. */
    private static Map<Long, Long> processorTimes() {
        Map<Long, Long> times = new HashMap<>();
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null
                    && thread.getThreadId() != Thread.currentThread().threadId()
                    && !BY_THE_CLOCK.contains(thread.getThreadName())) {
                times.put(thread.getThreadId(), Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId())));
            }
        }
        return times;
    }

    /** Of each thread by itself: one that has ended meanwhile would take all its earlier time from the sum. */
    private static long processorTimeSince(Map<Long, Long> before) {
        long sum = 0;
        for (Map.Entry<Long, Long> thread : processorTimes().entrySet()) {
            sum += Math.max(0, thread.getValue() - before.getOrDefault(thread.getKey(), 0L));
        }
        return sum;
    }

    @Override
    public String toString() {
        return bytes / 1_000 + " KB and " + nanos / 1_000_000 + " ms";
    }
}
