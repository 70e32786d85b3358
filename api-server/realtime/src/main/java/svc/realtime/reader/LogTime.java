package svc.realtime.reader;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times of PostgreSQL's log. */
public final class LogTime {
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private LogTime() {}

    /** @param micros since 2000-01-01 UTC */
    public static Instant of(long micros) {
        return EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
