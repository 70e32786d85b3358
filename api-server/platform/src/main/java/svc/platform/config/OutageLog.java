package svc.platform.config;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides which failures of one outage are worth a line: the first of each cause, then one in five seconds. While a
 * database is away every request fails alike, and a line for each would bury everything else.
 */
public final class OutageLog {
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** More causes at once than this are not told apart: memory stays bounded whatever a cause is called. */
    private static final int MAX_CAUSES = 1_000;

    private record Told(Instant at, long untold) {}

    private final Map<String, Told> told = new ConcurrentHashMap<>();
    private final Clock clock;

    public OutageLog(Clock clock) {
        this.clock = clock;
    }

    /**
     * The line to log now, or empty when this cause was logged a moment ago.
     *
     * @param cause what makes two failures the same
     * @param text brought into one line; how many failures went untold is added
     */
    public Optional<String> line(String cause, String text) {
        Instant now = clock.instant();
        if (told.size() >= MAX_CAUSES) {
            told.values().removeIf(last -> over(last, now));
        }
        String key = told.size() >= MAX_CAUSES && !told.containsKey(cause) ? "" : cause;
        var untold = new long[] {-1};
        told.compute(key, (unused, last) -> {
            if (last != null && !over(last, now)) {
                return new Told(last.at(), last.untold() + 1);
            }
            untold[0] = last == null ? 0 : last.untold();
            return new Told(now, 0);
        });
        if (untold[0] < 0) {
            return Optional.empty();
        }
        String line = text.replaceAll("\\s+", " ").strip();
        return Optional.of(untold[0] == 0 ? line : line + " (and " + untold[0] + " more like it before)");
    }

    private static boolean over(Told last, Instant now) {
        return !now.isBefore(last.at().plus(QUIET));
    }
}
