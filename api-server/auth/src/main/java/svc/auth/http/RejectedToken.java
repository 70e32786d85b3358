package svc.auth.http;

import svc.platform.dataplane.TokenFault;

/** A user's token that the gateway rejects, in GoTrue's words: applications compare them. */
public final class RejectedToken {
    private static final String PREFIX = "invalid JWT: unable to parse or verify signature, ";

    private RejectedToken() {}

    public static AuthError error(TokenFault fault) {
        return switch (fault.kind()) {
            // GoTrue sees no bearer in it.
            case EMPTY -> AuthErrorCode.NO_AUTHORIZATION.error();
            case BUSY -> AuthErrorCode.BAD_JWT.error("invalid JWT: " + fault.message());
            default -> AuthErrorCode.BAD_JWT.error(PREFIX + reason(fault));
        };
    }

    /** Those of the library golang-jwt. */
    private static String reason(TokenFault fault) {
        return switch (fault.kind()) {
            case PARTS -> "token is malformed: token contains an invalid number of segments";
            case MALFORMED -> "token is malformed: could not decode its header";
            case UNSECURED -> "token signature is invalid: signing method none is invalid";
            case UNKNOWN_KEY ->
                "token is unverifiable: error while executing keyfunc: unrecognized JWT kid for its algorithm";
            case SIGNATURE -> "token signature is invalid: crypto/ecdsa: verification error";
            case EXPIRED -> invalidClaims("token is expired");
            case NOT_YET -> invalidClaims("token is not valid yet");
            case FROM_THE_FUTURE -> invalidClaims("token used before issued");
            case AUDIENCE -> invalidClaims("token has invalid audience");
            case ISSUER -> invalidClaims("token has invalid issuer");
            case CLAIMS, EMPTY, BUSY -> invalidClaims(fault.message());
        };
    }

    private static String invalidClaims(String reason) {
        return "token has invalid claims: " + reason;
    }
}
