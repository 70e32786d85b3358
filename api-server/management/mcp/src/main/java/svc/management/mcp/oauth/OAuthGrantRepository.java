package svc.management.mcp.oauth;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.management.token.Permission;
import svc.management.token.TokenSecret;
import svc.postgres.Row;
import svc.postgres.Statements;
import svc.postgres.jdbc.PlatformDatabase;

/** The rows of grants with their codes, refresh tokens and access tokens. */
@ApplicationScoped
class OAuthGrantRepository {
    private static final SqlFragment SELECT = SqlFragment.of(
            "SELECT g.id, g.client_id, c.name AS client_name, g.organisation_id, g.permissions, g.project_ref,"
                    + " g.read_only, g.created_by, g.code_expires_at, g.redirect_uri, g.challenge,"
                    + " g.revoked_at IS NULL AND g.expires_at > ?::timestamptz AND t.revoked_at IS NULL"
                    + " AND coalesce(t.expires_at > ?::timestamptz, true) AS active"
                    + " FROM svc_platform.oauth_grant g JOIN svc_platform.oauth_client c ON c.id = g.client_id"
                    + " JOIN svc_platform.token t ON t.id = g.created_by WHERE g.");
    private static final SqlFragment INSERT = SqlFragment.of(
            "INSERT INTO svc_platform.oauth_grant (id, client_id, organisation_id, permissions, project_ref, read_only,"
                    + " created_by, created_at, expires_at, code_hash, code_expires_at, redirect_uri, challenge)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    private static final SqlFragment ACTIVE =
            SqlFragment.of("SELECT count(*) AS active FROM svc_platform.oauth_grant WHERE created_by = ?"
                    + " AND revoked_at IS NULL AND expires_at > ?");
    private static final SqlFragment PRUNE = SqlFragment.of(
            "DELETE FROM svc_platform.oauth_grant WHERE created_by = ? AND (least(expires_at, revoked_at) < ?"
                    + " OR code_used_at IS NULL AND code_expires_at < ?)");
    private static final SqlFragment USE_CODE =
            SqlFragment.of("UPDATE svc_platform.oauth_grant SET code_used_at = ? WHERE code_hash = ?"
                    + " AND code_used_at IS NULL RETURNING id");
    private static final SqlFragment OF_CODE =
            SqlFragment.of("SELECT id FROM svc_platform.oauth_grant WHERE code_hash = ?");
    private static final SqlFragment USE_REFRESH =
            SqlFragment.of("UPDATE svc_platform.oauth_refresh_token SET used_at = ? WHERE hash = ?"
                    + " AND used_at IS NULL RETURNING grant_id AS id");
    private static final SqlFragment OF_REFRESH =
            SqlFragment.of("SELECT grant_id AS id FROM svc_platform.oauth_refresh_token WHERE hash = ?");
    private static final SqlFragment OF_ACCESS =
            SqlFragment.of("SELECT grant_id AS id FROM svc_platform.mcp_token WHERE hash = ? AND grant_id IS NOT NULL");
    private static final SqlFragment REVOKE =
            SqlFragment.of("UPDATE svc_platform.oauth_grant SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL");
    private static final SqlFragment REVOKE_ACCESS =
            SqlFragment.of("UPDATE svc_platform.mcp_token SET revoked_at = coalesce(revoked_at, ?) WHERE grant_id = ?");
    private static final SqlFragment LOCK =
            SqlFragment.of("SELECT id FROM svc_platform.oauth_grant WHERE id = ? AND revoked_at IS NULL FOR UPDATE");
    private static final SqlFragment FORGET_ACCESS =
            SqlFragment.of("DELETE FROM svc_platform.mcp_token WHERE grant_id = ?");
    private static final SqlFragment FORGET_REFRESH =
            SqlFragment.of("DELETE FROM svc_platform.oauth_refresh_token WHERE grant_id = ? AND used_at < ?");
    private static final SqlFragment ACCESS = SqlFragment.of(
            "INSERT INTO svc_platform.mcp_token (id, organisation_id, name, hash, hint, permissions, project_ref,"
                    + " read_only, created_by, created_at, expires_at, grant_id)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    private static final SqlFragment REFRESH =
            SqlFragment.of("INSERT INTO svc_platform.oauth_refresh_token (hash, grant_id, issued_at) VALUES (?, ?, ?)");

    private final PlatformDatabase database;

    OAuthGrantRepository(PlatformDatabase database) {
        this.database = database;
    }

    long active(UUID token, Instant now) {
        return database.queryOne(ACTIVE, row -> row.number("active"), token, now)
                .orElse(0L);
    }

    /** Deletes what has been over since a time, and grants whose code was not redeemed. */
    void prune(UUID token, Instant over, Instant now) {
        database.update(PRUNE, token, over, now);
    }

    void insert(OAuthGrant grant, Set<Permission> permissions, byte[] code, Instant now, Instant end) {
        database.update(
                INSERT,
                grant.id(),
                grant.client(),
                grant.organization(),
                permissions.stream().map(Permission::wire).sorted().toList(),
                grant.project().orElse(null),
                grant.readOnly(),
                grant.createdBy(),
                now,
                end,
                code,
                grant.codeExpiresAt(),
                grant.redirectUri(),
                grant.challenge());
    }

    /** The grant of a secret that works once, and whether this is that time. */
    record Use(OAuthGrant grant, boolean first) {}

    Optional<Use> useCode(byte[] hash, Instant now) {
        return use(USE_CODE, OF_CODE, hash, now);
    }

    Optional<Use> useRefresh(byte[] hash, Instant now) {
        return use(USE_REFRESH, OF_REFRESH, hash, now);
    }

    private Optional<Use> use(SqlFragment once, SqlFragment any, byte[] hash, Instant now) {
        Optional<UUID> first = database.queryOne(once, row -> row.uuid("id"), now, hash);
        Optional<UUID> id = first.isPresent() ? first : database.queryOne(any, row -> row.uuid("id"), (Object) hash);
        return id.flatMap(found -> grant(found, now)).map(grant -> new Use(grant, first.isPresent()));
    }

    /** The grant of a refresh token or an access token. */
    Optional<OAuthGrant> ofToken(byte[] hash, Instant now) {
        return database.queryOne(OF_REFRESH, row -> row.uuid("id"), (Object) hash)
                .or(() -> database.queryOne(OF_ACCESS, row -> row.uuid("id"), (Object) hash))
                .flatMap(id -> grant(id, now));
    }

    private Optional<OAuthGrant> grant(UUID id, Instant now) {
        return database.queryOne(SELECT.append("id = ?"), OAuthGrantRepository::read, now, now, id);
    }

    /** Revokes a grant and its tokens; false if it was revoked before. */
    boolean revoke(UUID grant, Instant now) {
        return database.transaction(statements -> {
            boolean first = statements.update(REVOKE, now, grant) > 0;
            statements.update(REVOKE_ACCESS, now, grant);
            return first;
        });
    }

    /** Replaces the tokens of a grant; false if it was revoked meanwhile. */
    boolean issue(
            OAuthGrant grant, TokenSecret access, Instant accessEnd, byte[] refresh, Instant now, Instant forgotten) {
        return database.transaction(statements -> {
            if (statements.queryOne(LOCK, row -> row.uuid("id"), grant.id()).isEmpty()) {
                return false;
            }
            issue(statements, grant, access, accessEnd, refresh, now, forgotten);
            return true;
        });
    }

    private static void issue(
            Statements statements,
            OAuthGrant grant,
            TokenSecret access,
            Instant accessEnd,
            byte[] refresh,
            Instant now,
            Instant forgotten) {
        statements.update(FORGET_ACCESS, grant.id());
        statements.update(FORGET_REFRESH, grant.id(), forgotten);
        statements.update(
                ACCESS,
                UUID.randomUUID(),
                grant.organization(),
                grant.clientName(),
                access.hash(),
                access.hint(),
                grant.permissions(),
                grant.project().orElse(null),
                grant.readOnly(),
                grant.createdBy(),
                now,
                accessEnd,
                grant.id());
        statements.update(REFRESH, refresh, grant.id(), now);
    }

    private static OAuthGrant read(Row row) {
        return new OAuthGrant(
                row.uuid("id"),
                row.uuid("client_id"),
                row.text("client_name"),
                row.text("organisation_id"),
                List.copyOf(row.texts("permissions")),
                row.optional("project_ref", String.class),
                row.flag("read_only"),
                row.uuid("created_by"),
                row.flag("active"),
                row.instant("code_expires_at"),
                row.text("redirect_uri"),
                row.text("challenge"));
    }
}
