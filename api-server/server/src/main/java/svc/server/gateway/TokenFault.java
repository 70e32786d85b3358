package svc.server.gateway;

import java.util.Optional;

/**
 * Why a user's token is not accepted, in PostgREST's words: they say nothing that the token's holder does not know.
 *
 * @param code PGRST301 for a token that cannot be decoded, PGRST303 for claims that do not hold
 * @param details PostgREST's, where it gives any
 */
record TokenFault(String code, String message, Optional<String> details) {
    private static final String DECODING = "PGRST301";
    private static final String CLAIMS = "PGRST303";

    static final TokenFault EMPTY = decoding("Empty JWT is sent in Authorization header");
    static final TokenFault ALGORITHM = decoding("Wrong or unsupported encoding algorithm");
    static final TokenFault UNKNOWN_KEY = new TokenFault(
            DECODING, "No suitable key or wrong key type", Optional.of("None of the keys was able to decode the JWT"));
    static final TokenFault SIGNATURE = decoding("JWT cryptographic operation failed");
    static final TokenFault UNREADABLE_CLAIMS = claims("Parsing claims failed");
    static final TokenFault EXPIRED = claims("JWT expired");
    static final TokenFault NOT_YET = claims("JWT not yet valid");
    static final TokenFault FROM_THE_FUTURE = claims("JWT issued at future");
    static final TokenFault AUDIENCE = claims("JWT not in audience");
    static final TokenFault ISSUER = claims("JWT was issued for another project");
    static final TokenFault ROLE = claims("JWT names a role that this project does not have");

    /** @param parts how many the text has, which a JWT has three of */
    static TokenFault parts(int parts) {
        return decoding("Expected 3 parts in JWT; got " + parts);
    }

    /** @param claim {@code exp}, {@code nbf} or {@code iat} */
    static TokenFault notANumber(String claim) {
        return claims("The JWT '" + claim + "' claim must be a number");
    }

    static TokenFault audienceForm() {
        return claims("The JWT 'aud' claim must be a string or an array of strings");
    }

    private static TokenFault decoding(String message) {
        return new TokenFault(DECODING, message, Optional.empty());
    }

    private static TokenFault claims(String message) {
        return new TokenFault(CLAIMS, message, Optional.empty());
    }
}
