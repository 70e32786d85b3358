package svc.realtime.feed;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Changes that subscribers do not get.
 *
 * @param since the first that is missing committed then or later
 */
record Loss(String reason, Instant since) {
    /** What a subscriber hears of it. */
    String text() {
        return reason + "; read again what changed since " + since.truncatedTo(ChronoUnit.MILLIS);
    }
}
