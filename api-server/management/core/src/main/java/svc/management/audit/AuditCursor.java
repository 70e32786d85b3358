package svc.management.audit;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/** The position after the last row of a page; rows written since do not move it. */
record AuditCursor(Instant startedAt, UUID id) {
    private static final int MAX_LENGTH = 120;

    /** PostgreSQL rejects some years that Java accepts. */
    private static final Pattern YEAR_OF_FOUR_DIGITS = Pattern.compile("\\d{4}-.*");

    /** Opaque to callers; safe in a URL. */
    String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((startedAt + " " + id).getBytes(StandardCharsets.US_ASCII));
    }

    /** Empty for text that {@link #text()} does not produce. */
    static Optional<AuditCursor> parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII).split(" ", -1);
            if (parts.length != 2) {
                return Optional.empty();
            }
            var cursor = new AuditCursor(Instant.parse(parts[0]), UUID.fromString(parts[1]));
            return cursor.text().equals(text) && YEAR_OF_FOUR_DIGITS.matches(parts[0])
                    ? Optional.of(cursor)
                    : Optional.empty();
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
