package svc.embedded.kubernetes.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The one token that opens the API. */
public record BearerToken(String value) {
    private static final String SCHEME = "Bearer ";

    /** Whether an Authorization header carries it; the comparison takes the same time for every wrong one. */
    boolean admits(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8),
                        authorization.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8));
    }

    /** Says nothing of the token: records end up in logs. */
    @Override
    public String toString() {
        return "BearerToken[…]";
    }
}
