package svc.postgres.flush;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Seeds for PostgreSQL's random(), which no caller can predict. The system's source has a lock and a cost for each call, and
 * each request needs a seed, so many are drawn at once. Thread-safe.
 */
final class RandomSeeds {
    private static final int SEEDS = 128;

    /** What a double holds exactly. */
    private static final int DISCARDED_BITS = Long.SIZE - 53;

    private static final double UNIT = 0x1p-53;

    private final SecureRandom random = new SecureRandom();
    private final byte[] drawn = new byte[SEEDS * Long.BYTES];
    private final ByteBuffer left = ByteBuffer.wrap(drawn).limit(0);

    /** From 0 to 1, as {@code setseed} takes it; each is given out once. */
    synchronized double next() {
        if (!left.hasRemaining()) {
            random.nextBytes(drawn);
            left.clear();
        }
        int at = left.position();
        long bits = left.getLong();
        left.putLong(at, 0);
        return (bits >>> DISCARDED_BITS) * UNIT;
    }
}
