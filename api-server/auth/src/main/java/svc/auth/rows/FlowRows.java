package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import svc.database.sql.SqlTemplate;

/** The rows of {@code auth.flow_state}, as JSON by their columns' names: sign-ins that have begun and not come to an end. */
public final class FlowRows {
    // What nobody came back for goes with the next that begins: a few rows each time, so that no sign-in waits long.
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
     * @param oldVisit flows at a provider that began earlier are forgotten
     * @param oldMail flows by mail that began earlier are forgotten; before {@code oldVisit}
     */
    public void insert(ObjectNode columns, Instant oldVisit, Instant oldMail) {
        rows.ask(INSERT, oldVisit.toString(), oldMail.toString(), columns.toString());
    }

    /** One that nobody else changes until the transaction ends. */
    public Optional<JsonNode> byId(UUID id) {
        return rows.ask(BY_ID, id.toString());
    }

    /** The same, by what {@link #issue} has written. */
    public Optional<JsonNode> byCode(String codeHash) {
        return rows.ask(BY_CODE, codeHash);
    }

    /** The newest one of a user by a method that has no code yet. */
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

    /** Takes its secret away: it has served. */
    public void take(UUID id) {
        rows.ask(TAKE, id.toString());
    }

    public void delete(UUID id) {
        rows.ask(DELETE, id.toString());
    }
}
