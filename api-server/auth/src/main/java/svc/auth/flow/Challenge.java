package svc.auth.flow;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRequest;

/**
 * The code challenge of a flow: only the client with its verifier can finish the flow (RFC 7636).
 *
 * @param method {@code s256} or {@code plain}
 */
public record Challenge(String value, String method) {
    private static final int MIN_CHARACTERS = 43;
    private static final int MAX_CHARACTERS = 128;
    private static final Pattern CHARACTERS = Pattern.compile("[A-Za-z0-9._~-]+");

    /**
     * Parses the challenge of a request, from its query or its body; empty without one.
     *
     * @throws AuthError for an invalid challenge, and for one without a method or the reverse
     */
    public static Optional<Challenge> of(AuthRequest request) {
        Optional<String> value = member(request, "code_challenge");
        Optional<String> method = member(request, "code_challenge_method");
        if (value.isEmpty() != method.isEmpty()) {
            throw AuthError.invalid("PKCE flow requires code_challenge_method and code_challenge");
        }
        return value.map(text -> new Challenge(checked(text), checkedMethod(method.orElseThrow())));
    }

    private static Optional<String> member(AuthRequest request, String name) {
        return request.method().equals("GET") ? request.parameter(name) : request.text(name);
    }

    private static String checked(String value) {
        if (value.length() < MIN_CHARACTERS || value.length() > MAX_CHARACTERS) {
            throw AuthError.invalid(
                    "code challenge has to be between " + MIN_CHARACTERS + " and " + MAX_CHARACTERS + " characters");
        }
        if (!CHARACTERS.matcher(value).matches()) {
            throw AuthError.invalid(
                    "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and"
                            + " tildes");
        }
        return value;
    }

    private static String checkedMethod(String method) {
        String lower = method.toLowerCase(Locale.ROOT);
        if (!lower.equals("s256") && !lower.equals("plain")) {
            throw AuthError.invalid("unsupported code_challenge method \"" + method + "\"; use s256 or plain");
        }
        return lower;
    }

    /** Whether the challenge was made of this verifier. */
    boolean isMadeOf(String verifier) {
        String made = method.equals("plain") ? verifier : hash(verifier);
        return MessageDigest.isEqual(made.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
    }

    /** The challenge of the method {@code s256}; rows have codes in this form as well. */
    public static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
