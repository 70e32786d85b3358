package svc.server.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;

/**
 * The tokens of one project whose signature was wrong a moment ago, so that a client that repeats one costs a hash
 * instead of a verification. Holds digests only, and no more than {@link #SIZE} of them (1.5 KB): each project forgets its
 * own oldest. A key set that is renewed makes a token valid after {@link #REMEMBERED} at the latest.
 */
final class RefusedSignatures {
    private static final int SIZE = 64;
    private static final Duration REMEMBERED = Duration.ofSeconds(10);
    private static final Duration TIME = Duration.ofMillis(100);

    private final VerificationTime time = new VerificationTime(TIME);
    private final long[] digests = new long[2 * SIZE];
    private final long[] until = new long[SIZE];
    private int next;

    /** @param nowMillis of the clock */
    synchronized boolean contains(String token, long nowMillis) {
        if (until[Math.floorMod(next - 1, SIZE)] <= nowMillis) {
            // The newest has expired, and with it all.
            return false;
        }
        ByteBuffer digest = digest(token);
        long high = digest.getLong(0);
        long low = digest.getLong(Long.BYTES);
        for (int i = 0; i < SIZE; i++) {
            if (until[i] > nowMillis && digests[2 * i] == high && digests[2 * i + 1] == low) {
                return true;
            }
        }
        return false;
    }

    synchronized void add(String token, long nowMillis) {
        ByteBuffer digest = digest(token);
        digests[2 * next] = digest.getLong(0);
        digests[2 * next + 1] = digest.getLong(Long.BYTES);
        until[next] = nowMillis + REMEMBERED.toMillis();
        next = (next + 1) % SIZE;
    }

    /** What verifications with costly keys may take of each second, in this project. */
    VerificationTime time() {
        return time;
    }

    private static ByteBuffer digest(String token) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
