package svc.auth.token;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import svc.database.key.RefreshTokenKey;

/**
 * What is sent to prove an address: a link with a secret of 224 random bits, and a code of some digits. Kept is the secret's
 * hash, and the code is made of that hash by a key of the project, so that neither can be had from a copy of the rows.
 *
 * <p>GoTrue's link carries the SHA-224 of address and code. That is not followed: six digits are tried out in a moment, and
 * whoever knows an address could guess its link at as many addresses of callers as there are.
 */
public final class OneTimeSecrets {
    private static final int SECRET_BYTES = 28;

    /** Marks links whose end is a code for who began the flow. */
    private static final String PKCE = "pkce_";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final RefreshTokenKey key;

    OneTimeSecrets(RefreshTokenKey key) {
        this.key = key;
    }

    /**
     * A new one.
     *
     * @param tokenHash what stands in the link; Supabase's name for it
     * @param kept what the row holds of it
     * @param code to type in
     */
    public record Issued(String tokenHash, String kept, String code) {
        /** It opens an account. */
        @Override
        public String toString() {
            return "Issued";
        }
    }

    /** @param pkce whether the flow was begun with a challenge */
    public Issued issue(int digits, boolean pkce) {
        byte[] secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(secret);
        String tokenHash = (pkce ? PKCE : "") + HexFormat.of().formatHex(secret);
        String kept = kept(tokenHash);
        return new Issued(tokenHash, kept, code(kept, digits));
    }

    /** What a row holds of a link's secret. */
    public static String kept(String tokenHash) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-224").digest(tokenHash.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-224", e);
        }
    }

    /** Whether the flow was begun with a challenge, by a link's secret. */
    public static boolean isPkce(String tokenHash) {
        return tokenHash.startsWith(PKCE);
    }

    /** Whether it is the code of what a row holds; takes as long if not. */
    public boolean isCode(String kept, int digits, String code) {
        return MessageDigest.isEqual(
                code(kept, digits).getBytes(StandardCharsets.UTF_8), code.getBytes(StandardCharsets.UTF_8));
    }

    private String code(String kept, int digits) {
        byte[] mac = key.mac(("one-time code of " + digits + " digits\n" + kept).getBytes(StandardCharsets.UTF_8));
        long number = Long.remainderUnsigned(ByteBuffer.wrap(mac).getLong(), power(digits));
        String text = Long.toString(number);
        return "0".repeat(digits - text.length()) + text;
    }

    private static long power(int digits) {
        long power = 1;
        for (int i = 0; i < digits; i++) {
            power *= 10;
        }
        return power;
    }
}
