package svc.auth.rows;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.model.Identity;
import svc.database.sql.SqlTemplate;

/** The table {@code auth.identities}. */
public final class Identities {
    private static final SqlTemplate INSERT = SqlTemplate.of("""
        WITH made AS (INSERT INTO :"auth".identities
            (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
            VALUES (?, ?::uuid, ?::jsonb, ?, now(), now(), now()) RETURNING id)
        SELECT to_jsonb(id)::text FROM made\
        """);

    private static final SqlTemplate UPDATE = SqlTemplate.of("""
        WITH changed AS (UPDATE :"auth".identities SET identity_data = identity_data || ?::jsonb, updated_at = now()
            WHERE user_id = ?::uuid AND provider = ? RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM changed LIMIT 1)::text\
        """);

    private static final SqlTemplate DELETE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".identities WHERE user_id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(count(*)) FROM gone)::text\
        """);

    private static final SqlTemplate BY_SUBJECT = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(i) FROM :"auth".identities i WHERE i.provider_id = ? AND i.provider = ?)::text\
        """);

    private static final SqlTemplate SIGNED_IN = SqlTemplate.of("""
        WITH changed AS (UPDATE :"auth".identities
            SET identity_data = ?::jsonb, last_sign_in_at = now(), updated_at = now()
            WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM changed)::text\
        """);

    private static final SqlTemplate WITH_VERIFIED = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(array_agg(DISTINCT i.user_id)) FROM :"auth".identities i
            JOIN :"auth".users u ON u.id = i.user_id
            WHERE i.email IN (SELECT jsonb_array_elements_text(?::jsonb))
                AND i.identity_data ->> 'email_verified' = 'true'
                AND NOT u.is_sso_user AND u.deleted_at IS NULL)::text\
        """);

    private static final SqlTemplate DELETE_ONE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".identities WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM gone)::text\
        """);

    private final AuthSession rows;

    public Identities(AuthSession rows) {
        this.rows = rows;
    }

    /** @param subject the provider's id of the user */
    public void insert(UUID user, String provider, String subject, ObjectNode data) {
        rows.ask(INSERT, subject, user.toString(), data.toString(), provider);
    }

    public Optional<Identity> bySubject(String provider, String subject) {
        return rows.ask(BY_SUBJECT, subject, provider).map(RowMapper::identity);
    }

    /** Records a sign-in and the provider's present data. */
    public void recordSignIn(UUID id, ObjectNode data) {
        rows.ask(SIGNED_IN, data.toString(), id.toString());
    }

    /** Users with a verified identity of one of these addresses. */
    public List<UUID> usersWithVerified(Collection<String> emails) {
        ArrayNode wanted = AuthSession.array();
        emails.forEach(wanted::add);
        List<UUID> users = new ArrayList<>();
        rows.ask(WITH_VERIFIED, wanted.toString())
                .ifPresent(found -> found.forEach(id -> users.add(UUID.fromString(id.asText()))));
        return users;
    }

    public void delete(UUID id) {
        rows.ask(DELETE_ONE, id.toString());
    }

    /** @param data members that change */
    public void update(UUID user, String provider, ObjectNode data) {
        rows.ask(UPDATE, data.toString(), user.toString(), provider);
    }

    /** Deletes all identities of a user, with the personal data in them. */
    public void deleteOf(UUID user) {
        rows.ask(DELETE, user.toString());
    }
}
