package svc.platform.dataplane;

import java.util.Optional;

/**
 * The reason why a user's token is rejected, in PostgREST's words. The message repeats only what the holder of the token
 * can read in it.
 *
 * @param kind for services that answer in the words of another server
 * @param code PGRST301 for a token that cannot be decoded, PGRST303 for claims that are not satisfied
 * @param details PostgREST's {@code details}, where it sends any
 */
public record TokenFault(Kind kind, String code, String message, Optional<String> details) {
    /** What is wrong with the token. */
    public enum Kind {
        /** The scheme Bearer without a token. */
        EMPTY,
        /** Not three parts. */
        PARTS,
        /** Header or payload cannot be decoded, or the algorithm is unknown. */
        MALFORMED,
        /** The algorithm is {@code none}. */
        UNSECURED,
        /** No key of the project has the id and the algorithm of the token. */
        UNKNOWN_KEY,
        SIGNATURE,
        /** Verifications take too long at present. */
        BUSY,
        EXPIRED,
        NOT_YET,
        FROM_THE_FUTURE,
        AUDIENCE,
        ISSUER,
        /** Any other claim. */
        CLAIMS
    }

    private static final String DECODING = "PGRST301";
    private static final String CLAIMS = "PGRST303";
    private static final String NO_KEY = "No suitable key or wrong key type";

    public static final TokenFault EMPTY = decoding(Kind.EMPTY, "Empty JWT is sent in Authorization header");
    public static final TokenFault MALFORMED = decoding(Kind.MALFORMED, "JWT cryptographic operation failed");
    public static final TokenFault UNSECURED = new TokenFault(
            Kind.UNSECURED,
            DECODING,
            "Wrong or unsupported encoding algorithm",
            Optional.of("JWT is unsecured but expected 'alg' was not 'none'"));
    public static final TokenFault UNKNOWN_KEY = new TokenFault(
            Kind.UNKNOWN_KEY, DECODING, NO_KEY, Optional.of("No suitable key was found to decode the JWT"));
    public static final TokenFault SIGNATURE = decoding(Kind.SIGNATURE, "JWT cryptographic operation failed");
    public static final TokenFault TOO_MANY =
            decoding(Kind.BUSY, "Too many new tokens of a slow algorithm: try again in a second");
    public static final TokenFault UNREADABLE_CLAIMS = claims(Kind.CLAIMS, "Parsing claims failed");
    public static final TokenFault EXPIRED = claims(Kind.EXPIRED, "JWT expired");
    public static final TokenFault NOT_YET = claims(Kind.NOT_YET, "JWT not yet valid");
    public static final TokenFault FROM_THE_FUTURE = claims(Kind.FROM_THE_FUTURE, "JWT issued at future");
    public static final TokenFault AUDIENCE = claims(Kind.AUDIENCE, "JWT not in audience");
    public static final TokenFault ISSUER = claims(Kind.ISSUER, "JWT was issued for another project");
    public static final TokenFault ROLE = claims(Kind.CLAIMS, "JWT names a role that this project does not have");

    /** @param parts number of dot-separated parts; a JWT has three */
    public static TokenFault parts(int parts) {
        return decoding(Kind.PARTS, "Expected 3 parts in JWT; got " + parts);
    }

    /** @param claim {@code exp}, {@code nbf} or {@code iat} */
    public static TokenFault notANumber(String claim) {
        return claims(Kind.CLAIMS, "The JWT '" + claim + "' claim must be a number");
    }

    public static TokenFault audienceForm() {
        return claims(Kind.CLAIMS, "The JWT 'aud' claim must be a string or an array of strings");
    }

    /** The same as PostgREST reports it: it tries each key, and does not say whether one has the wrong signature. */
    TokenFault amongKeys() {
        return kind == Kind.SIGNATURE
                ? new TokenFault(kind, code, NO_KEY, Optional.of("None of the keys was able to decode the JWT"))
                : this;
    }

    private static TokenFault decoding(Kind kind, String message) {
        return new TokenFault(kind, DECODING, message, Optional.empty());
    }

    private static TokenFault claims(Kind kind, String message) {
        return new TokenFault(kind, CLAIMS, message, Optional.empty());
    }
}
