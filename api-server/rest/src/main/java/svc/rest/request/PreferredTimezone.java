package svc.rest.request;

import com.google.re2j.Pattern;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.rest.error.RestError;

/**
 * The preference {@code timezone}: a name of the time zone database, or an offset, as PostgreSQL's setting takes them: {@code 5.5}
 * is hours east of Greenwich, and {@code +05:30}, in the form of POSIX, hours west.
 */
final class PreferredTimezone {
    static final String NAME = "timezone=";

    /** Java and PostgreSQL use the same time zone database; PostgreSQL ignores case. */
    private static final Set<String> ZONES = ZoneId.getAvailableZoneIds().stream()
            .map(zone -> zone.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());

    /**
     * In the steps of real zones. A session of PostgreSQL keeps each zone that it was given (20 KB), and callers share sessions:
     * with every offset that PostgreSQL accepts, a caller could fill its memory.
     */
    private static final Pattern OFFSET =
            Pattern.compile("[+-]?(?:1[0-8]|0?[0-9])(?::(?:00|15|30|45)|[.](?:0|00|25|5|50|75))?");

    private PreferredTimezone() {}

    /**
     * @param given all preferences of a request; the first time zone counts
     * @throws RestError 22023 for one that does not exist, in PostgreSQL's words
     */
    static Optional<String> of(List<String> given) {
        Optional<String> zone = given.stream()
                .filter(text -> text.startsWith(NAME))
                .map(text -> text.substring(NAME.length()))
                .findFirst();
        zone.filter(text -> !exists(text)).ifPresent(text -> {
            throw new RestError(
                    400,
                    "22023",
                    "invalid value for parameter \"TimeZone\": \"" + text + "\"",
                    Optional.empty(),
                    Optional.empty());
        });
        return zone;
    }

    private static boolean exists(String text) {
        return ZONES.contains(text.toLowerCase(Locale.ROOT))
                || OFFSET.matcher(text).matches();
    }
}
