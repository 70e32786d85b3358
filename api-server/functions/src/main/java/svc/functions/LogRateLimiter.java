package svc.functions;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.functions.log.LogLine;

/**
 * How many lines of one function this instance takes: a burst, and then so many a second. What is beyond is dropped, and a
 * line in its place says so: a function that floods its log is to lose its own lines and nobody's time.
 */
final class LogRateLimiter {
    private static final int BURST = 2_000;
    private static final int PER_SECOND = 200;
    private static final int MAX_FUNCTIONS = 100_000;
    private static final Duration FORGOTTEN = Duration.ofMinutes(5);

    private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
            .maximumSize(MAX_FUNCTIONS)
            .expireAfterAccess(FORGOTTEN)
            .build();

    private static final class Bucket {
        private double left = BURST;
        private long at = System.nanoTime();

        synchronized int take(int wanted) {
            long now = System.nanoTime();
            left = Math.min(BURST, left + (now - at) / 1e9 * PER_SECOND);
            at = now;
            int taken = (int) Math.min(wanted, left);
            left -= taken;
            return taken;
        }
    }

    /** The lines that are kept, a line about the others included. */
    List<LogLine> allow(String function, List<LogLine> lines) {
        int allowed = buckets.get(function, unused -> new Bucket()).take(lines.size());
        if (allowed == lines.size()) {
            return lines;
        }
        List<LogLine> kept = new ArrayList<>(lines.subList(0, allowed));
        if (allowed > 0) {
            kept.set(
                    allowed - 1,
                    new LogLine(
                            Instant.now(),
                            LogLine.Level.WARN,
                            LogLine.Event.ERROR,
                            Optional.empty(),
                            "lines were dropped: more than " + PER_SECOND + " a second"));
        }
        return kept;
    }
}
