package svc.api.gateway;

/** Why a user's token is not accepted. */
enum TokenFault {
    MALFORMED("the token is not a JWT"),
    ALGORITHM("the token is not signed with ES256"),
    UNKNOWN_KEY("the token names no signing key of this project"),
    SIGNATURE("the token's signature does not fit"),
    ISSUER("the token was issued by somebody else"),
    EXPIRED("the token has expired"),
    NOT_YET("the token is not valid yet"),
    ROLE("the token's role is unknown");

    private final String text;

    TokenFault(String text) {
        this.text = text;
    }

    /** For the caller; says nothing that the token's holder does not know. */
    String text() {
        return text;
    }
}
