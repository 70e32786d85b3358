package svc.platform.loop;

import io.netty.util.concurrent.EventExecutor;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jboss.logging.Logger;

/**
 * Reports each task that holds an event loop for more than 100 ms: all other connections of the loop wait as long. In tests the
 * processor time of a task counts instead of the time that passes, so that a busy machine makes no task slow, and a task of more
 * than 500 ms is kept for {@link #takeLong}: it fails the test.
 */
@Singleton
public final class LoopWatch implements AutoCloseable {
    /** What takes longer is reported. */
    static final Duration SLOW = Duration.ofMillis(100);

    /** What takes longer fails a test. */
    static final Duration TOO_LONG = Duration.ofMillis(500);

    private static final Logger LOG = Logger.getLogger(LoopWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(50);

    /** Tasks that are kept for a test. */
    private static final int MAX_KEPT = 20;

    private final Map<EventExecutor, WatchedLoop> loops = new ConcurrentHashMap<>();
    private final List<SlowTask> kept = new ArrayList<>();
    private final ToLongFunction<Thread> clock;
    private final boolean keeps;
    private final Thread sampler;

    LoopWatch() {
        this(LaunchMode.current() == LaunchMode.TEST);
    }

    /** @param test whether processor time counts, and long tasks are kept */
    public LoopWatch(boolean test) {
        this.keeps = test;
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        this.clock = test ? thread -> threads.getThreadCpuTime(thread.threadId()) : thread -> System.nanoTime();
        this.sampler = Thread.ofPlatform().name("svc-loop-watch").daemon().unstarted(this::run);
        sampler.start();
    }

    void stop(@Observes ShutdownEvent ending) {
        close();
    }

    /** Ends the thread that samples. */
    @Override
    public void close() {
        sampler.interrupt();
    }

    /** The watch of one loop; the same for all its connections. */
    public WatchedLoop of(EventExecutor loop) {
        return loops.computeIfAbsent(loop, key -> new WatchedLoop(key, clock, SLOW.toNanos(), this::report));
    }

    private void report(SlowTask task) {
        LOG.warn(task.toString());
        if (keeps && task.nanos() > TOO_LONG.toNanos()) {
            synchronized (kept) {
                if (kept.size() < MAX_KEPT) {
                    kept.add(task);
                }
            }
        }
    }

    /** The tasks of more than 500 ms since the last call; only in tests. */
    public List<SlowTask> takeLong() {
        synchronized (kept) {
            List<SlowTask> taken = List.copyOf(kept);
            kept.clear();
            return taken;
        }
    }

    private void run() {
        try {
            long paused = 0;
            while (true) {
                long before = System.nanoTime();
                Thread.sleep(INTERVAL);
                long late = System.nanoTime() - before - INTERVAL.toNanos();
                // A clock of processor time stands still by itself.
                paused += keeps ? 0 : Math.max(0, late);
                for (WatchedLoop loop : loops.values()) {
                    loop.sample(paused);
                }
            }
        } catch (InterruptedException e) {
            // The process ends.
        }
    }
}
