package svc.management.migration;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Default versions: the UTC time, in the format of Supabase's tools. */
final class Versions {
    /** More than a project may start in the seconds that are skipped. */
    static final int ATTEMPTS = 100;

    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss").withZone(ZoneOffset.UTC);

    private Versions() {}

    /** @param attempt number of seconds before it that are taken */
    static String at(Instant time, int attempt) {
        return FORM.format(time.plusSeconds(attempt));
    }
}
