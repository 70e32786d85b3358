package svc.storage.s3.signature;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The arithmetic of Signature Version 4. */
final class SigV4 {
    static final String ALGORITHM = "AWS4-HMAC-SHA256";

    /** SHA-256 of nothing. */
    static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private static final String HMAC = "HmacSHA256";

    private SigV4() {}

    /** The key that a secret gives for a day, a region and a service. */
    static byte[] key(String secret, CredentialScope scope) {
        byte[] day = hmac(("AWS4" + secret).getBytes(StandardCharsets.UTF_8), scope.date());
        return hmac(hmac(hmac(day, scope.region()), scope.service()), CredentialScope.TERMINATOR);
    }

    /** In lower-case hexadecimal. */
    static String sign(byte[] key, String stringToSign) {
        return HexFormat.of().formatHex(hmac(key, stringToSign));
    }

    static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }

    static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }

    static String sha256(String text) {
        return HexFormat.of().formatHex(digest("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Takes as long for every wrong one. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
