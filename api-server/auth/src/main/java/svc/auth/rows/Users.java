package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.auth.model.NewUser;
import svc.auth.model.User;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** The table {@code auth.users}: each user is read with its identities and factors. */
public final class Users {
    /** The JSON of a row of alias {@code u}; the companion's name goes into the place {@code auth}. */
    static final String WITH_IDENTITIES_AND_FACTORS = "to_jsonb(u) || jsonb_build_object("
            + "'identities', coalesce((SELECT jsonb_agg(to_jsonb(i) ORDER BY i.created_at, i.id)"
            + " FROM :\"auth\".identities i WHERE i.user_id = u.id), '[]'),"
            + " 'factors', coalesce((SELECT jsonb_agg(to_jsonb(f) - 'secret' ORDER BY f.created_at, f.id)"
            + " FROM :\"auth\".mfa_factors f WHERE f.user_id = u.id), '[]'))";

    private static final SqlTemplate ONE = SqlTemplate.of(
            "SELECT (SELECT " + WITH_IDENTITIES_AND_FACTORS + " FROM :\"auth\".users u WHERE :{condition})::text");

    private static final SqlTemplate PAGE = SqlTemplate.of("""
        WITH wanted AS (SELECT u.* FROM :"auth".users u, (SELECT ?::text AS filter) f
            WHERE u.deleted_at IS NULL AND (f.filter = '' OR strpos(u.email, f.filter) > 0
                OR strpos(u.phone, f.filter) > 0
                OR strpos(lower(u.raw_user_meta_data ->> 'full_name'), f.filter) > 0)),
        page AS (SELECT * FROM wanted ORDER BY created_at DESC, id DESC LIMIT ?::bigint OFFSET ?::bigint)
        SELECT jsonb_build_object(
            'total', (SELECT count(*) FROM wanted),
            'users', coalesce((SELECT jsonb_agg(to_jsonb(p) || jsonb_build_object(
                'identities', coalesce((SELECT jsonb_agg(to_jsonb(i) ORDER BY i.created_at, i.id)
                    FROM :"auth".identities i WHERE i.user_id = p.id), '[]'),
                'factors', coalesce((SELECT jsonb_agg(to_jsonb(f) - 'secret' ORDER BY f.created_at, f.id)
                    FROM :"auth".mfa_factors f WHERE f.user_id = p.id), '[]'))
                ORDER BY p.created_at DESC, p.id DESC) FROM page p), '[]'))::text\
        """);

    // Columns that are not in the JSON become null, not their default: the caller sets these.
    private static final String COLUMNS = "id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,"
            + " confirmation_token, confirmation_sent_at, recovery_token, recovery_sent_at, email_change_token_new,"
            + " email_change, email_change_sent_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data,"
            + " created_at, updated_at, phone, phone_confirmed_at, phone_change, phone_change_token,"
            + " phone_change_sent_at, email_change_token_current, email_change_confirm_status, banned_until,"
            + " reauthentication_token, reauthentication_sent_at, is_sso_user, deleted_at, is_anonymous, instance_id";

    private static final SqlTemplate INSERT = SqlTemplate.of("WITH made AS (INSERT INTO :\"auth\".users (" + COLUMNS
            + ") SELECT " + COLUMNS
            + " FROM jsonb_populate_record(CAST(NULL AS :\"auth\".users), ?::jsonb) RETURNING id)"
            + " SELECT to_jsonb(id)::text FROM made");

    // Only what changes is named: a tenant's trigger may be one on UPDATE OF a column.
    private static final SqlTemplate UPDATE = SqlTemplate.of("WITH changed AS (UPDATE :\"auth\".users u"
            + " SET (:{columns}) = (SELECT :{columns} FROM jsonb_populate_record(u, ?::jsonb))"
            + " WHERE u.id = ?::uuid RETURNING u.id) SELECT (SELECT to_jsonb(id) FROM changed)::text");

    private static final SqlTemplate LOCK = SqlTemplate.of("""
        SELECT (SELECT to_jsonb(l.id) FROM (
            SELECT u.id FROM :"auth".users u WHERE u.id = ?::uuid FOR UPDATE) l)::text\
        """);

    private static final SqlTemplate DELETE = SqlTemplate.of("WITH gone AS (DELETE FROM :\"auth\".users"
            + " WHERE id = ?::uuid RETURNING id) SELECT (SELECT to_jsonb(id) FROM gone)::text");

    private static final SqlFragment BY_ID = SqlFragment.of("u.id = ?::uuid");
    private static final SqlFragment BY_EMAIL = SqlFragment.of("u.email = ? AND NOT u.is_sso_user");
    private static final SqlFragment BY_PHONE = SqlFragment.of("u.phone = ?");

    /** One-time tokens have a table of their own; the columns, which tenants' SQL may read, stay empty. */
    private static final List<String> NO_TOKENS = List.of(
            "confirmation_token",
            "recovery_token",
            "email_change_token_new",
            "email_change",
            "email_change_token_current",
            "phone_change",
            "phone_change_token",
            "reauthentication_token");

    private final AuthSession rows;

    public Users(AuthSession rows) {
        this.rows = rows;
    }

    public Optional<User> byId(UUID id) {
        return one(BY_ID, id.toString());
    }

    /** Locks the user's row until the transaction ends; to be called before its identities or factors are counted. */
    public void lock(UUID id) {
        rows.ask(LOCK, id.toString());
    }

    /** @param email in lower case, as all are kept */
    public Optional<User> byEmail(String email) {
        return one(BY_EMAIL, email);
    }

    public Optional<User> byPhone(String phone) {
        return one(BY_PHONE, phone);
    }

    private Optional<User> one(SqlFragment condition, String value) {
        return rows.ask(ONE.bind(Map.of("auth", rows.tenant().names().auth(), "condition", condition)), value)
                .map(RowMapper::user);
    }

    /** @param total over all pages */
    public record Page(List<User> users, long total) {}

    /**
     * The newest first.
     *
     * @param filter part of an address, a number or a full name
     */
    public Page page(Optional<String> filter, int size, long offset) {
        String wanted = filter.map(text -> text.toLowerCase(Locale.ROOT)).orElse("");
        JsonNode page = rows.ask(PAGE, wanted, Integer.toString(size), Long.toString(offset))
                .orElseThrow();
        List<User> users = new ArrayList<>();
        page.path("users").forEach(row -> users.add(RowMapper.user(row)));
        return new Page(users, page.path("total").longValue());
    }

    /** Inserts the user with its identities. */
    public User create(NewUser user) {
        rows.ask(INSERT, columns(user).toString());
        var identities = new Identities(rows);
        user.identities()
                .forEach(identity ->
                        identities.insert(user.id(), identity.provider(), identity.subject(), identity.data()));
        return byId(user.id()).orElseThrow();
    }

    private static ObjectNode columns(NewUser user) {
        ObjectNode row = AuthSession.object();
        NO_TOKENS.forEach(column -> row.put(column, ""));
        row.put("email_change_confirm_status", 0);
        row.put("is_sso_user", false);
        row.put("instance_id", "00000000-0000-0000-0000-000000000000");
        row.put("id", user.id().toString());
        row.put("aud", NewUser.AUTHENTICATED);
        row.put("role", user.role());
        user.email().ifPresent(email -> row.put("email", email));
        user.phone().ifPresent(phone -> row.put("phone", phone));
        user.passwordHash().ifPresent(hash -> row.put("encrypted_password", hash));
        user.times().forEach((time, at) -> row.put(time.column(), at.text()));
        row.set("raw_app_meta_data", user.appMetadata());
        row.set("raw_user_meta_data", user.userMetadata());
        row.put("is_anonymous", user.anonymous());
        return row;
    }

    /** @param update of one column at least */
    public void update(UUID id, UserUpdate update) {
        ObjectNode columns = update.columns();
        List<Identifier> names = new ArrayList<>();
        columns.fieldNames().forEachRemaining(name -> names.add(Identifier.of(name)));
        rows.ask(
                UPDATE.bind(Map.of("auth", rows.tenant().names().auth(), "columns", SqlFragment.join(", ", names))),
                columns.toString(),
                id.toString());
    }

    /** False when there is no such user. */
    public boolean delete(UUID id) {
        return rows.ask(DELETE, id.toString()).isPresent();
    }
}
