package svc.management.mcp.oauth;

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

    private OAuthError(String code, int status, String description) {
        super(description, null, false, false);
        this.code = code;
        this.status = status;
    }

    static OAuthError of(String code, String description) {
        return new OAuthError(code, code.equals(INVALID_CLIENT) ? 401 : 400, description);
    }

    static OAuthError tooMany(String description) {
        return new OAuthError("temporarily_unavailable", 429, description);
    }

    String code() {
        return code;
    }

    int status() {
        return status;
    }
}
