package svc.management.idempotency;

import com.google.re2j.Pattern;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * A call with an Idempotency-Key. Pure.
 *
 * @param keyHash SHA-256 of the key
 * @param callHash SHA-256 of method, target and body
 * @param claim names this attempt: it alone may write how the call ended
 */
record KeyedCall(Principal by, byte[] keyHash, byte[] callHash, UUID claim) {
    static final String HEADER = "Idempotency-Key";

    /** Printable ASCII, as in a header. */
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?");

    /**
     * The key of a request.
     *
     * @param headers all of the request's headers of this name
     * @throws ProblemException 400 for one that is no key, and for several
     */
    static Optional<String> key(List<String> headers) {
        if (headers.isEmpty()) {
            return Optional.empty();
        }
        if (headers.size() > 1 || !KEY.matcher(headers.getFirst()).matches()) {
            throw Problem.of(
                            ProblemCode.INVALID_PARAMETER,
                            "The header " + HEADER + " is sent once and has 1 to 255 printable ASCII characters.")
                    .asException();
        }
        return Optional.of(headers.getFirst());
    }

    /**
     * @param target path and query of the request, as received
     * @param body in pieces, which are not copied
     */
    static KeyedCall of(Principal by, String key, String method, String target, ByteBuffer... body) {
        ByteBuffer[] all = new ByteBuffer[body.length + 1];
        // Neither a method nor a target has a space or a line: no two calls have the same head.
        all[0] = utf8(method + " " + target + "\n");
        System.arraycopy(body, 0, all, 1, body.length);
        return new KeyedCall(by, hash(utf8(key)), hash(all), UUID.randomUUID());
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] hash(ByteBuffer... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (ByteBuffer part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
