package svc.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Measures the sequential stages of one request for the header {@code Server-Timing}. */
final class ServerTiming {
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final List<Lap> laps = new ArrayList<>(5);
    private long from = System.nanoTime();

    private record Lap(String stage, long nanos) {}

    /** @param admissionNanos duration of the token's verification, in nanoseconds */
    ServerTiming(long admissionNanos) {
        laps.add(new Lap("jwt", admissionNanos));
    }

    /** Ends a stage. */
    void lap(String stage) {
        long now = System.nanoTime();
        laps.add(new Lap(stage, now - from));
        from = now;
    }

    /** In milliseconds, in PostgREST's order. */
    String header() {
        return laps.stream()
                .map(lap -> String.format(Locale.ROOT, "%s;dur=%.1f", lap.stage(), lap.nanos() / NANOS_PER_MILLI))
                .collect(Collectors.joining(", "));
    }
}
