package svc.management.project;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;

/**
 * The ref and id of a new project. With an idempotency key both derive from the key, so that a retry finds the resource
 * of the first call, whatever happened to its response.
 *
 * @param ref 8 characters, a letter first
 */
record NewIdentity(String ref, UUID projectId) {
    private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int LETTERS = 26;
    private static final int REF_LENGTH = 8;
    private static final int SEED_BYTES = 32;

    static NewIdentity random(SecureRandom random) {
        byte[] seed = new byte[SEED_BYTES];
        random.nextBytes(seed);
        return of(seed);
    }

    /** The same for every call of one organisation with one key. */
    static NewIdentity ofIdempotencyKey(String organization, String key) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(("svc/project\0" + organization + "\0").getBytes(StandardCharsets.UTF_8));
            return of(sha256.digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }

    private static NewIdentity of(byte[] seed) {
        StringBuilder ref = new StringBuilder();
        ref.append(DIGITS.charAt(Byte.toUnsignedInt(seed[0]) % LETTERS));
        for (int i = 1; i < REF_LENGTH; i++) {
            ref.append(DIGITS.charAt(Byte.toUnsignedInt(seed[i]) % DIGITS.length()));
        }
        ByteBuffer id = ByteBuffer.wrap(Arrays.copyOfRange(seed, REF_LENGTH, REF_LENGTH + 2 * Long.BYTES));
        // Version 8 of RFC 9562: custom bits, which both kinds of seed are.
        long high = id.getLong() & 0xFFFF_FFFF_FFFF_0FFFL | 0x8000L;
        long low = id.getLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new NewIdentity(ref.toString(), new UUID(high, low));
    }
}
