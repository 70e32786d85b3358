package svc.management.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a client sends back when its user was asked: a time, a number that is used once, and a seal over both and the whole
 * call. The key is the client's own credential: only that client can make one.
 */
final class RequestState {
    static final Duration LIFETIME = Duration.ofMinutes(10);

    private static final String ALGORITHM = "HmacSHA256";
    private static final int NONCE = 16;
    private static final int SEAL = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RequestState() {}

    static String issue(String credential, String tool, String project, JsonNode arguments, Instant now) {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        byte[] body = ByteBuffer.allocate(NONCE + Long.BYTES)
                .put(nonce)
                .putLong(now.plus(LIFETIME).toEpochMilli())
                .array();
        byte[] seal = seal(credential, body, tool, project, arguments);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(ByteBuffer.allocate(body.length + SEAL)
                        .put(body)
                        .put(seal)
                        .array());
    }

    /** The number that is used once; empty for a state of another call, another client or another time. */
    static Optional<UUID> nonce(
            String state, String credential, String tool, String project, JsonNode arguments, Instant now) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(state);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (bytes.length != NONCE + Long.BYTES + SEAL) {
            return Optional.empty();
        }
        byte[] body = Arrays.copyOf(bytes, NONCE + Long.BYTES);
        byte[] seal = Arrays.copyOfRange(bytes, NONCE + Long.BYTES, bytes.length);
        ByteBuffer read = ByteBuffer.wrap(body);
        UUID nonce = new UUID(read.getLong(), read.getLong());
        boolean valid = MessageDigest.isEqual(seal, seal(credential, body, tool, project, arguments))
                && now.toEpochMilli() < read.getLong();
        return valid ? Optional.of(nonce) : Optional.empty();
    }

    private static byte[] seal(String credential, byte[] body, String tool, String project, JsonNode arguments) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(credential.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update(body);
            for (String part : new String[] {tool, project, arguments.toString()}) {
                byte[] text = part.getBytes(StandardCharsets.UTF_8);
                mac.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(text.length).array());
                mac.update(text);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
        }
    }
}
