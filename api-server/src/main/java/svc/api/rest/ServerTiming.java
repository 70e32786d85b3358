package svc.api.rest;

import java.util.Locale;

/** How long the stages of one request took, for the header {@code Server-Timing}. Of one thread. */
final class ServerTiming {
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final StringBuilder header = new StringBuilder();
    private long from = System.nanoTime();

    /** The stage that is over now. */
    void lap(String stage) {
        long now = System.nanoTime();
        header.append(header.isEmpty() ? "" : ", ")
                .append(stage)
                .append(String.format(Locale.ROOT, ";dur=%.1f", (now - from) / NANOS_PER_MILLI));
        from = now;
    }

    /** In milliseconds, in PostgREST's order. */
    String header() {
        return header.toString();
    }
}
