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
 * Limits the log lines of one function on this instance: a burst, then a rate per second. Lines beyond it are dropped,
 * and a line in their place says so. A function that floods its log loses its own lines and slows down no other.
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

    /** The accepted lines, including the line about dropped ones. */
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
                            "log lines were dropped: the limit is " + PER_SECOND + " per second"));
        }
        return kept;
    }
}
