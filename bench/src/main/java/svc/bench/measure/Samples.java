package svc.bench.measure;

import java.time.Duration;
import java.util.Arrays;

/** Measurements of one thing, in milliseconds. */
public record Samples(double[] sortedMillis) {
    public Samples {
        if (sortedMillis.length == 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        sortedMillis = sortedMillis.clone();
        Arrays.sort(sortedMillis);
    }

    public static Samples of(java.util.Collection<Duration> measured) {
        return new Samples(measured.stream().mapToDouble(d -> d.toNanos() / 1e6).toArray());
    }

    public double mean() {
        return Arrays.stream(sortedMillis).average().orElseThrow();
    }

    public double median() {
        return percentile(50);
    }

    /** The smallest sample that at least {@code percent} of all samples do not exceed (nearest rank). */
    public double percentile(double percent) {
        int rank = (int) Math.ceil(percent / 100 * sortedMillis.length);
        return sortedMillis[Math.max(0, rank - 1)];
    }
}
