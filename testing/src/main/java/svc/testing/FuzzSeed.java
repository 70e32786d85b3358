package svc.testing;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The seed of a test with random input. A run of all tests uses the fixed one, so that a finding is a finding of the change
 * under test; {@code -Dsvc.fuzz.seed=random}, or a number, tries other input.
 */
public final class FuzzSeed {
    private static final String PROPERTY = "svc.fuzz.seed";

    private FuzzSeed() {}

    public static long of(long fixed) {
        String chosen = System.getProperty(PROPERTY, Long.toString(fixed));
        return chosen.equals("random") ? ThreadLocalRandom.current().nextLong() : Long.parseLong(chosen);
    }
}
