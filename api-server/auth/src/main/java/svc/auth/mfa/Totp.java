package svc.auth.mfa;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.util.encoders.Base32;

/**
 * The secret of an authenticator app: six digits every 30 seconds, by SHA-1, which all apps support.
 *
 * @param secret 20 bytes in base32, as users type it
 */
public record Totp(String secret) {
    /** RFC 4226 recommends 160 bits. */
    private static final int SECRET_BYTES = 20;

    private static final int DIGITS = 6;
    private static final Duration STEP = Duration.ofSeconds(30);

    /** Accepted clock drift, in steps; RFC 6238 recommends one. */
    private static final int SKEW = 1;

    private static final SecureRandom RANDOM = new SecureRandom();

    public static Totp random() {
        byte[] bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return new Totp(Base32.toBase32String(bytes));
    }

    /** The step of a code, counted from 1970; empty for a wrong code, and for a code of another time. */
    public OptionalLong step(String code, Instant now) {
        OptionalLong found = OptionalLong.empty();
        for (int skew = -SKEW; skew <= SKEW; skew++) {
            Instant at = now.plus(STEP.multipliedBy(skew));
            boolean same = MessageDigest.isEqual(
                    code(at).getBytes(StandardCharsets.US_ASCII), code.getBytes(StandardCharsets.UTF_8));
            if (same) {
                found = OptionalLong.of(at.getEpochSecond() / STEP.toSeconds());
            }
        }
        return found;
    }

    /** The code at a time. */
    public String code(Instant at) {
        try {
            return new TimeBasedOneTimePasswordGenerator(STEP, DIGITS)
                    .generateOneTimePasswordString(new SecretKeySpec(Base32.decode(secret), "RAW"), at);
        } catch (InvalidKeyException e) {
            throw new IllegalStateException("a secret of a factor is no key", e);
        }
    }

    /** The text of the QR code: {@code otpauth://totp/…}. */
    public String uri(String issuer, String account) {
        return "otpauth://totp/" + encoded(issuer) + ":" + encoded(account) + "?algorithm=SHA1&digits=" + DIGITS
                + "&issuer=" + encoded(issuer) + "&period=" + STEP.toSeconds() + "&secret=" + secret;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "Totp";
    }
}
