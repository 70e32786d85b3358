package svc.storage.image;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A few turns that projects take by rotation: a project with many images waits for itself, not the others for it. One
 * project never holds the last turn, where there are several. Thread-safe.
 */
final class RenderTurns {
    /** Turns that a project gets one after the other: a process of another project must be started anew. */
    private static final int STREAK = 4;

    /** A streak ends with the turn that exceeds this time: an image in AVIF takes as long as a hundred thumbnails. */
    private static final long STREAK_NANOS = 500_000_000;

    private final int share;
    private final int waitingOfOne;
    private final int waitingOfAll;
    private final Duration patience;
    private final LongSupplier nanos;
    private final Map<String, Queue<CompletableFuture<Boolean>>> waiting = new LinkedHashMap<>();
    private final Map<String, Integer> held = new HashMap<>();
    private int free;
    private int waiters;
    private String last = "";
    private int streak;
    private long streakNanos;

    /**
     * @param waitingOfOne callers of one project that may wait; one more is turned away
     * @param waitingOfAll of all projects
     */
    RenderTurns(int turns, int waitingOfOne, int waitingOfAll, Duration patience) {
        this(turns, waitingOfOne, waitingOfAll, patience, System::nanoTime);
    }

    RenderTurns(int turns, int waitingOfOne, int waitingOfAll, Duration patience, LongSupplier nanos) {
        this.free = turns;
        this.share = Math.max(1, turns - 1);
        this.waitingOfOne = waitingOfOne;
        this.waitingOfAll = waitingOfAll;
        this.patience = patience;
        this.nanos = nanos;
    }

    /** A turn of a project, until it is closed. */
    final class Turn implements AutoCloseable {
        private final String project;
        private final long begun = nanos.getAsLong();

        private Turn(String project) {
            this.project = project;
        }

        @Override
        public void close() {
            release(project, nanos.getAsLong() - begun);
        }
    }

    /** Waits for a turn. Empty when too many wait, or this one did for too long. */
    Optional<Turn> take(String project) {
        var granted = new CompletableFuture<Boolean>();
        synchronized (this) {
            int own = waiting.containsKey(project) ? waiting.get(project).size() : 0;
            if (own >= waitingOfOne || waiters >= waitingOfAll) {
                return Optional.empty();
            }
            waiting.computeIfAbsent(project, unused -> new ArrayDeque<>()).add(granted);
            waiters++;
            grant();
        }
        try {
            granted.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.of(new Turn(project));
        } catch (TimeoutException e) {
            return giveUp(project, granted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveUp(project, granted).ifPresent(Turn::close);
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a turn never fails", e);
        }
    }

    /** The turn, if it was granted in this moment. */
    private synchronized Optional<Turn> giveUp(String project, CompletableFuture<Boolean> granted) {
        if (granted.isDone()) {
            return Optional.of(new Turn(project));
        }
        Queue<CompletableFuture<Boolean>> own = waiting.get(project);
        own.remove(granted);
        waiters--;
        if (own.isEmpty()) {
            waiting.remove(project);
        }
        return Optional.empty();
    }

    private synchronized void release(String project, long used) {
        free++;
        if (project.equals(last)) {
            streakNanos += used;
        }
        held.computeIfPresent(project, (unused, count) -> count == 1 ? null : count - 1);
        grant();
    }

    private void grant() {
        for (Optional<String> next = next(); free > 0 && next.isPresent(); next = next()) {
            String project = next.get();
            Queue<CompletableFuture<Boolean>> own = waiting.remove(project);
            CompletableFuture<Boolean> first = own.remove();
            if (!own.isEmpty()) {
                // Behind the others.
                waiting.put(project, own);
            }
            boolean again = project.equals(last);
            streak = again ? streak + 1 : 1;
            streakNanos = again ? streakNanos : 0;
            last = project;
            waiters--;
            free--;
            held.merge(project, 1, Integer::sum);
            first.complete(true);
        }
    }

    private Optional<String> next() {
        if (streak < STREAK && streakNanos < STREAK_NANOS && waiting.containsKey(last) && mayTake(last)) {
            return Optional.of(last);
        }
        // Another one, if there is one: also where a long turn has ended the streak early.
        return waiting.keySet().stream()
                .filter(this::mayTake)
                .min(Comparator.comparing(project -> project.equals(last)));
    }

    private boolean mayTake(String project) {
        return held.getOrDefault(project, 0) < share;
    }

    /** Callers that wait. */
    synchronized int waiters() {
        return waiters;
    }
}
