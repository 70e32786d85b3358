package svc.embedded.kubernetes.table;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** How long ago, in the short form of kubectl: two units at most, and one when the larger says enough. */
final class Age {
    private Age() {}

    /** The age of a timestamp; {@code <unknown>} when it is none. */
    static String of(String timestamp, Instant now) {
        try {
            return of(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException e) {
            return "<unknown>";
        }
    }

    static String of(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        if (seconds < 120) {
            return seconds + "s";
        }
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        if (days < 8) {
            return two(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        return two(days / 365, "y", days % 365, "d");
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : small + smallUnit);
    }
}
