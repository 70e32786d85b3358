package svc.api.auth.rows;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import svc.api.db.Flush;
import svc.api.tenancy.Tenant;
import svc.crds.project.auth.SessionSpec;
import svc.database.sql.SqlTemplate;

/**
 * The move to the next refresh token where nothing speaks against it, in one statement: the token is the present one, the
 * session lives and its user is not banned. Of several that come with one token PostgreSQL lets one move; the others find
 * the counter gone on. Whoever gets null is told why elsewhere.
 */
public final class Refresh {
    private static final SqlTemplate MOVE = SqlTemplate.of("""
            WITH asked AS (SELECT ?::uuid AS id, ?::bigint AS counter, ?::timestamptz AS now,
                nullif(?, '')::int AS life, nullif(?, '')::int AS idle),
            moved AS (UPDATE :"auth".sessions s
                SET refresh_token_counter = s.refresh_token_counter + 1, refreshed_at = clock_timestamp(), updated_at = now()
                FROM asked a, :"auth".users u
                WHERE s.id = a.id AND s.refresh_token_counter = a.counter AND u.id = s.user_id
                    AND (u.banned_until IS NULL OR u.banned_until <= a.now)
                    AND (a.life IS NULL OR s.created_at + make_interval(secs => a.life) >= a.now)
                    AND (a.idle IS NULL OR coalesce(s.refreshed_at, s.created_at) + make_interval(secs => a.idle) >= a.now)
                RETURNING s.*),
            logged AS (INSERT INTO :"auth".audit_log_entries (instance_id, id, payload, created_at)
                SELECT '00000000-0000-0000-0000-000000000000', gen_random_uuid(), json_build_object(
                    'action', 'token_refreshed', 'log_type', 'token', 'actor_id', u.id,
                    'actor_username', coalesce(u.email, '')), now()
                FROM moved m JOIN :"auth".users u ON u.id = m.user_id)
            SELECT (SELECT jsonb_build_object('session', to_jsonb(m) || jsonb_build_object('amr', coalesce((
                SELECT jsonb_agg(jsonb_build_object('method', a.authentication_method,
                    'timestamp', floor(extract(epoch FROM a.created_at))) ORDER BY a.created_at DESC)
                FROM :"auth".mfa_amr_claims a WHERE a.session_id = m.id), '[]')), 'user', """
            + Users.WITH_IDENTITIES_AND_FACTORS
            + ") FROM moved m JOIN :\"auth\".users u ON u.id = m.user_id)::text");

    private Refresh() {}

    /** Gives {@code session}, which has moved, and {@code user}; null for everything else. */
    public static AuthQuestion move(Tenant tenant, UUID session, long counter, SessionSpec life, Instant now) {
        return new AuthQuestion(
                Flush.Access.WRITE,
                MOVE.bind(Map.of("auth", tenant.names().auth())),
                List.of(
                        session.toString(),
                        Long.toString(counter),
                        now.toString(),
                        text(life.timeboxSeconds()),
                        text(life.inactivityTimeoutSeconds())));
    }

    private static String text(Integer seconds) {
        return seconds == null ? "" : seconds.toString();
    }
}
