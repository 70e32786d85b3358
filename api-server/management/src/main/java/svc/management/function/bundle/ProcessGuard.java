package svc.management.function.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Kills a process that works for longer or holds more memory than it may, which ends the wait of whoever reads from it. */
final class ProcessGuard implements AutoCloseable {
    private static final Duration SAMPLING = Duration.ofMillis(50);
    private static final long PAGE_BYTES = 4096;

    /** Why a process was killed. */
    enum Reason {
        TIME,
        MEMORY
    }

    private final Process process;
    private final Thread watch;
    private volatile Reason killedFor;
    private volatile boolean over;

    private ProcessGuard(Process process, Duration limit, long residentBytes) {
        this.process = process;
        long end = System.nanoTime() + limit.toNanos();
        this.watch = Thread.ofVirtual().name("guard-" + process.pid()).start(() -> watch(end, residentBytes));
    }

    /** Watches a process until the guard is closed. */
    static ProcessGuard of(Process process, Duration limit, long residentBytes) {
        return new ProcessGuard(process, limit, residentBytes);
    }

    private void watch(long end, long residentBytes) {
        while (!over && process.isAlive()) {
            if (System.nanoTime() - end > 0) {
                kill(Reason.TIME);
            } else if (residentBytes(process) > residentBytes) {
                kill(Reason.MEMORY);
            }
            try {
                Thread.sleep(SAMPLING);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private synchronized void kill(Reason reason) {
        // Work that has just ended is not punished: the process may be in other hands already.
        if (!over && killedFor == null) {
            killedFor = reason;
            process.destroyForcibly();
        }
    }

    /** Why the process was killed; null when it was not. */
    Reason killedFor() {
        return killedFor;
    }

    /** Memory that a process holds; 0 once it has ended. */
    static long residentBytes(Process process) {
        try {
            String[] pages = Files.readString(Path.of("/proc", Long.toString(process.pid()), "statm"))
                    .split(" ");
            return Long.parseLong(pages[1]) * PAGE_BYTES;
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public synchronized void close() {
        over = true;
        watch.interrupt();
    }
}
