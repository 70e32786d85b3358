package svc.management.mcp.oauth;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a person allowed a client.
 *
 * @param createdBy the person's personal access token
 * @param clientName for the name of its tokens
 * @param active whether neither the grant nor the personal access token is revoked or over
 */
record OAuthGrant(
        UUID id,
        UUID client,
        String clientName,
        String organization,
        List<String> permissions,
        Optional<String> project,
        boolean readOnly,
        UUID createdBy,
        boolean active,
        Instant codeExpiresAt,
        String redirectUri,
        String challenge) {
    private static final Pattern VERIFIER = Pattern.compile("[A-Za-z0-9._~-]{43,128}");

    OAuthGrant {
        permissions = List.copyOf(permissions);
    }

    /** Whether the client has the verifier of its challenge (RFC 7636, method S256). */
    boolean isProvenBy(String verifier) {
        if (!VERIFIER.matcher(verifier).matches()) {
            return false;
        }
        String computed = Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(verifier));
        return MessageDigest.isEqual(
                computed.getBytes(StandardCharsets.US_ASCII), challenge.getBytes(StandardCharsets.US_ASCII));
    }

    boolean isOf(String clientId) {
        return client.toString().equals(clientId);
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
