package svc.postgres.script;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the sessions of each owner, of which a project has a few at a time; a script that finds no place waits a little. */
final class RunPlaces {
    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(10);

    private final int perProject;
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();

    RunPlaces(int perProject) {
        this.perProject = perProject;
    }

    /** Takes a place, unless all of the owner's are taken. */
    boolean take(OwnerLogin owner) {
        int[] before = new int[1];
        taken.compute(owner.toString(), (key, count) -> {
            before[0] = count == null ? 0 : count;
            return before[0] < perProject ? Integer.valueOf(before[0] + 1) : count;
        });
        return before[0] < perProject;
    }

    /**
     * The same, but waits for a place: scripts that the gate refused give theirs back when their login has ended, which
     * takes longer than their answers.
     */
    boolean takeSoon(OwnerLogin owner) throws InterruptedIOException {
        long end = System.nanoTime() + WAIT.toNanos();
        while (!take(owner)) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(POLL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("while waiting for a place");
            }
        }
        return true;
    }

    void giveBack(OwnerLogin owner) {
        taken.merge(owner.toString(), -1, (a, b) -> a + b == 0 ? null : a + b);
    }
}
