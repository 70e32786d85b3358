package svc.database.key;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * {@code svc_fnrt_…}: what the process of one function of one project shows the platform to fetch its code and to hand in
 * its log lines. It grants no access to another function. Derived, never stored.
 */
public final class RuntimeToken {
    private static final ChecksummedText FORMAT = new ChecksummedText("svc_fnrt_");

    private RuntimeToken() {}

    /**
     * The token's text.
     *
     * @param leaf of {@link Purpose#FUNCTION_RUNTIME}; others are refused
     * @param function name of the function
     */
    public static String of(DerivedKey leaf, String function) {
        return FORMAT.encode(hmac(leaf, "runtime-token", function));
    }

    /** Whether the token of that function was presented; takes as long for a wrong one as for the right one. */
    public static boolean matches(String presented, DerivedKey leaf, String function) {
        return FORMAT.accepts(presented)
                && MessageDigest.isEqual(
                        presented.getBytes(StandardCharsets.UTF_8),
                        of(leaf, function).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@code hmac:} and 64 hex digits that change with a secret's value, and reveal nothing of it without the leaf. Equal values under two names have two digests.
     *
     * @param name function and variable, in a form that cannot be read in two ways
     */
    public static String valueDigest(DerivedKey leaf, String name, String value) {
        return "hmac:" + HexFormat.of().formatHex(hmac(leaf, "secret-digest", name + "\0" + value));
    }

    private static byte[] hmac(DerivedKey leaf, String use, String text) {
        if (leaf.purpose() != Purpose.FUNCTION_RUNTIME) {
            throw new IllegalArgumentException("nothing of a function's runtime is made of " + leaf.purpose());
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(leaf.material(use, Derivation.KEY_BYTES), "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has HMAC-SHA256", e);
        }
    }
}
