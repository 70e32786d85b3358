package svc.postgres.script;

import java.util.Map;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * A caller of the API in whose place a script runs, with what the transaction of such a caller's request has.
 *
 * @param role that the owner's login takes, if it may
 * @param claims {@code request.jwt.claims}, as JSON text
 * @param searchPath as a request of that caller has it
 */
public record ImpersonatedCaller(String role, String claims, String searchPath) {
    private static final SqlTemplate TAKE = SqlTemplate.of("SELECT pg_catalog.set_config('search_path', :'path', true),"
            + " pg_catalog.set_config('request.jwt.claims', :'claims', true),"
            + " pg_catalog.set_config('role', :'role', true)");

    /** In force until the transaction ends, or until the script says otherwise. */
    SqlFragment taking() {
        return TAKE.bind(
                Map.of("path", Literal.of(searchPath), "claims", Literal.of(claims), "role", Literal.of(role)));
    }

    /** Without the claims, which may name a person. */
    @Override
    public String toString() {
        return "caller in the role " + role;
    }
}
