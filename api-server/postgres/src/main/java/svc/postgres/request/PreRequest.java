package svc.postgres.request;

import java.util.Optional;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;

/** PostgREST's {@code db-pre-request}: the function that runs first in the transaction of each request. */
public final class PreRequest {
    private static final String PUBLIC = "public";

    private PreRequest() {}

    /**
     * The statement that calls it. {@code public} and no schema stand for the main one, other names for further ones; in an
     * adopted database a name without a schema is looked up in the search path, as PostgREST does.
     */
    public static Optional<SqlFragment> of(Tenant tenant) {
        return tenant.rest()
                .preRequest()
                .map(name -> SqlFragment.of("SELECT ")
                        .append(qualified(tenant, name))
                        .append("()"));
    }

    private static SqlFragment qualified(Tenant tenant, String name) {
        int dot = name.indexOf('.');
        Identifier function = Identifier.of(name.substring(dot + 1));
        boolean adopted = tenant.adoption().isPresent();
        if (dot < 0 && adopted) {
            return SqlFragment.of(function);
        }
        String schema = dot < 0 ? PUBLIC : name.substring(0, dot);
        return Identifier.of(tenant.ownSchema(schema).orElse(schema)).dot(function);
    }
}
