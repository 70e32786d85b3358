package svc.api.auth.rows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;
import svc.database.sql.SqlTemplate;

/** The rows of {@code auth.identities}: by which places a user is known. */
public final class Identities {
    private static final SqlTemplate INSERT = SqlTemplate.of("""
            WITH made AS (INSERT INTO :"auth".identities
                (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
                VALUES (?, ?::uuid, ?::jsonb, ?, now(), now(), now()) RETURNING id)
            SELECT to_jsonb(id)::text FROM made""");

    private static final SqlTemplate UPDATE = SqlTemplate.of("""
            WITH changed AS (UPDATE :"auth".identities SET identity_data = identity_data || ?::jsonb, updated_at = now()
                WHERE user_id = ?::uuid AND provider = ? RETURNING id)
            SELECT (SELECT to_jsonb(id) FROM changed LIMIT 1)::text""");

    private static final SqlTemplate DELETE = SqlTemplate.of("""
            WITH gone AS (DELETE FROM :"auth".identities WHERE user_id = ?::uuid RETURNING id)
            SELECT (SELECT to_jsonb(count(*)) FROM gone)::text""");

    private final AuthRows rows;

    public Identities(AuthRows rows) {
        this.rows = rows;
    }

    /** @param subject how the provider calls the user */
    public void insert(UUID user, String provider, String subject, ObjectNode data) {
        rows.ask(INSERT, subject, user.toString(), data.toString(), provider);
    }

    /** @param data what changes of it */
    public void update(UUID user, String provider, ObjectNode data) {
        rows.ask(UPDATE, data.toString(), user.toString(), provider);
    }

    /** Forgets by which places a user is known, addresses and names that they gave included. */
    public void deleteOf(UUID user) {
        rows.ask(DELETE, user.toString());
    }
}
