package svc.database.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What a {@link ProjectRunner} has to do, and in which order: the places of its runs, and the projects that wait for one.
 * Starts nothing and knows no time. Not for use by several threads at once.
 */
final class RunQueue {
    /** Loops and projects whose slowness is remembered; without a maximum, projects that are gone would stay. */
    private static final int MAX_REMEMBERED = 10_000;

    private final RunnerSettings settings;
    private final Map<Key, Entry> entries = new HashMap<>();
    private final Map<Lane, Deque<Entry>> ready = new EnumMap<>(Lane.class);
    private final Map<Lane, Integer> running = new EnumMap<>(Lane.class);
    private final Set<String> runningProjects = new HashSet<>();

    /** Of runs that succeeded, and took long; the others are entries. The oldest is first. */
    private final Set<Key> slow = new LinkedHashSet<>();

    RunQueue(RunnerSettings settings) {
        this.settings = settings;
        for (Lane lane : Lane.values()) {
            ready.put(lane, new ArrayDeque<>());
            running.put(lane, 0);
        }
    }

    private enum Lane {
        PROMPT,
        SLOW
    }

    private enum State {
        READY,
        RUNNING,
        /** Failed, and waits for its next run. */
        DELAYED
    }

    record Key(String loop, String project) {}

    /** A loop's work for one project that is due, or runs. */
    static final class Entry {
        private final Key key;
        private final ProjectLoop loop;
        private State state = State.READY;
        private Lane lane;
        private int failures;
        private boolean again;
        private CompletableFuture<Void> outcome = new CompletableFuture<>();
        private CompletableFuture<Void> next = new CompletableFuture<>();

        private Entry(Key key, ProjectLoop loop, Lane lane) {
            this.key = key;
            this.loop = loop;
            this.lane = lane;
        }

        Key key() {
            return key;
        }

        ProjectLoop loop() {
            return loop;
        }

        /** Consecutive ones. */
        int failures() {
            return failures;
        }

        private CompletableFuture<Void> ended() {
            CompletableFuture<Void> ended = outcome;
            outcome = next;
            next = new CompletableFuture<>();
            again = false;
            return ended;
        }
    }

    /** @return the outcome of the next run that begins from now on */
    CompletableFuture<Void> add(ProjectLoop loop, String project) {
        var key = new Key(loop.name(), project);
        Entry known = entries.get(key);
        if (known != null) {
            known.again = known.state == State.RUNNING;
            return known.again ? known.next : known.outcome;
        }
        var entry = new Entry(key, loop, slow.contains(key) ? Lane.SLOW : Lane.PROMPT);
        entries.put(key, entry);
        enqueue(entry);
        return entry.outcome;
    }

    /** Takes those that have a place now. Passes over no more than there are runs, so this is short. */
    List<Entry> start() {
        List<Entry> started = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            Iterator<Entry> waiting = ready.get(lane).iterator();
            while (running.get(lane) < places(lane) && waiting.hasNext()) {
                Entry entry = waiting.next();
                if (runningProjects.add(entry.key.project())) {
                    waiting.remove();
                    entry.state = State.RUNNING;
                    running.merge(lane, 1, Integer::sum);
                    started.add(entry);
                }
            }
        }
        return started;
    }

    private int places(Lane lane) {
        return lane == Lane.PROMPT ? settings.prompt() : settings.slow();
    }

    /** A run takes long: it moves to the places of the slow ones, if they have one. */
    void leavePlace(Entry entry) {
        if (entry.state == State.RUNNING && entry.lane == Lane.PROMPT && running.get(Lane.SLOW) < settings.slow()) {
            running.merge(Lane.PROMPT, -1, Integer::sum);
            running.merge(Lane.SLOW, 1, Integer::sum);
            entry.lane = Lane.SLOW;
        }
    }

    /** @return the outcome to complete */
    CompletableFuture<Void> succeeded(Entry entry, ProjectLoop.Progress progress, boolean tookLong) {
        release(entry);
        entry.failures = 0;
        entry.lane = tookLong ? Lane.SLOW : Lane.PROMPT;
        remember(entry.key, tookLong);
        boolean more = entry.again || progress == ProjectLoop.Progress.MORE;
        CompletableFuture<Void> outcome = entry.ended();
        if (more) {
            enqueue(entry);
        } else {
            entries.remove(entry.key);
        }
        return outcome;
    }

    private void remember(Key key, boolean tookLong) {
        slow.remove(key);
        if (tookLong) {
            slow.add(key);
            if (slow.size() > MAX_REMEMBERED) {
                slow.remove(slow.iterator().next());
            }
        }
    }

    /** It waits for {@link #comeBack}. Returns the outcome to complete. */
    CompletableFuture<Void> failed(Entry entry) {
        release(entry);
        entry.failures++;
        entry.lane = Lane.SLOW;
        entry.state = State.DELAYED;
        return entry.ended();
    }

    /** The delay after a failure is over. */
    void comeBack(Entry entry) {
        enqueue(entry);
    }

    /** Ends everything; returns the outcomes that will never be. */
    Collection<CompletableFuture<Void>> clear() {
        List<CompletableFuture<Void>> outcomes = new ArrayList<>();
        entries.values().forEach(entry -> {
            outcomes.add(entry.outcome);
            outcomes.add(entry.next);
        });
        entries.clear();
        ready.values().forEach(Deque::clear);
        return outcomes;
    }

    private void enqueue(Entry entry) {
        entry.state = State.READY;
        ready.get(entry.lane).add(entry);
    }

    private void release(Entry entry) {
        running.merge(entry.lane, -1, Integer::sum);
        runningProjects.remove(entry.key.project());
    }
}
