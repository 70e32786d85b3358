package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.auth.model.Session;
import svc.auth.model.User;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;

/** A user and one of its sessions in one statement: every call with an access token needs both. */
public final class BearerQuery {
    private static final SqlTemplate FIND = SqlTemplate.of("SELECT (SELECT jsonb_build_object('user', "
            + Users.WITH_IDENTITIES_AND_FACTORS
            + ", 'session', to_jsonb(s)) FROM :\"auth\".users u"
            + " LEFT JOIN :\"auth\".sessions s ON s.id = ?::uuid AND s.user_id = u.id WHERE u.id = ?::uuid)::text");

    private BearerQuery() {}

    /** @param session empty when the user has no session of that id */
    public record Found(User user, Optional<Session> session) {}

    /** Empty without the user. */
    public static AuthQuery<Found> find(Tenant tenant, UUID user, UUID session) {
        return new AuthQuery<>(
                Access.READ,
                FIND.bind(Map.of("auth", tenant.names().auth())),
                List.of(session.toString(), user.toString()),
                BearerQuery::found);
    }

    private static Found found(JsonNode row) {
        return new Found(
                RowMapper.user(row.path("user")),
                Optional.of(row.path("session")).filter(JsonNode::isObject).map(RowMapper::session));
    }
}
