package svc.bench.measure;

import java.util.Comparator;
import java.util.List;

/**
 * One run under load.
 *
 * @param perSecond answers
 * @param p99Millis what 99 of 100 answers took at most; 0 where the tool does not say
 */
public record Measured(double perSecond, double p99Millis) {
    /** Each value's own median. */
    public static Measured median(List<Measured> runs) {
        return new Measured(
                middle(runs.stream().map(Measured::perSecond).toList()),
                middle(runs.stream().map(Measured::p99Millis).toList()));
    }

    private static double middle(List<Double> values) {
        return values.stream().sorted(Comparator.naturalOrder()).toList().get(values.size() / 2);
    }
}
