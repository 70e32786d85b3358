package svc.management.mcp.oauth;

import java.time.Duration;
import java.util.Optional;

/** An error of RFC 6749 or RFC 7591, with its code on the wire and a sentence for the developer of the client. */
final class OAuthError extends RuntimeException {
    static final String INVALID_REQUEST = "invalid_request";
    static final String INVALID_CLIENT = "invalid_client";
    static final String INVALID_GRANT = "invalid_grant";
    static final String INVALID_TARGET = "invalid_target";
    static final String INVALID_SCOPE = "invalid_scope";

    private static final long serialVersionUID = 1L;

    private final String code;
    private final int status;
    private final transient Optional<Duration> retryAfter;

    private OAuthError(String code, int status, String description, Optional<Duration> retryAfter) {
        super(description, null, false, false);
        this.code = code;
        this.status = status;
        this.retryAfter = retryAfter;
    }

    static OAuthError of(String code, String description) {
        return new OAuthError(code, code.equals(INVALID_CLIENT) ? 401 : 400, description, Optional.empty());
    }

    /** @param retryAfter when a repetition may succeed, in whole seconds */
    static OAuthError tooMany(String description, Duration retryAfter) {
        return new OAuthError("temporarily_unavailable", 429, description, Optional.of(retryAfter));
    }

    String code() {
        return code;
    }

    int status() {
        return status;
    }

    /** Of the header Retry-After. */
    Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
