package svc.platform.dataplane;

import java.util.Optional;

/**
 * The reason why a user's token is rejected, in PostgREST's words. The message repeats only what the holder of the token
 * can read in it.
 *
 * @param code PGRST301 for a token that cannot be decoded, PGRST303 for claims that are not satisfied
 * @param details PostgREST's {@code details}, where it sends any
 */
public record TokenFault(String code, String message, Optional<String> details) {
    private static final String DECODING = "PGRST301";
    private static final String CLAIMS = "PGRST303";

    public static final TokenFault EMPTY = decoding("Empty JWT is sent in Authorization header");
    public static final TokenFault ALGORITHM = decoding("Wrong or unsupported encoding algorithm");
    public static final TokenFault UNKNOWN_KEY = new TokenFault(
            DECODING, "No suitable key or wrong key type", Optional.of("None of the keys was able to decode the JWT"));
    public static final TokenFault SIGNATURE = decoding("JWT cryptographic operation failed");
    public static final TokenFault TOO_MANY =
            decoding("Too many new tokens of a slow algorithm: try again in a second");
    public static final TokenFault UNREADABLE_CLAIMS = claims("Parsing claims failed");
    public static final TokenFault EXPIRED = claims("JWT expired");
    public static final TokenFault NOT_YET = claims("JWT not yet valid");
    public static final TokenFault FROM_THE_FUTURE = claims("JWT issued at future");
    public static final TokenFault AUDIENCE = claims("JWT not in audience");
    public static final TokenFault ISSUER = claims("JWT was issued for another project");
    public static final TokenFault ROLE = claims("JWT names a role that this project does not have");

    /** @param parts number of dot-separated parts; a JWT has three */
    public static TokenFault parts(int parts) {
        return decoding("Expected 3 parts in JWT; got " + parts);
    }

    /** @param claim {@code exp}, {@code nbf} or {@code iat} */
    public static TokenFault notANumber(String claim) {
        return claims("The JWT '" + claim + "' claim must be a number");
    }

    public static TokenFault audienceForm() {
        return claims("The JWT 'aud' claim must be a string or an array of strings");
    }

    private static TokenFault decoding(String message) {
        return new TokenFault(DECODING, message, Optional.empty());
    }

    private static TokenFault claims(String message) {
        return new TokenFault(CLAIMS, message, Optional.empty());
    }
}
