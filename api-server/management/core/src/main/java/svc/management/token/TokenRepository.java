package svc.management.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import svc.database.sql.SqlFragment;
import svc.postgres.Row;
import svc.postgres.Statements;
import svc.postgres.jdbc.PlatformDatabase;

/** The rows of {@code svc_platform.token}. Every query but those by a hash is restricted to an organisation. */
@ApplicationScoped
public class TokenRepository {
    private static final SqlFragment SELECT =
            SqlFragment.of("SELECT id, organisation_id, name, hint, permissions, created_at, expires_at, revoked_at,"
                    + " supabase_hash IS NULL AS unspelled FROM svc_platform.token ");
    private static final SqlFragment INSERT = SqlFragment.of(
            "INSERT INTO svc_platform.token (id, organisation_id, name, hash, supabase_hash, hint, permissions, created_by,"
                    + " created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING");
    private static final SqlFragment UPDATE =
            SqlFragment.of("UPDATE svc_platform.token SET name = ?, permissions = ?, expires_at = ?, revoked_at = ?"
                    + " WHERE organisation_id = ? AND id = ?");
    private static final SqlFragment SPELL =
            SqlFragment.of("UPDATE svc_platform.token SET supabase_hash = ? WHERE id = ? AND supabase_hash IS NULL");

    private final PlatformDatabase database;

    public TokenRepository(PlatformDatabase database) {
        this.database = database;
    }

    /** @param unspelled whether it is from a time when the hash of its other spelling was not stored */
    record Known(AccessToken token, boolean unspelled) {}

    Optional<Known> find(TokenSecret secret) {
        return byHash(SELECT.append("WHERE hash = ?"), secret.hash());
    }

    Optional<Known> find(SupabaseSpelling spelling) {
        return byHash(SELECT.append("WHERE supabase_hash = ?"), spelling.hash());
    }

    private Optional<Known> byHash(SqlFragment sql, byte[] hash) {
        return database.queryOne(sql, row -> new Known(read(row), row.flag("unspelled")), (Object) hash);
    }

    /** Stores the hash of a token's other spelling, unless it is stored. */
    void spell(UUID id, SupabaseSpelling spelling) {
        database.update(SPELL, spelling.hash(), id);
    }

    List<AccessToken> ofOrganization(String organization) {
        return database.query(
                SELECT.append("WHERE organisation_id = ? ORDER BY created_at, id"),
                TokenRepository::read,
                organization);
    }

    Optional<AccessToken> find(String organization, UUID id) {
        return find(database, SELECT.append("WHERE organisation_id = ? AND id = ?"), organization, id);
    }

    /** Stores a new token; does nothing if its secret is stored already. */
    void insert(AccessToken token, TokenSecret secret, Optional<UUID> createdBy) {
        insert(database, token, secret, createdBy);
    }

    void insert(Statements statements, AccessToken token, TokenSecret secret, Optional<UUID> createdBy) {
        statements.update(
                INSERT,
                token.id(),
                token.organization(),
                token.name(),
                secret.hash(),
                SupabaseSpelling.of(secret).hash(),
                secret.hint(),
                wire(token),
                createdBy.orElse(null),
                token.createdAt(),
                token.expiresAt().orElse(null));
    }

    /**
     * Changes a token under a row lock, so that concurrent changes both apply.
     *
     * @return the changed token; empty if the organisation has none with this id
     */
    Optional<AccessToken> change(String organization, UUID id, TokenChange change) {
        return database.transaction(statements -> {
            Optional<AccessToken> found = find(
                    statements, SELECT.append("WHERE organisation_id = ? AND id = ? FOR UPDATE"), organization, id);
            Optional<AccessToken> changed = found.map(change::apply);
            changed.ifPresent(token -> statements.update(
                    UPDATE,
                    token.name(),
                    wire(token),
                    token.expiresAt().orElse(null),
                    token.revokedAt().orElse(null),
                    organization,
                    id));
            return changed;
        });
    }

    /** The changed token; throws to keep it unchanged. */
    interface TokenChange {
        AccessToken apply(AccessToken token);
    }

    private static Optional<AccessToken> find(Statements statements, SqlFragment sql, String organization, UUID id) {
        return statements.queryOne(sql, TokenRepository::read, organization, id);
    }

    private static List<String> wire(AccessToken token) {
        return token.permissions().stream().map(Permission::wire).sorted().toList();
    }

    private static AccessToken read(Row row) {
        return new AccessToken(
                row.uuid("id"),
                row.text("organisation_id"),
                row.text("name"),
                row.text("hint"),
                // A permission that this version does not know is ignored.
                row.texts("permissions").stream()
                        .flatMap(name -> Permission.ofWire(name).stream())
                        .collect(Collectors.toUnmodifiableSet()),
                row.instant("created_at"),
                row.optional("expires_at", Instant.class),
                row.optional("revoked_at", Instant.class));
    }
}
