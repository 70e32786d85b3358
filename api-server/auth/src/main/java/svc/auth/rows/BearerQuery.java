package svc.auth.rows;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;

/** A user and one of the user's sessions at once: what every call that comes with a token needs. */
public final class BearerQuery {
    private static final SqlTemplate FIND = SqlTemplate.of("SELECT (SELECT jsonb_build_object('user', "
            + Users.WITH_IDENTITIES_AND_FACTORS
            + ", 'session', to_jsonb(s)) FROM :\"auth\".users u"
            + " LEFT JOIN :\"auth\".sessions s ON s.id = ?::uuid AND s.user_id = u.id WHERE u.id = ?::uuid)::text");

    private BearerQuery() {}

    /** Gives {@code user}, and {@code session}, which is null when the user has none of that id; null without the user. */
    public static AuthQuery find(Tenant tenant, UUID user, UUID session) {
        return new AuthQuery(
                Access.READ,
                FIND.bind(Map.of("auth", tenant.names().auth())),
                List.of(session.toString(), user.toString()));
    }
}
