package svc.platform.ratelimit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/** The sliding window of this instance's own calls, in memory. Independent of changes of the wall clock. */
final class LocalWindow {
    private static final int MAX_SUBJECTS = 100_000;

    private final Duration window;
    private final Cache<Subject, Deque<Long>> calls;

    LocalWindow(Duration window) {
        this.window = window;
        this.calls = Caffeine.newBuilder()
                .maximumSize(MAX_SUBJECTS)
                .expireAfterAccess(window)
                .build();
    }

    /** The calls of one subject are counted together. */
    private record Subject(UUID projectId, String text) {}

    void forget(UUID projectId, String subject) {
        calls.invalidate(new Subject(projectId, subject));
    }

    /** Removes the last allowed call: another instance's count refused it. */
    void takeBack(UUID projectId, String subject) {
        Deque<Long> times = calls.getIfPresent(new Subject(projectId, subject));
        if (times != null) {
            synchronized (times) {
                times.pollLast();
            }
        }
    }

    RateDecision count(UUID projectId, String subject, int limit) {
        Deque<Long> times = calls.get(new Subject(projectId, subject), key -> new ArrayDeque<>());
        synchronized (times) {
            long now = System.nanoTime();
            while (!times.isEmpty() && now - times.peekFirst() >= window.toNanos()) {
                times.removeFirst();
            }
            boolean allowed = times.size() < limit;
            if (allowed) {
                times.addLast(now);
            }
            return new RateDecision(
                    allowed, limit, Math.max(0, limit - times.size()), window.minusNanos(now - times.peekFirst()));
        }
    }
}
