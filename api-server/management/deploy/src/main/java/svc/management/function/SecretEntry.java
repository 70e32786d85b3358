package svc.management.function;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A link by which a person enters the value of one secret of all functions of a project.
 *
 * @param hash of the random part of the link
 * @param replaces whether the value may replace an existing one
 * @param token that asked for it
 * @param client the name of that token, or of the client that OAuth gave it to
 * @param tokenValid whether that token, or its grant, may still be used
 */
record SecretEntry(
        byte[] hash,
        UUID projectId,
        String ref,
        String name,
        boolean replaces,
        UUID token,
        String client,
        Instant expiresAt,
        Optional<Instant> usedAt,
        boolean tokenValid) {
    boolean isOpen(Instant now) {
        return usedAt.isEmpty() && tokenValid && now.isBefore(expiresAt);
    }
}
