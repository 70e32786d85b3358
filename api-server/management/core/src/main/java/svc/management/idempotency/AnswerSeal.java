package svc.management.idempotency;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals answers, which may have secrets and rows of a project: AES-256-GCM under a key that is derived from the caller's token. The
 * platform stores a token as a hash, so its database opens no answer; the client brings the key with each repetition.
 */
final class AnswerSeal {
    private static final String MAC = "HmacSHA256";
    private static final byte[] PURPOSE = "svc/idempotent-answer/1\0".getBytes(StandardCharsets.US_ASCII);
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private AnswerSeal() {}

    static byte[] seal(String credential, KeyedCall call, byte[] answer) {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, credential, call, nonce).doFinal(answer);
            return ByteBuffer.allocate(NONCE + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("while sealing an answer", e);
        }
    }

    /** Empty for an answer of another token, key or call. */
    static Optional<byte[]> open(String credential, KeyedCall call, byte[] sealed) {
        if (sealed.length < NONCE) {
            return Optional.empty();
        }
        try {
            return Optional.of(cipher(Cipher.DECRYPT_MODE, credential, call, Arrays.copyOf(sealed, NONCE))
                    .doFinal(sealed, NONCE, sealed.length - NONCE));
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    private static Cipher cipher(int mode, String credential, KeyedCall call, byte[] nonce)
            throws GeneralSecurityException {
        Mac mac = Mac.getInstance(MAC);
        mac.init(new SecretKeySpec(credential.getBytes(StandardCharsets.UTF_8), MAC));
        mac.update(PURPOSE);
        byte[] key = mac.doFinal(call.keyHash());
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(call.callHash());
        return cipher;
    }
}
