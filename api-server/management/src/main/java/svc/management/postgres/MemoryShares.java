package svc.management.postgres;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A number of bytes for all clients, and a quarter of it for those of one project. */
final class MemoryShares {
    private final long total;
    private final long perProject;
    private final Map<String, Long> taken = new ConcurrentHashMap<>();
    private long all;

    MemoryShares(long total) {
        this.total = total;
        this.perProject = total / 4;
    }

    /** False, and nothing is taken, if there is not that much left. */
    synchronized boolean take(String project, long bytes) {
        long own = taken.getOrDefault(project, 0L) + bytes;
        if (own > perProject || all + bytes > total) {
            return false;
        }
        all += bytes;
        taken.put(project, own);
        return true;
    }

    synchronized void giveBack(String project, long bytes) {
        all -= bytes;
        taken.computeIfPresent(project, (any, own) -> own <= bytes ? null : Long.valueOf(own - bytes));
    }
}
