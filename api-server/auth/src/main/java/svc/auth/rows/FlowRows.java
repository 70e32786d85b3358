package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import svc.database.sql.SqlTemplate;

/** The table {@code auth.flow_state}, as JSON by the columns' names: sign-ins that have not ended. */
public final class FlowRows {
    // Abandoned rows are deleted with the next insert: a few each time, so that no sign-in waits long.
    private static final SqlTemplate INSERT = SqlTemplate.of("""
        WITH old AS (DELETE FROM :"auth".flow_state WHERE id IN (SELECT f.id FROM :"auth".flow_state f
            WHERE f.created_at < ?::timestamptz
                AND (f.authentication_method = 'oauth' OR f.created_at < ?::timestamptz)
            ORDER BY f.created_at LIMIT 100 FOR UPDATE SKIP LOCKED)),
        made AS (INSERT INTO :"auth".flow_state
            SELECT * FROM jsonb_populate_record(CAST(NULL AS :"auth".flow_state), ?::jsonb) RETURNING id)
        SELECT to_jsonb(id)::text FROM made\
        """);

    private static final SqlTemplate BY_ID = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(l) FROM (
            SELECT * FROM :"auth".flow_state WHERE id = ?::uuid FOR UPDATE) l)::text\
        """);

    private static final SqlTemplate BY_CODE = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(l) FROM (
            SELECT * FROM :"auth".flow_state WHERE auth_code = ? LIMIT 1 FOR UPDATE) l)::text\
        """);

    private static final SqlTemplate NEWEST = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(l) FROM (
            SELECT * FROM :"auth".flow_state WHERE user_id = ?::uuid AND authentication_method = ?
                AND auth_code IS NULL ORDER BY created_at DESC LIMIT 1 FOR UPDATE) l)::text\
        """);

    private static final SqlTemplate ISSUE = SqlTemplate.of("""
        WITH changed AS (UPDATE :"auth".flow_state SET auth_code = ?, auth_code_issued_at = ?::timestamptz,
                updated_at = ?::timestamptz, user_id = ?::uuid, provider_access_token = nullif(?, ''),
                provider_refresh_token = nullif(?, '')
            WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM changed)::text\
        """);

    private static final SqlTemplate HOLD = SqlTemplate.of("""
        WITH changed AS (UPDATE :"auth".flow_state SET referrer = ? WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM changed)::text\
        """);

    private static final SqlTemplate TAKE = SqlTemplate.of("""
        WITH changed AS (UPDATE :"auth".flow_state SET nonce = NULL WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM changed)::text\
        """);

    private static final SqlTemplate DELETE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".flow_state WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM gone)::text\
        """);

    private final AuthSession rows;

    public FlowRows(AuthSession rows) {
        this.rows = rows;
    }

    /**
     * @param columns those that are not null
     * @param oldProvider older flows at a provider are deleted
     * @param oldMail older flows by mail are deleted; before {@code oldProvider}
     */
    public void insert(ObjectNode columns, Instant oldProvider, Instant oldMail) {
        rows.ask(INSERT, oldProvider.toString(), oldMail.toString(), columns.toString());
    }

    /** Locks the row until the transaction ends. */
    public Optional<JsonNode> byId(UUID id) {
        return rows.ask(BY_ID, id.toString());
    }

    /** The same, by what {@link #issue} has written. */
    public Optional<JsonNode> byCode(String codeHash) {
        return rows.ask(BY_CODE, codeHash);
    }

    /** The newest flow of a user and a method without a code. */
    public Optional<JsonNode> newestOf(UUID user, String method) {
        return rows.ask(NEWEST, user.toString(), method);
    }

    /** @param providerAccess empty for none, {@code providerRefresh} likewise */
    public void issue(UUID id, String codeHash, Instant now, UUID user, String providerAccess, String providerRefresh) {
        rows.ask(
                ISSUE,
                codeHash,
                now.toString(),
                now.toString(),
                user.toString(),
                providerAccess,
                providerRefresh,
                id.toString());
    }

    /** Keeps a provider's user until the exchange, in the place of the redirect, which has happened. */
    public void hold(UUID id, String external) {
        rows.ask(HOLD, external, id.toString());
    }

    /** Deletes the secret: a second callback is refused. */
    public void take(UUID id) {
        rows.ask(TAKE, id.toString());
    }

    public void delete(UUID id) {
        rows.ask(DELETE, id.toString());
    }
}
