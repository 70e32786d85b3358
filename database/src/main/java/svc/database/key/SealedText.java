package svc.database.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that a project was given rather than derived (the password of an adopted database, a key that its tokens are
 * signed with), in a form that may stand in a status: AES-256-GCM under a leaf of the project. Who holds the root of the
 * leaf's purpose can decrypt it, for this project and this use only.
 *
 * <p>The same text gives the same sealed text, so that a status that says nothing new is not written. The nonce is
 * therefore a MAC of the text (as in RFC 5297's synthetic IV): two different texts do not share one.
 */
public final class SealedText {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BYTES = 32;

    private SealedText() {}

    /**
     * What a sealed text is for; part of the seal, so that one secret cannot be put in another's place. The operator seals
     * and the api-server opens with the same one.
     */
    public enum Use {
        /** The password of a login that an adopted database had already. */
        ADOPTED_PASSWORD("adopted-database-password"),
        /** A key that tokens from elsewhere may be signed with. */
        VERIFY_KEY("verify-key"),
        /** A password or a secret that a service shows to others or signs with: for a mail server, a provider, a hook. */
        AUTH_SECRET("auth-secret"),
        /** What a second factor of a user is checked with. */
        FACTOR("factor"),
        /** What the password of a short-lived login role says. */
        LOGIN_ROLE("login-role");

        private final String label;

        Use(String label) {
            this.label = label;
        }

        private byte[] bytes() {
            return label.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** @return base64url */
    public static String seal(DerivedKey leaf, Use use, String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        byte[] nonce = nonce(leaf, use, plain);
        byte[] sealed = crypt(Cipher.ENCRYPT_MODE, leaf, use, nonce, plain)
                .orElseThrow(() -> new IllegalStateException("while sealing a text"));
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(ByteBuffer.allocate(nonce.length + sealed.length)
                        .put(nonce)
                        .put(sealed)
                        .array());
    }

    /** Empty for anything that this leaf has not sealed for this use. */
    public static Optional<String> open(DerivedKey leaf, Use use, String sealed) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(sealed);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (bytes.length < NONCE_BYTES) {
            return Optional.empty();
        }
        byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
        return crypt(Cipher.DECRYPT_MODE, leaf, use, nonce, Arrays.copyOfRange(bytes, NONCE_BYTES, bytes.length))
                .map(plain -> new String(plain, StandardCharsets.UTF_8));
    }

    private static byte[] nonce(DerivedKey leaf, Use use, byte[] plain) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(leaf.material("sealed-nonce", KEY_BYTES), "HmacSHA256"));
            mac.update(use.bytes());
            mac.update((byte) 0);
            return Arrays.copyOf(mac.doFinal(plain), NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA256", e);
        }
    }

    private static Optional<byte[]> crypt(int mode, DerivedKey leaf, Use use, byte[] nonce, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(
                    mode,
                    new SecretKeySpec(leaf.material("sealed-key", KEY_BYTES), "AES"),
                    new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(use.bytes());
            return Optional.of(cipher.doFinal(input));
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }
}
