package svc.sqlgate.parser;

import java.util.Arrays;

/**
 * The bounds of a script's tokens in bytes of its UTF-8, in order and without overlaps. Comments are
 * tokens, blanks are not.
 */
public final class TokenBounds {
    /** Of a script without tokens. */
    public static final TokenBounds NONE = new TokenBounds(new int[0], 0);

    private final int[] bounds;
    private final int count;

    private TokenBounds(int[] bounds, int count) {
        this.bounds = bounds;
        this.count = count;
    }

    public int count() {
        return count;
    }

    /** The first byte of a token. */
    public int start(int token) {
        return bounds[2 * token];
    }

    /** The byte after a token. */
    public int end(int token) {
        return bounds[2 * token + 1];
    }

    /** The number of tokens, from the first on, that begin and end at the same bytes in both. */
    public int agreeing(TokenBounds other) {
        int most = 2 * Math.min(count, other.count);
        int differing = Arrays.mismatch(bounds, 0, most, other.bounds, 0, most);
        return (differing < 0 ? most : differing) / 2;
    }

    /**
     * Reads the form of {@code parse/tokens.ts}: for each token the bytes since the end of the one before, and its
     * length.
     *
     * @throws NumberFormatException when it is something else
     */
    static TokenBounds unpacked(String packed) {
        if (packed.isEmpty()) {
            return NONE;
        }
        int commas = (int) packed.chars().filter(c -> c == ',').count();
        int[] bounds = new int[commas + 1];
        int begin = 0;
        int last = 0;
        for (int i = 0; i < bounds.length; i++) {
            int comma = packed.indexOf(',', begin);
            int end = comma < 0 ? packed.length() : comma;
            last += Integer.parseInt(packed, begin, end, 10);
            bounds[i] = last;
            begin = end + 1;
        }
        return new TokenBounds(bounds, bounds.length / 2);
    }

    /** Collects bounds one token after the other. */
    public static final class Builder {
        private int[] bounds = new int[512];
        private int size;

        public void add(int start, int end) {
            if (size == bounds.length) {
                bounds = Arrays.copyOf(bounds, 2 * size);
            }
            bounds[size++] = start;
            bounds[size++] = end;
        }

        /** The number of those that were collected. */
        public int count() {
            return size / 2;
        }

        /** Where one that was collected begins. */
        public int start(int token) {
            return bounds[2 * token];
        }

        /** Where one that was collected ends. */
        public int end(int token) {
            return bounds[2 * token + 1];
        }

        /** Drops the last one and returns where it began. */
        public int removeLast() {
            size -= 2;
            return bounds[size];
        }

        /** What was collected; the builder is not used again. */
        public TokenBounds build() {
            return new TokenBounds(Arrays.copyOf(bounds, size), size / 2);
        }
    }
}
