package svc.rest;

import java.util.Optional;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;

/** PostgREST's {@code db-pre-request}: the function that runs first in the transaction of each request. */
final class PreRequest {
    private static final String PUBLIC = "public";

    private PreRequest() {}

    /**
     * The statement that calls it. {@code public} stands for the project's own schema, except in an adopted database.
     */
    static Optional<SqlFragment> of(Tenant tenant) {
        return tenant.rest().preRequest().map(name -> call(tenant, name));
    }

    private static SqlFragment call(Tenant tenant, String name) {
        int dot = name.indexOf('.');
        String schema = dot < 0 ? PUBLIC : name.substring(0, dot);
        boolean own = tenant.adoption().isEmpty() && schema.equals(PUBLIC);
        return SqlFragment.of("SELECT ")
                .append(own ? tenant.names().schema() : Identifier.of(schema))
                .append(".")
                .append(Identifier.of(name.substring(dot + 1)))
                .append("()");
    }
}
