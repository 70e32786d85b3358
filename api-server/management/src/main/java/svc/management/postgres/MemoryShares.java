package svc.management.postgres;

import java.util.HashMap;
import java.util.Map;

/** A number of bytes for all clients, a half of it for those of one organisation, and a quarter for those of one project. */
final class MemoryShares {
    private final long total;
    private final Map<String, Long> byProject = new HashMap<>();
    private final Map<String, Long> byOrganization = new HashMap<>();
    private long all;

    MemoryShares(long total) {
        this.total = total;
    }

    /** False, and nothing is taken, if there is not that much left. */
    synchronized boolean take(Places.Holder project, long bytes) {
        long own = byProject.getOrDefault(project.name(), 0L) + bytes;
        long organization = byOrganization.getOrDefault(project.group(), 0L) + bytes;
        if (own > total / 4 || organization > total / 2 || all + bytes > total) {
            return false;
        }
        all += bytes;
        byProject.put(project.name(), own);
        byOrganization.put(project.group(), organization);
        return true;
    }

    synchronized void giveBack(Places.Holder project, long bytes) {
        all -= bytes;
        less(byProject, project.name(), bytes);
        less(byOrganization, project.group(), bytes);
    }

    private static void less(Map<String, Long> taken, String name, long bytes) {
        taken.computeIfPresent(name, (any, own) -> own <= bytes ? null : Long.valueOf(own - bytes));
    }
}
