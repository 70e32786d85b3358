package svc.auth.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A refusal with one of the codes of {@link AuthErrorCode}. Its class decides nothing: code and status do, in client
 * libraries as well.
 */
public final class AuthError extends RuntimeException {
    /** With the code, of each answer that refuses. */
    public static final String CODE_HEADER = "x-sb-error-code";

    private static final long serialVersionUID = 1L;

    private final AuthErrorCode code;
    private final int status;
    private final List<String> weakness;
    private final OptionalLong retryAfter;
    private final Optional<String> oauth;
    private final Optional<String> detail;

    private AuthError(
            AuthErrorCode code,
            int status,
            String message,
            List<String> weakness,
            OptionalLong retryAfter,
            Optional<String> oauth,
            Optional<String> detail) {
        // Control flow without a stack trace: every wrong password makes one.
        super(message, null, false, false);
        this.code = code;
        this.status = status;
        this.weakness = List.copyOf(weakness);
        this.retryAfter = retryAfter;
        this.oauth = oauth;
        this.detail = detail;
    }

    static AuthError of(AuthErrorCode code, String message) {
        return plain(code, code.status(), message);
    }

    private static AuthError plain(AuthErrorCode code, int status, String message) {
        return new AuthError(
                code, status, message, List.of(), OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    public static AuthError invalid(String message) {
        return of(AuthErrorCode.VALIDATION_FAILED, message);
    }

    public static AuthError json(String message) {
        return of(AuthErrorCode.BAD_JSON, message);
    }

    /** A refusal of a grant in OAuth's shape as well (RFC 6749, 5.2). */
    public static AuthError grant(String error, String message) {
        AuthErrorCode code = AuthErrorCode.VALIDATION_FAILED;
        return new AuthError(
                code, code.status(), message, List.of(), OptionalLong.empty(), Optional.of(error), Optional.empty());
    }

    public static AuthError weakPassword(String message, List<String> reasons) {
        AuthErrorCode code = AuthErrorCode.WEAK_PASSWORD;
        return new AuthError(
                code, code.status(), message, reasons, OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    /** A rate limit per account or address, whatever the caller. */
    public static AuthError tooManyRequests(long seconds) {
        return AuthErrorCode.OVER_REQUEST_RATE_LIMIT
                .error("Request rate limit reached: try again in " + seconds + " seconds")
                .retryAfter(seconds);
    }

    /** @param status 400 to 599, as the hook of the project has chosen it */
    public static AuthError refusedByHook(int status, String message) {
        AuthErrorCode code = status >= 500 ? AuthErrorCode.UNEXPECTED_FAILURE : AuthErrorCode.REFUSED_BY_HOOK;
        return plain(code, status, message);
    }

    /**
     * The same with a cause inside the project, such as the name of a table or of a function: for the log, and for callers
     * with the service-role key.
     */
    public AuthError withDetail(String cause) {
        return new AuthError(
                code, status, getMessage(), weakness, retryAfter, oauth, Optional.of(getMessage() + ": " + cause));
    }

    /** The message for callers who may know the inside of the project; empty where it is the same. */
    public Optional<String> detail() {
        return detail;
    }

    /** The same, for a caller that may repeat the call after so many seconds. */
    public AuthError retryAfter(long seconds) {
        return new AuthError(code, status, getMessage(), weakness, OptionalLong.of(seconds), oauth, detail);
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    /** One of the codes that Supabase documents for its clients. */
    public String code() {
        return code.code();
    }

    /** Reasons why a password is weak; empty for every other refusal. */
    public List<String> weakness() {
        return weakness;
    }

    /** The member {@code error} of an OAuth refusal (RFC 6749, 5.2); empty outside of {@code POST /token}. */
    public Optional<String> oauth() {
        return oauth;
    }

    /** Seconds after which a retry may succeed; empty where waiting changes nothing. */
    public OptionalLong retryAfter() {
        return retryAfter;
    }

    /** Writes the weakness of a password into a successful answer: {@code weak_password}. */
    public void describe(ObjectNode answer) {
        ObjectNode weak = answer.putObject("weak_password").put("message", getMessage());
        ArrayNode reasons = weak.putArray("reasons");
        weakness.forEach(reasons::add);
    }
}
