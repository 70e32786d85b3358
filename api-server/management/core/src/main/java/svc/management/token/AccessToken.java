package svc.management.token;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A personal access token without its secret.
 *
 * @param organization slug of its organisation, which never changes
 * @param hint the last characters of the secret
 * @param expiresAt empty for a token without expiry
 * @param revokedAt empty for a token that is not revoked
 */
public record AccessToken(
        UUID id,
        String organization,
        String name,
        String hint,
        Set<Permission> permissions,
        Instant createdAt,
        Optional<Instant> expiresAt,
        Optional<Instant> revokedAt) {
    public AccessToken {
        permissions = Set.copyOf(permissions);
    }

    boolean expired(Instant now) {
        return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
    }

    Principal principal() {
        return new Principal(id, organization, permissions);
    }
}
