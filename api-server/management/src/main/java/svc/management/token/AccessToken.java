package svc.management.token;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A personal access token without its secret, which nobody has but its holder.
 *
 * @param organization slug of the organisation it belongs to, for good
 * @param hint the last characters of the secret
 * @param expiresAt from then on it is refused; empty when it has no end
 * @param revokedAt since then it is refused
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
