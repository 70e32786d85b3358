package svc.auth;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Starts at the present and moves only on demand. */
final class MovableClock extends Clock {
    /** Whole milliseconds, because PostgreSQL rounds to microseconds. */
    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public Instant instant() {
        return now;
    }
}
