package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.database.sql.SqlTemplate;

/** The rows of {@code auth.identities}: by which places a user is known. */
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

    private static final SqlTemplate SEEN = SqlTemplate.of("""
        WITH changed AS (UPDATE :"auth".identities
            SET identity_data = ?::jsonb, last_sign_in_at = now(), updated_at = now()
            WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM changed)::text\
        """);

    private static final SqlTemplate KNOWN_BY = SqlTemplate.of("""
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

    private static final SqlTemplate DELETE_OTHERS = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".identities WHERE user_id = ?::uuid AND NOT (provider = ? AND provider_id = ?)
            RETURNING id)
        SELECT (SELECT to_jsonb(count(*)) FROM gone)::text\
        """);

    private final AuthSession rows;

    public Identities(AuthSession rows) {
        this.rows = rows;
    }

    /** @param subject how the provider calls the user */
    public void insert(UUID user, String provider, String subject, ObjectNode data) {
        rows.ask(INSERT, subject, user.toString(), data.toString(), provider);
    }

    /** The one by which a provider knows somebody. */
    public Optional<JsonNode> bySubject(String provider, String subject) {
        return rows.ask(BY_SUBJECT, subject, provider);
    }

    /** Notes a sign-in by it, and what the provider says now. */
    public void seen(UUID id, ObjectNode data) {
        rows.ask(SEEN, data.toString(), id.toString());
    }

    /** The users whom any provider knows by one of these addresses, and has made sure of it. */
    public List<UUID> knownBy(Collection<String> emails) {
        ArrayNode wanted = AuthSession.array();
        emails.forEach(wanted::add);
        List<UUID> users = new ArrayList<>();
        rows.ask(KNOWN_BY, wanted.toString())
                .ifPresent(found -> found.forEach(id -> users.add(UUID.fromString(id.asText()))));
        return users;
    }

    public void delete(UUID id) {
        rows.ask(DELETE_ONE, id.toString());
    }

    /** Forgets all identities of a user but one. */
    public void deleteOthers(UUID user, String provider, String subject) {
        rows.ask(DELETE_OTHERS, user.toString(), provider, subject);
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
