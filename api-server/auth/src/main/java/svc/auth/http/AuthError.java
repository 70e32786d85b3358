package svc.auth.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A refusal with GoTrue's code. Client libraries decide by the code, and by the status whether to drop a session: none of
 * our own faults may have a status of the 400s.
 */
public final class AuthError extends RuntimeException {
    private final int status;
    private final String code;
    private final List<String> weakness;
    private final OptionalLong retryAfter;
    private final Optional<String> oauth;

    private AuthError(
            int status,
            String code,
            String message,
            List<String> weakness,
            OptionalLong retryAfter,
            Optional<String> oauth) {
        // It steers, and nobody reads where it came from.
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.weakness = List.copyOf(weakness);
        this.retryAfter = retryAfter;
        this.oauth = oauth;
    }

    public AuthError(int status, String code, String message) {
        this(status, code, message, List.of(), OptionalLong.empty(), Optional.empty());
    }

    public int status() {
        return status;
    }

    /** One of the codes that Supabase documents for its clients. */
    public String code() {
        return code;
    }

    /** What is wrong with a password; empty for every other refusal. */
    public List<String> weakness() {
        return weakness;
    }

    /** The word that OAuth's clients look for beside it (RFC 6749, 5.2); empty where they have none to expect. */
    public Optional<String> oauth() {
        return oauth;
    }

    /** A refusal of a grant in OAuth's shape as well. */
    public static AuthError grant(String error, String code, String message) {
        return new AuthError(400, code, message, List.of(), OptionalLong.empty(), Optional.of(error));
    }

    /** Seconds after which it may be tried again; empty where that changes nothing. */
    public OptionalLong retryAfter() {
        return retryAfter;
    }

    /** The same, which is over in so many seconds. */
    public AuthError retryAfter(long seconds) {
        return new AuthError(status, code, getMessage(), weakness, OptionalLong.of(seconds), oauth);
    }

    /** Writes what is wrong with a password into an answer that is none of an error: {@code weak_password}. */
    public void describe(ObjectNode answer) {
        ObjectNode weak = answer.putObject("weak_password").put("message", getMessage());
        ArrayNode reasons = weak.putArray("reasons");
        weakness.forEach(reasons::add);
    }

    public static AuthError invalid(String message) {
        return new AuthError(400, "validation_failed", message);
    }

    public static AuthError json(String message) {
        return new AuthError(400, "bad_json", message);
    }

    public static AuthError noBearer() {
        return new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
    }

    public static AuthError notAdmin() {
        return new AuthError(403, "not_admin", "User not allowed");
    }

    public static AuthError noSession() {
        return new AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist");
    }

    public static AuthError noUserOfToken() {
        return new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
    }

    public static AuthError noUser() {
        return new AuthError(404, "user_not_found", "User not found");
    }

    /** The same for an unknown address, a wrong password and a user without one: nobody learns who has an account. */
    public static AuthError credentials() {
        return new AuthError(400, "invalid_credentials", "Invalid login credentials");
    }

    public static AuthError banned() {
        return new AuthError(400, "user_banned", "User is banned");
    }

    public static AuthError emailExists() {
        return new AuthError(422, "email_exists", "A user with this email address has already been registered");
    }

    public static AuthError phoneExists() {
        return new AuthError(422, "phone_exists", "A user with this phone number has already been registered");
    }

    public static AuthError weakPassword(String message, List<String> reasons) {
        return new AuthError(422, "weak_password", message, reasons, OptionalLong.empty(), Optional.empty());
    }

    public static AuthError refreshTokenNotFound() {
        return new AuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
    }

    /** Too many tries of one account, whoever makes them. */
    public static AuthError tooMany(long seconds) {
        return new AuthError(
                        429,
                        "over_request_rate_limit",
                        "Request rate limit reached: try again in " + seconds + " seconds")
                .retryAfter(seconds);
    }

    public static AuthError unavailable() {
        return new AuthError(503, "unexpected_failure", "The database of the project cannot be used now. Try again.");
    }
}
