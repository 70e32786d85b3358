package svc.server.watch;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends a process that collects garbage nearly all the time, with the exit code of one that is out of memory: whatever supervises
 * it starts it again. Without a shutdown in order, for which such a process has neither memory nor time.
 *
 * <p>Hazard: the thread that watches runs while there is no memory. What it needs is made before, and an OutOfMemoryError of
 * its own ends the process as well: otherwise the thread would end, and the process would not.
 */
@Singleton
public final class CollectorWatch {
    /** As {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int EXIT_CODE = 3;

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Collectors that work beside the program name their cycles so: only their pauses hold it up. */
    private static final String CONCURRENT = "Cycles";

    private final CollectionRule rule;
    private final long intervalMillis;
    private final GarbageCollectorMXBean[] collectors;
    private final byte[] lastWords;
    private final FileOutputStream standardError = new FileOutputStream(FileDescriptor.err);

    CollectorWatch() {
        this(new CollectionRule(CollectionRule.WINDOW, CollectionRule.MAX_PART), INTERVAL);
    }

    /** @param interval between two observations */
    CollectorWatch(CollectionRule rule, Duration interval) {
        this.rule = rule;
        this.intervalMillis = interval.toMillis();
        this.collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> !collector.getName().endsWith(CONCURRENT))
                .toArray(GarbageCollectorMXBean[]::new);
        this.lastWords = ("svc: garbage collection took " + rule
                        + ": the heap is too small for what this process keeps. It ends with code " + EXIT_CODE
                        + ", as one that is out of memory.\n")
                .getBytes(StandardCharsets.UTF_8);
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
                if (rule.isDeadly(rule.observe(System.nanoTime(), collected()))) {
                    end();
                }
                Thread.sleep(intervalMillis);
            }
        } catch (OutOfMemoryError e) {
            end();
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
    private void end() {
        try {
            standardError.write(lastWords);
        } catch (IOException | OutOfMemoryError e) {
            // The code says it as well.
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }
}
