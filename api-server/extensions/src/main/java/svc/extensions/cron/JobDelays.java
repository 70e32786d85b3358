package svc.extensions.cron;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * When jobs last waited for nothing but a place of the platform: their project must not lose a time by it. Kept for the projects
 * of the current round of turns. Used by one thread.
 */
final class JobDelays {
    private final Map<String, Map<Job.Key, Instant>> projects = new HashMap<>();
    private final Set<String> seen = new HashSet<>();

    Map<Job.Key, Instant> of(String schema) {
        seen.add(schema);
        return projects.getOrDefault(schema, Map.of());
    }

    void set(String schema, Map<Job.Key, Instant> delayed) {
        if (delayed.isEmpty()) {
            projects.remove(schema);
        } else {
            projects.put(schema, delayed);
        }
    }

    /** A round has ended: forgets projects that it has not seen. */
    void forgetOlder() {
        projects.keySet().retainAll(seen);
        seen.clear();
    }
}
