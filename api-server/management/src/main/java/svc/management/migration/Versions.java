package svc.management.migration;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Versions of those who give none: the time, in UTC, as Supabase's tools write it. */
final class Versions {
    /** More than a project may begin in the seconds that are skipped. */
    static final int ATTEMPTS = 100;

    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss").withZone(ZoneOffset.UTC);

    private Versions() {}

    /** @param attempt how many seconds before it are taken */
    static String at(Instant time, int attempt) {
        return FORM.format(time.plusSeconds(attempt));
    }
}
