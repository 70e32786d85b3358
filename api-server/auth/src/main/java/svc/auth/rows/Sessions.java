package svc.auth.rows;

import java.util.Optional;
import java.util.UUID;
import svc.auth.model.Session;
import svc.database.sql.SqlTemplate;

/** The tables {@code auth.sessions} and {@code auth.mfa_amr_claims}. */
public final class Sessions {
    private static final SqlTemplate INSERT = SqlTemplate.of("""
        WITH made AS (INSERT INTO :"auth".sessions
            (id, user_id, created_at, updated_at, aal, user_agent, refresh_token_counter)
            VALUES (?::uuid, ?::uuid, now(), now(), 'aal1', nullif(?, ''), 0) RETURNING id),
        method AS (INSERT INTO :"auth".mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
            SELECT id, now(), now(), ? FROM made)
        SELECT to_jsonb(id)::text FROM made\
        """);

    private static final SqlTemplate ONE = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(s) || jsonb_build_object('amr', coalesce((
            SELECT jsonb_agg(jsonb_build_object('method', a.authentication_method,
                'timestamp', floor(extract(epoch FROM a.created_at))) ORDER BY a.created_at DESC)
            FROM :"auth".mfa_amr_claims a WHERE a.session_id = s.id), '[]'))
        FROM :"auth".sessions s WHERE s.id = ?::uuid)::text\
        """);

    private static final SqlTemplate LOCK = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(l) FROM (
            SELECT s.id FROM :"auth".sessions s WHERE s.id = ?::uuid FOR UPDATE) l)::text\
        """);

    private static final SqlTemplate COUNT = SqlTemplate.of("""
        WITH counted AS (UPDATE :"auth".sessions
            SET refresh_token_counter = refresh_token_counter + 1, refreshed_at = clock_timestamp(), updated_at = now()
            WHERE id = ?::uuid RETURNING refresh_token_counter)
        SELECT (SELECT to_jsonb(refresh_token_counter) FROM counted)::text\
        """);

    // By two, so that no refresh token of before is the one just before.
    private static final SqlTemplate RAISE = SqlTemplate.of("""
        WITH raised AS (UPDATE :"auth".sessions
            SET aal = 'aal2', factor_id = ?::uuid, refresh_token_counter = refresh_token_counter + 2, updated_at = now()
            WHERE id = ?::uuid RETURNING id, user_id, refresh_token_counter),
        method AS (INSERT INTO :"auth".mfa_amr_claims (session_id, created_at, updated_at, authentication_method)
            SELECT id, clock_timestamp(), clock_timestamp(), ? FROM raised
            ON CONFLICT (session_id, authentication_method)
            DO UPDATE SET created_at = excluded.created_at, updated_at = excluded.updated_at),
        weaker AS (DELETE FROM :"auth".sessions s USING raised r
            WHERE s.user_id = r.user_id AND s.id <> r.id AND s.aal IS DISTINCT FROM 'aal2')
        SELECT (SELECT to_jsonb(refresh_token_counter) FROM raised)::text\
        """);

    private static final SqlTemplate DELETE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".sessions WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM gone)::text\
        """);

    private static final SqlTemplate DELETE_ALL = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".sessions WHERE user_id = ?::uuid AND id IS DISTINCT FROM nullif(?, '')::uuid RETURNING id)
        SELECT (SELECT to_jsonb(count(*)) FROM gone)::text\
        """);

    private final AuthSession rows;

    public Sessions(AuthSession rows) {
        this.rows = rows;
    }

    /** @param method as the claim {@code amr} names it */
    public void insert(UUID id, UUID user, Optional<String> userAgent, String method) {
        rows.ask(INSERT, id.toString(), user.toString(), userAgent.orElse(""), method);
    }

    public Optional<Session> byId(UUID id) {
        return rows.ask(ONE, id.toString()).map(RowMapper::session);
    }

    /** Locks the row until the transaction ends, and reads it after that. */
    public Optional<Session> locked(UUID id) {
        return rows.ask(LOCK, id.toString()).flatMap(locked -> byId(id));
    }

    /** @return the counter of the next refresh token */
    public long count(UUID id) {
        return rows.ask(COUNT, id.toString()).orElseThrow().longValue();
    }

    /**
     * Raises the session to aal2 after a second factor, and ends the user's sessions of aal1.
     *
     * @param method as the claim {@code amr} names it
     * @return the counter of the next refresh token
     */
    public long raise(UUID id, UUID factor, String method) {
        return rows.ask(RAISE, factor.toString(), id.toString(), method)
                .orElseThrow()
                .longValue();
    }

    public void delete(UUID id) {
        rows.ask(DELETE, id.toString());
    }

    /** @param but a session that stays; empty for none */
    public void deleteOf(UUID user, Optional<UUID> but) {
        rows.ask(DELETE_ALL, user.toString(), but.map(UUID::toString).orElse(""));
    }
}
