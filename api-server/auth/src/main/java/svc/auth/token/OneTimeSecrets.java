package svc.auth.token;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import svc.database.key.RefreshTokenKey;

/**
 * One-time tokens: a link with a secret of 224 random bits, and a code of some digits. The row has the secret's hash, and the
 * code is derived from that hash with a key of the project: neither can be computed from a copy of the rows.
 *
 * <p>GoTrue's link has the SHA-224 of address and code. This service deviates: with six digits an attacker who knows the
 * address could guess the link from many caller addresses.
 */
public final class OneTimeSecrets {
    private static final int SECRET_BYTES = 28;

    /** Marks the links of PKCE flows. */
    private static final String PKCE = "pkce_";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final RefreshTokenKey key;

    OneTimeSecrets(RefreshTokenKey key) {
        this.key = key;
    }

    /**
     * A new token.
     *
     * @param tokenHash the secret in the link, by Supabase's name
     * @param kept the secret's hash, for the row
     * @param code for the user to type
     */
    public record Issued(String tokenHash, String kept, String code) {
        /** Without the secrets. */
        @Override
        public String toString() {
            return "Issued";
        }
    }

    /** @param pkce whether the flow has a challenge */
    public Issued issue(int digits, boolean pkce) {
        byte[] secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(secret);
        String tokenHash = (pkce ? PKCE : "") + HexFormat.of().formatHex(secret);
        String kept = kept(tokenHash);
        return new Issued(tokenHash, kept, code(kept, digits));
    }

    /** The hash of a link's secret, for the row. */
    public static String kept(String tokenHash) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-224").digest(tokenHash.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-224", e);
        }
    }

    /** Whether a link is one of a PKCE flow. */
    public static boolean isPkce(String tokenHash) {
        return tokenHash.startsWith(PKCE);
    }

    /** Whether a code belongs to a row's hash, in constant time. */
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
