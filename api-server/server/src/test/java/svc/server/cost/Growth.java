package svc.server.cost;

import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Judges one input dimension: an input of four times the size costs at most six times as much, and no byte received costs more
 * than a constant. Bytes allocated decide first; processor time decides only where it is long enough to be measured. The
 * least of several repetitions counts, so that other work of the machine does not.
 */
final class Growth {
    private static final int TIMES = 4;
    private static final int MAX_GROWTH = 6;
    private static final int CLEAR_GROWTH = 2;
    private static final int REPETITIONS = 3;

    /** What seems to grow is measured more often: on a busy machine other work falls into the least of a few. */
    private static final int MAX_REPETITIONS = 8;

    private static final int OTHER_BYTES = 100;

    /** A request without any content may cost so much: hashing a password takes 19 MiB. */
    private static final long FIXED_BYTES = 24_000_000;

    /** Below that a growth says nothing; of short inputs below {@link #FIXED_BYTES}, since services limit their products. */
    private static final long SMALL_BYTES = 2_000_000;

    /** Parsers that stop at their own limits are measured below these, too. */
    private static final int MAX_SHORT = 6_000;

    /** For a byte received: JSON becomes trees of 400; a filter of nine bytes is a condition, a plan, SQL and a parameter: 340. */
    private static final long MAX_BYTES_FOR_A_BYTE = 400;

    /** Below both of these there is nothing to compare. */
    private static final long CHEAP_BYTES_FOR_A_BYTE = 40;

    private static final long CHEAP_NANOS = 28_000_000;
    private static final long MAX_NANOS = 2_000_000_000;

    /** Sends what it is given, and waits until it is answered. */
    @FunctionalInterface
    interface Exchange {
        /** @return whether the server has done the work; false when it refused it because of a limit of calls */
        boolean send(byte[] input);
    }

    private final Exchange exchange;

    Growth(Exchange exchange) {
        this.exchange = exchange;
    }

    /** The same as {@link #problem} for what no parser ends at a limit of its own: in most cases one exchange. */
    Optional<String> problemOfLong(String name, IntFunction<byte[]> input, int size) {
        return compared(name, input, size, SMALL_BYTES);
    }

    /**
     * What is wrong; empty if nothing is.
     *
     * @param input of about so many bytes
     * @param size of the larger one
     */
    Optional<String> problem(String name, IntFunction<byte[]> input, int size) {
        return compared(name, input, Math.min(size, MAX_SHORT), FIXED_BYTES)
                .or(() -> compared(name, input, size, SMALL_BYTES));
    }

    /** @param floor of bytes below which a growth says nothing */
    private Optional<String> compared(String name, IntFunction<byte[]> input, int size, long floor) {
        byte[] large = input.apply(size);
        Cost ofLarge = measured(large);
        if (isCheap(ofLarge, large.length)) {
            return Optional.empty();
        }
        if (ofLarge.nanos() > MAX_NANOS && !ofLarge.equals(Cost.MAX)) {
            return Optional.of(name + ": " + large.length + " bytes cost " + ofLarge);
        }
        byte[] small = input.apply(size / TIMES);
        Cost ofSmall = measured(small);
        Optional<String> why = verdict(ofSmall, ofLarge, large.length, floor);
        int repetitions = isClear(ofSmall, ofLarge) ? 1 : REPETITIONS;
        for (int i = 1; i < repetitions || i < MAX_REPETITIONS && why.isPresent(); i++) {
            // Others than before: what was cached would be compared with what was not.
            ofLarge = ofLarge.min(measured(input.apply(size - i * OTHER_BYTES)));
            ofSmall = ofSmall.min(measured(input.apply((size - i * OTHER_BYTES) / TIMES)));
            why = verdict(ofSmall, ofLarge, large.length, floor);
        }
        String figures = " (" + small.length + " bytes cost " + text(ofSmall) + ", " + large.length + " bytes "
                + text(ofLarge) + ")";
        return why.map(reason -> name + ": " + reason + figures);
    }

    private static String text(Cost cost) {
        return cost.equals(Cost.MAX) ? "nothing that was measured" : cost.toString();
    }

    private Cost measured(byte[] input) {
        boolean[] done = new boolean[1];
        Cost cost = Cost.of(() -> done[0] = exchange.send(input));
        return done[0] ? cost : Cost.MAX;
    }

    /** Hardly any growth: what the exchange costs is not in its bytes, such as the hash of a password. */
    private static boolean isClear(Cost small, Cost large) {
        return !small.equals(Cost.MAX)
                && large.bytes() / CLEAR_GROWTH <= small.bytes()
                && large.nanos() / CLEAR_GROWTH <= small.nanos();
    }

    private static boolean isCheap(Cost cost, int received) {
        return !cost.equals(Cost.MAX)
                && cost.bytes() <= SMALL_BYTES + CHEAP_BYTES_FOR_A_BYTE * received
                && cost.nanos() <= CHEAP_NANOS;
    }

    private static Optional<String> verdict(Cost small, Cost large, int received, long floor) {
        if (large.equals(Cost.MAX) || isCheap(large, received)) {
            return Optional.empty();
        }
        if (large.bytes() > FIXED_BYTES + MAX_BYTES_FOR_A_BYTE * received) {
            return Optional.of("a byte received costs " + large.bytes() / received + " bytes");
        }
        if (large.nanos() > MAX_NANOS) {
            return Optional.of("takes " + large.nanos() / 1_000_000 + " ms of processor time");
        }
        if (small.equals(Cost.MAX)) {
            return Optional.empty();
        }
        if (large.bytes() > floor && large.bytes() / MAX_GROWTH > Math.max(small.bytes(), floor / TIMES)) {
            return Optional.of("memory grows by " + large.bytes() / Math.max(1, small.bytes()));
        }
        if (large.nanos() > CHEAP_NANOS && large.nanos() / MAX_GROWTH > Math.max(small.nanos(), CHEAP_NANOS / TIMES)) {
            return Optional.of("processor time grows by " + large.nanos() / Math.max(1, small.nanos()));
        }
        return Optional.empty();
    }
}
