package svc.auth.model;

import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * A time as PostgreSQL writes it in JSON. The text is kept, because answers repeat it digit by digit; it is parsed only for
 * a decision.
 */
public record Timestamp(String text) {
    private static final String UTC = "+00:00";

    /** Of ISO 8601 without a sign. */
    private static final int YEAR_DIGITS = 4;

    public static Timestamp of(Instant instant) {
        return new Timestamp(instant.toString());
    }

    /** {@code infinity}, which PostgreSQL allows, is the end of all time; so are years beyond 9999 and before Christ. */
    public Instant instant() {
        if (text.endsWith(" BC")) {
            return Instant.MIN;
        }
        if (text.indexOf('-') > YEAR_DIGITS) {
            return Instant.MAX;
        }
        return switch (text) {
            case "infinity" -> Instant.MAX;
            case "-infinity" -> Instant.MIN;
            default -> OffsetDateTime.parse(text).toInstant();
        };
    }

    /** PostgreSQL writes the zone of UTC as an offset; GoTrue, and clients that compare texts, with Z. */
    public String json() {
        return text.endsWith(UTC) ? text.substring(0, text.length() - UTC.length()) + "Z" : text;
    }
}
