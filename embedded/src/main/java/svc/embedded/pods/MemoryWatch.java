package svc.embedded.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Kills processes that exceed their memory limit, where no control group enforces it: polls their resident memory. */
final class MemoryWatch implements AutoCloseable {
    private static final long PAUSE_MILLIS = 200;
    private static final long PAGE_BYTES = 4_096;

    private final Map<Long, Watched> watched = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private record Watched(ProcessHandle process, long limitBytes, Runnable onKill) {}

    MemoryWatch() {
        Thread.ofVirtual().name("function-memory").start(this::watch);
    }

    void add(ProcessHandle process, long limitBytes, Runnable onKill) {
        watched.put(process.pid(), new Watched(process, limitBytes, onKill));
    }

    @Override
    public void close() {
        closed = true;
    }

    private void watch() {
        while (!closed) {
            watched.values().removeIf(each -> !each.process().isAlive());
            for (Watched each : watched.values()) {
                if (residentBytes(each.process().pid()) > each.limitBytes()) {
                    each.onKill().run();
                    each.process().destroyForcibly();
                }
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** 0 for a process that is gone. */
    static long residentBytes(long pid) {
        try {
            String[] pages = Files.readString(Path.of("/proc", Long.toString(pid), "statm"))
                    .split(" ");
            return Long.parseLong(pages[1]) * PAGE_BYTES;
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }
}
