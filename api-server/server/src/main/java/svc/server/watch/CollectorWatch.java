package svc.server.watch;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends a process that collects garbage nearly all the time, with the exit code of one that is out of memory: whatever supervises
 * it starts it again. Without a shutdown in order, for which such a process has neither memory nor time.
 */
@Singleton
public final class CollectorWatch {
    /** As {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int EXIT_CODE = 3;

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Collectors that work beside the program name their cycles so: only their pauses hold it up. */
    private static final String CONCURRENT = "Cycles";

    private final CollectionRule rule;
    private final Duration interval;
    private final List<GarbageCollectorMXBean> collectors;

    CollectorWatch() {
        this(new CollectionRule(CollectionRule.WINDOW, CollectionRule.MAX_PART), INTERVAL);
    }

    /** @param interval between two observations */
    CollectorWatch(CollectionRule rule, Duration interval) {
        this.rule = rule;
        this.interval = interval;
        this.collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> !collector.getName().endsWith(CONCURRENT))
                .toList();
    }

    /** Not in tests, whose process is not the platform's. */
    void start(@Observes StartupEvent started) {
        if (LaunchMode.current() == LaunchMode.NORMAL) {
            start();
        }
    }

    void start() {
        // Above the threads that make the garbage.
        Thread.ofPlatform()
                .name("svc-collector-watch")
                .daemon()
                .priority(Thread.MAX_PRIORITY)
                .start(this::run);
    }

    private void run() {
        try {
            while (true) {
                double part = rule.observe(System.nanoTime(), collected());
                if (rule.isDeadly(part)) {
                    end(part);
                }
                Thread.sleep(interval);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long collected() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            // -1 where it is not known.
            millis += Math.max(0, collector.getCollectionTime());
        }
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Not by the log, which may wait for memory. */
    private static void end(double part) {
        System.err.println("svc: garbage collection took " + Math.round(part * 100)
                + " % of the time: the heap is too small for what this process keeps. It ends with code " + EXIT_CODE
                + ", as one that is out of memory.");
        System.err.flush();
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
