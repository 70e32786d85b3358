package svc.auth.rows;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import svc.auth.model.Session;
import svc.auth.model.User;
import svc.crds.project.auth.SessionSpec;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;

/**
 * The move to the next refresh token in one statement, where all conditions hold: the token is the newest one, the session
 * is alive and its user not banned. Of concurrent calls with one token PostgreSQL lets one move; the others find another
 * counter.
 */
public final class RefreshQuery {
    // One join for everything: each node of a plan has a set-up cost per refresh.
    private static final SqlTemplate MOVE = SqlTemplate.of("""
        WITH moved AS (UPDATE :"auth".sessions s
            SET refresh_token_counter = s.refresh_token_counter + 1, refreshed_at = clock_timestamp(), updated_at = now()
            FROM :"auth".users u
            WHERE s.id = ?::uuid AND s.refresh_token_counter = ?::bigint AND u.id = s.user_id
                AND (u.banned_until IS NULL OR u.banned_until <= ?::timestamptz)
                AND s.created_at >= ?::timestamptz AND coalesce(s.refreshed_at, s.created_at) >= ?::timestamptz
            RETURNING u.id, u.email, jsonb_build_object('session', to_jsonb(s) || jsonb_build_object('amr', coalesce((
                SELECT jsonb_agg(jsonb_build_object('method', a.authentication_method,
                    'timestamp', floor(extract(epoch FROM a.created_at))) ORDER BY a.created_at DESC)
                FROM :"auth".mfa_amr_claims a WHERE a.session_id = s.id), '[]')), 'user',\
        """ + Users.WITH_IDENTITIES_AND_FACTORS + """
            ) AS found),
        logged AS (INSERT INTO :"auth".audit_log_entries (instance_id, id, payload, created_at)
            SELECT '00000000-0000-0000-0000-000000000000', gen_random_uuid(), json_build_object(
                'action', 'token_refreshed', 'log_type', 'token', 'actor_id', m.id,
                'actor_username', coalesce(m.email, '')), now()
            FROM moved m)
        SELECT (SELECT m.found FROM moved m)::text\
        """);

    private RefreshQuery() {}

    /** The session after the move, with its user. */
    public record Moved(User user, Session session) {}

    /** Empty when a condition fails; the caller then finds out which. */
    public static AuthQuery<Moved> move(Tenant tenant, UUID session, long counter, SessionSpec life, Instant now) {
        return new AuthQuery<>(
                Access.WRITE,
                MOVE.bind(Map.of("auth", tenant.names().auth())),
                List.of(
                        session.toString(),
                        Long.toString(counter),
                        now.toString(),
                        earliest(now, life.timeboxSeconds()),
                        earliest(now, life.inactivityTimeoutSeconds())),
                row -> new Moved(RowMapper.user(row.path("user")), RowMapper.session(row.path("session"))));
    }

    /** Sessions from before are over. */
    private static String earliest(Instant now, Integer seconds) {
        return seconds == null ? "-infinity" : now.minusSeconds(seconds).toString();
    }
}
