package svc.management.mcp.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import svc.database.sql.SqlFragment;
import svc.management.token.Permission;
import svc.management.token.TokenSecret;
import svc.postgres.Row;
import svc.postgres.jdbc.PlatformDatabase;

/** The rows of {@code svc_platform.mcp_token}. Every query but the one by hash is restricted to an organisation. */
@ApplicationScoped
class McpTokenRepository {
    private static final SqlFragment COLUMNS = SqlFragment.of(
            "m.id, m.organisation_id, m.name, m.hint, m.permissions, m.project_ref, m.read_only, m.created_by,"
                    + " m.created_at, m.expires_at, m.revoked_at");
    private static final SqlFragment BY_HASH = SqlFragment.of("SELECT ")
            .append(COLUMNS)
            .append(", t.permissions AS parent_permissions, t.expires_at AS parent_expires_at,"
                    + " t.revoked_at AS parent_revoked_at FROM svc_platform.mcp_token m"
                    + " JOIN svc_platform.token t ON t.id = m.created_by WHERE m.hash = ?");
    private static final SqlFragment OF_ORGANIZATION = SqlFragment.of("SELECT ")
            .append(COLUMNS)
            .append(" FROM svc_platform.mcp_token m WHERE m.organisation_id = ?"
                    + " AND (m.created_by = ? OR ?) ORDER BY m.created_at DESC, m.id LIMIT 1000");
    private static final SqlFragment ACTIVE =
            SqlFragment.of("SELECT count(*) AS active FROM svc_platform.mcp_token WHERE created_by = ?"
                    + " AND revoked_at IS NULL AND expires_at > ?");
    private static final SqlFragment INSERT = SqlFragment.of(
            "INSERT INTO svc_platform.mcp_token (id, organisation_id, name, hash, hint, permissions, project_ref,"
                    + " read_only, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    private static final SqlFragment REVOKE = SqlFragment.of(
            "UPDATE svc_platform.mcp_token m SET revoked_at = coalesce(m.revoked_at, ?) WHERE m.organisation_id = ?"
                    + " AND m.id = ? AND (m.created_by = ? OR ?) RETURNING ");
    private static final SqlFragment REVOKE_GRANT =
            SqlFragment.of("UPDATE svc_platform.oauth_grant SET revoked_at = coalesce(revoked_at, ?)"
                    + " WHERE id = (SELECT grant_id FROM svc_platform.mcp_token WHERE id = ?)");
    private static final SqlFragment PRUNE = SqlFragment.of(
            "DELETE FROM svc_platform.mcp_token WHERE created_by = ? AND least(expires_at, revoked_at) < ?");

    private final PlatformDatabase database;

    McpTokenRepository(PlatformDatabase database) {
        this.database = database;
    }

    /** A token with what the one that it belongs to may do now. */
    record Known(
            McpToken token, List<String> parent, Optional<Instant> parentExpires, Optional<Instant> parentRevoked) {}

    Optional<Known> byHash(byte[] hash) {
        return database.queryOne(
                BY_HASH,
                row -> new Known(
                        read(row),
                        row.texts("parent_permissions"),
                        row.optional("parent_expires_at", Instant.class),
                        row.optional("parent_revoked_at", Instant.class)),
                (Object) hash);
    }

    List<McpToken> list(String organization, UUID by, boolean all) {
        return database.query(OF_ORGANIZATION, McpTokenRepository::read, organization, by, all);
    }

    long active(UUID by, Instant now) {
        return database.queryOne(ACTIVE, row -> row.number("active"), by, now).orElse(0L);
    }

    void insert(McpToken token, TokenSecret secret) {
        database.update(
                INSERT,
                token.id(),
                token.organization(),
                token.name(),
                secret.hash(),
                token.hint(),
                token.permissions().stream().map(Permission::wire).sorted().toList(),
                token.project().orElse(null),
                token.readOnly(),
                token.createdBy(),
                token.createdAt(),
                token.expiresAt());
    }

    /** Revokes a token, and the grant that it was issued for: the client gets no other. */
    Optional<McpToken> revoke(String organization, UUID id, UUID by, boolean any, Instant now) {
        Optional<McpToken> revoked =
                database.queryOne(REVOKE.append(COLUMNS), McpTokenRepository::read, now, organization, id, by, any);
        revoked.ifPresent(token -> database.update(REVOKE_GRANT, now, token.id()));
        return revoked;
    }

    /** Deletes what has been over since a time. */
    void prune(UUID by, Instant before) {
        database.update(PRUNE, by, before);
    }

    private static McpToken read(Row row) {
        return new McpToken(
                row.uuid("id"),
                row.text("organisation_id"),
                row.text("name"),
                row.text("hint"),
                row.texts("permissions").stream()
                        .flatMap(name -> Permission.ofWire(name).stream())
                        .collect(Collectors.toUnmodifiableSet()),
                row.optional("project_ref", String.class),
                row.flag("read_only"),
                row.uuid("created_by"),
                row.instant("created_at"),
                row.instant("expires_at"),
                row.optional("revoked_at", Instant.class));
    }
}
