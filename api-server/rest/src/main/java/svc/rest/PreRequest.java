package svc.rest;

import java.util.Optional;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;

/** The function that a project wants to run in each request's transaction before everything else. */
final class PreRequest {
    private static final String SHORT_PROFILE = "public";

    private PreRequest() {}

    /** The call of it. {@code public} means the project's own schema, but in an adopted database. */
    static Optional<SqlFragment> of(Tenant tenant) {
        return tenant.rest().preRequest().map(name -> call(tenant, name));
    }

    private static SqlFragment call(Tenant tenant, String name) {
        int dot = name.indexOf('.');
        String schema = dot < 0 ? SHORT_PROFILE : name.substring(0, dot);
        boolean own = tenant.adoption().isEmpty() && schema.equals(SHORT_PROFILE);
        return SqlFragment.of("SELECT ")
                .append(own ? tenant.names().schema() : Identifier.of(schema))
                .append(".")
                .append(Identifier.of(name.substring(dot + 1)))
                .append("()");
    }
}
