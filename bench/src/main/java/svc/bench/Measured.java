package svc.e2e.bench;

import java.util.Comparator;
import java.util.List;

/**
 * One run under load.
 *
 * @param perSecond answers
 * @param p99Millis what 99 of 100 answers took at most; 0 where the tool does not say
 */
record Measured(double perSecond, double p99Millis) {
    /** Each value's own median. */
    static Measured median(List<Measured> runs) {
        return new Measured(
                middle(runs.stream().map(Measured::perSecond).toList()),
                middle(runs.stream().map(Measured::p99Millis).toList()));
    }

    private static double middle(List<Double> values) {
        return values.stream().sorted(Comparator.naturalOrder()).toList().get(values.size() / 2);
    }
}
