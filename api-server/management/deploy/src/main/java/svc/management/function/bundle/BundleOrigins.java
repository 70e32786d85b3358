package svc.management.function.bundle;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where each place of a bundle comes from, as a source map (ECMA-426) has it. Pure.
 *
 * @param mappings in the map's own coding
 * @param sources files as their user named them
 */
public record BundleOrigins(String mappings, List<String> sources) {
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final int CONTINUES = 32;
    private static final int BITS = 5;
    private static final int FIELDS = 5;

    public BundleOrigins {
        sources = List.copyOf(sources);
    }

    /** A fault with a place in the bundle, reported at the place of its source when that is known. */
    BundleFault traced(BundleFault fault) {
        if (fault.line().isEmpty()) {
            return fault;
        }
        return find(fault.line().getAsInt() - 1, fault.column().orElse(1) - 1)
                .map(place -> new BundleFault(
                        fault.kind(),
                        fault.message(),
                        Optional.of(sources.get(place.source())),
                        OptionalInt.of(place.line() + 1),
                        OptionalInt.of(place.column() + 1)))
                .orElse(fault);
    }

    private record Place(int source, int line, int column) {}

    /** The last mapping of the line that is not behind the column; lines and columns from 0 on. */
    private Optional<Place> find(int line, int column) {
        int[] state = new int[FIELDS];
        Optional<Place> found = Optional.empty();
        String[] lines = mappings.split(";", -1);
        for (int at = 0; at < lines.length && at <= line; at++) {
            state[0] = 0;
            for (String segment : lines[at].isEmpty() ? new String[0] : lines[at].split(",")) {
                int fields = read(segment, state);
                boolean before = at == line && state[0] <= column;
                if (before && fields > 1 && state[1] >= 0 && state[1] < sources.size()) {
                    found = Optional.of(new Place(state[1], state[2], state[3]));
                }
            }
        }
        return found;
    }

    /** Adds a segment's differences to the state; returns how many fields it has. */
    private static int read(String segment, int[] state) {
        int field = 0;
        int value = 0;
        int shift = 0;
        for (int i = 0; i < segment.length() && field < FIELDS; i++) {
            int digit = DIGITS.indexOf(segment.charAt(i));
            value |= (digit & (CONTINUES - 1)) << shift;
            if ((digit & CONTINUES) != 0) {
                shift += BITS;
            } else {
                state[field++] += (value & 1) == 0 ? value >> 1 : -(value >> 1);
                value = 0;
                shift = 0;
            }
        }
        return field;
    }
}
