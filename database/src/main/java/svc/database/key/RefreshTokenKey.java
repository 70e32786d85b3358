package svc.database.key;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Proves that a project has made a refresh token. It never leaves this class. */
public final class RefreshTokenKey {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKeySpec key;

    private RefreshTokenKey(SecretKeySpec key) {
        this.key = key;
    }

    /** From a leaf of {@link Purpose#SIGNING}; others are refused. */
    public static RefreshTokenKey of(DerivedKey leaf) {
        if (leaf.purpose() != Purpose.SIGNING) {
            throw new IllegalArgumentException("no key of refresh tokens is made of " + leaf.purpose());
        }
        return new RefreshTokenKey(new SecretKeySpec(leaf.material("refresh-token", KEY_BYTES), ALGORITHM));
    }

    /** HMAC-SHA256, 32 bytes. */
    public byte[] mac(byte[] message) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no " + ALGORITHM, e);
        }
    }
}
