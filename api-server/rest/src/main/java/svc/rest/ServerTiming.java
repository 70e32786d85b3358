package svc.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How long the stages of one request took, for the header {@code Server-Timing}. Of one request, whose stages follow one another. */
final class ServerTiming {
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final List<Lap> laps = new ArrayList<>(5);
    private long from = System.nanoTime();

    private record Lap(String stage, long nanos) {}

    /** @param admissionNanos what was spent on the caller's token before the request came here */
    ServerTiming(long admissionNanos) {
        laps.add(new Lap("jwt", admissionNanos));
    }

    /** The stage that is over now. */
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
