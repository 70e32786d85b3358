package svc.storage.object;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import svc.storage.http.StorageCall;
import svc.storage.rows.ObjectRow;

/** Conditional requests (RFC 9110, 13). */
public final class Conditions {
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Conditions() {}

    /** As headers have it. */
    public static String date(Instant time) {
        return HTTP_DATE.format(time);
    }

    /** Whether the client has this file already. */
    static boolean isKnown(StorageCall call, ObjectRow row) {
        Optional<String> tags = call.header("if-none-match");
        if (tags.isPresent()) {
            return matches(tags.get(), row.etag());
        }
        return call.header("if-modified-since")
                .flatMap(Conditions::parse)
                .filter(since -> !row.modified().truncatedTo(ChronoUnit.SECONDS).isAfter(since))
                .isPresent();
    }

    /** Whether a range is wanted of the file as it is now. */
    static boolean rangeApplies(StorageCall call, ObjectRow row) {
        Optional<String> condition = call.header("if-range").map(String::strip);
        if (condition.isEmpty()) {
            return true;
        }
        String given = condition.get();
        return given.startsWith("\"")
                ? given.equals(row.etag())
                : parse(given)
                        .filter(time -> time.equals(row.modified().truncatedTo(ChronoUnit.SECONDS)))
                        .isPresent();
    }

    /** Whether a list of entity tags, or {@code *}, has this one. */
    public static boolean matches(String header, String etag) {
        if (header.strip().equals("*")) {
            return true;
        }
        for (String tag : header.split(",")) {
            String bare = tag.strip();
            if ((bare.startsWith("W/") ? bare.substring(2) : bare).equals(etag)) {
                return true;
            }
        }
        return false;
    }

    /** The time of a header; empty for what is none. */
    public static Optional<Instant> parse(String date) {
        try {
            return Optional.of(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
