package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.database.sql.SqlTemplate;

/**
 * The table {@code auth.one_time_tokens}: the tokens that were sent to an address or a number, one of each type per user. The
 * columns of that name in {@code auth.users}, which tenants' SQL may read, stay empty.
 */
public final class OneTimeTokens {
    private static final SqlTemplate PUT = SqlTemplate.of("""
        WITH made AS (INSERT INTO :"auth".one_time_tokens AS t
            (user_id, token_type, token_hash, relates_to, created_at, updated_at)
            VALUES (?::uuid, ?, ?, ?, ?::timestamptz, now())
            ON CONFLICT (user_id, token_type) DO UPDATE SET id = gen_random_uuid(), token_hash = excluded.token_hash,
                relates_to = excluded.relates_to, created_at = excluded.created_at, updated_at = now()
            RETURNING id)
        SELECT to_jsonb(id)::text FROM made\
        """);

    private static final SqlTemplate BY_HASH = SqlTemplate.of("""
        SELECT (SELECT jsonb_agg(to_jsonb(t)) FROM :"auth".one_time_tokens t
            WHERE t.token_hash = ? AND t.token_type = ANY (string_to_array(?, ',')))::text\
        """);

    private static final SqlTemplate BY_ADDRESS = SqlTemplate.of("""
        SELECT (SELECT jsonb_agg(to_jsonb(t)) FROM :"auth".one_time_tokens t
            WHERE t.relates_to = ? AND t.token_type = ANY (string_to_array(?, ',')))::text\
        """);

    private static final SqlTemplate DELETE = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".one_time_tokens WHERE id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(id) FROM gone)::text\
        """);

    private static final SqlTemplate DELETE_ALL = SqlTemplate.of("""
        WITH gone AS (DELETE FROM :"auth".one_time_tokens WHERE user_id = ?::uuid RETURNING id)
        SELECT (SELECT to_jsonb(count(*)) FROM gone)::text\
        """);

    private static final SqlTemplate OF_USER = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(t) FROM :"auth".one_time_tokens t
            WHERE t.user_id = ?::uuid AND t.token_type = ?)::text\
        """);

    private final AuthSession rows;

    public OneTimeTokens(AuthSession rows) {
        this.rows = rows;
    }

    /** GoTrue's types. */
    public enum Type {
        CONFIRMATION,
        RECOVERY,
        EMAIL_CHANGE_NEW,
        EMAIL_CHANGE_CURRENT,
        REAUTHENTICATION,
        PHONE_CHANGE,
        /** Not a token: {@link Attempt}. Its hash and its address open nothing. */
        ATTEMPT;

        String word() {
            return switch (this) {
                case CONFIRMATION -> "confirmation_token";
                case RECOVERY -> "recovery_token";
                case EMAIL_CHANGE_NEW -> "email_change_token_new";
                case EMAIL_CHANGE_CURRENT -> "email_change_token_current";
                case REAUTHENTICATION -> "reauthentication_token";
                case PHONE_CHANGE -> "phone_change_token";
                case ATTEMPT -> "sign_up_attempt";
            };
        }

        static Type of(String word) {
            for (Type type : values()) {
                if (type.word().equals(word)) {
                    return type;
                }
            }
            throw new IllegalArgumentException("there is no token of type " + word);
        }
    }

    /**
     * A token that was sent.
     *
     * @param hash of the secret in the link
     * @param address or number of the recipient
     */
    public record Sent(UUID id, UUID user, Type type, String hash, String address, Instant at) {
        private static Sent of(JsonNode row) {
            return new Sent(
                    UUID.fromString(row.path("id").asText()),
                    UUID.fromString(row.path("user_id").asText()),
                    Type.of(row.path("token_type").asText()),
                    row.path("token_hash").asText(),
                    row.path("relates_to").asText(),
                    OffsetDateTime.parse(row.path("created_at").asText()).toInstant());
        }
    }

    /** Replaces the user's token of the type. A concurrent transaction waits for this one. */
    public void put(UUID user, Type type, String hash, String address, Instant now) {
        rows.ask(PUT, user.toString(), type.word(), hash, address, now.toString());
    }

    /** The user's token of a type, expired or not. */
    Optional<Sent> ofUser(UUID user, Type type) {
        return rows.ask(OF_USER, user.toString(), type.word()).map(Sent::of);
    }

    public Optional<Sent> byHash(String hash, Collection<Type> types) {
        return list(rows.ask(BY_HASH, hash, words(types))).stream().findFirst();
    }

    public List<Sent> byAddress(String address, Collection<Type> types) {
        return list(rows.ask(BY_ADDRESS, address, words(types)));
    }

    /** @return false when a concurrent call has used it: then it is not valid */
    public boolean use(UUID id) {
        return rows.ask(DELETE, id.toString()).isPresent();
    }

    /** Invalidates all tokens of a user. */
    public void deleteOf(UUID user) {
        rows.ask(DELETE_ALL, user.toString());
    }

    private static String words(Collection<Type> types) {
        return String.join(",", types.stream().map(Type::word).toList());
    }

    private static List<Sent> list(Optional<JsonNode> found) {
        var list = new ArrayList<Sent>();
        found.ifPresent(rows -> rows.forEach(row -> list.add(Sent.of(row))));
        return list;
    }
}
