package svc.management.mcp.token;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.management.token.Permission;

/**
 * A token of an MCP client without its secret.
 *
 * @param permissions at most; the token that it belongs to may have lost some since
 * @param project the only one that it reaches; empty for all of the organisation
 * @param readOnly whether it changes nothing
 * @param createdBy the personal access token that it belongs to
 */
record McpToken(
        UUID id,
        String organization,
        String name,
        String hint,
        Set<Permission> permissions,
        Optional<String> project,
        boolean readOnly,
        UUID createdBy,
        Instant createdAt,
        Instant expiresAt,
        Optional<Instant> revokedAt) {
    McpToken {
        permissions = Set.copyOf(permissions);
    }
}
