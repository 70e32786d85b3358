package svc.platform.config;

import com.google.re2j.Pattern;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits the log lines of one outage: the first failure of each cause, then one every five seconds. While a
 * database is unreachable every request fails alike, and a line for each would bury everything else.
 */
public final class OutageLog {
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private static final Duration QUIET = Duration.ofSeconds(5);

    /** More causes than this share one entry: memory stays bounded whatever the causes are. */
    private static final int MAX_CAUSES = 1_000;

    private record Logged(Instant at, long suppressed) {}

    private final Map<String, Logged> logged = new ConcurrentHashMap<>();
    private final Clock clock;

    public OutageLog(Clock clock) {
        this.clock = clock;
    }

    /**
     * The line to log now, or empty when this cause was logged a moment ago.
     *
     * @param cause what makes two failures the same
     * @param text put on one line; the number of suppressed failures is appended
     */
    public Optional<String> line(String cause, String text) {
        Instant now = clock.instant();
        if (logged.size() >= MAX_CAUSES) {
            logged.values().removeIf(last -> isOver(last, now));
        }
        String key = logged.size() >= MAX_CAUSES && !logged.containsKey(cause) ? "" : cause;
        var suppressed = new long[] {-1};
        logged.compute(key, (unused, last) -> {
            if (last != null && !isOver(last, now)) {
                return new Logged(last.at(), last.suppressed() + 1);
            }
            suppressed[0] = last == null ? 0 : last.suppressed();
            return new Logged(now, 0);
        });
        if (suppressed[0] < 0) {
            return Optional.empty();
        }
        String line = BLANKS.matcher(text).replaceAll(" ").strip();
        return Optional.of(suppressed[0] == 0 ? line : line + " (and " + suppressed[0] + " more since the last line)");
    }

    private static boolean isOver(Logged last, Instant now) {
        return !now.isBefore(last.at().plus(QUIET));
    }
}
