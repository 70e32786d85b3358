package svc.auth.hook;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.database.name.DatabaseRole;
import svc.database.sql.Identifier;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.PoolExhausted;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;

/**
 * Hooks that are functions of the project: {@code function(event jsonb) returns jsonb}. Each runs in a transaction of its
 * own as the project's service login. It has the privileges of the service-role key, and no access to password hashes or
 * factor secrets in the auth schema.
 */
final class HookFunctions {
    private static final Logger LOG = Logger.getLogger(HookFunctions.class);

    /** The name of a project's own schema in statements written for Supabase. */
    private static final String CUSTOMARY_SCHEMA = "public";

    // A function that returns several rows fails here instead of being truncated.
    private static final SqlTemplate CALL =
            SqlTemplate.of("SELECT (SELECT pg_catalog.to_jsonb(:\"schema\".:\"function\"(?::jsonb)))::text");

    private final TenantTransactions transactions;
    private final String limit;

    HookFunctions(TenantTransactions transactions, HookLimits limits) {
        this.transactions = transactions;
        this.limit = limits.function().toMillis() + "ms";
    }

    /**
     * @param function in the form {@code schema.function}
     * @return the function's result, as JSON; empty for null
     * @throws AuthError when the function does not exist, may not be called, fails, or times out
     */
    Optional<String> call(Tenant tenant, HookPoint point, String function, String payload) {
        if (payload.getBytes(StandardCharsets.UTF_8).length > HookFault.MAX_BYTES) {
            throw HookFault.tooLong(point);
        }
        Identifier schema = tenant.names().schema();
        var sql = CALL.bind(Map.of("schema", schema, "function", own(tenant, point, function)));
        List<Setting> settings = List.of(
                Setting.of("search_path", schema.name() + ", svc_views, pg_catalog, extensions"),
                Setting.of("statement_timeout", limit),
                Setting.of("request.jwt.claims", "{\"role\":\"service_role\"}"));
        try {
            Optional<String> result = transactions
                    .run(
                            tenant,
                            DatabaseRole.SERVICE,
                            new Flush(Access.WRITE, settings, sql, List.of(payload), new TransactionEnd.Commit()))
                    .text(0);
            if (result.filter(text -> text.length() > HookFault.MAX_BYTES).isPresent()) {
                throw HookFault.tooLong(point);
            }
            return result;
        } catch (PoolExhausted e) {
            throw AuthErrorCode.DATABASE_UNAVAILABLE.error();
        } catch (SqlError e) {
            throw failed(tenant, point, function, e);
        }
    }

    private static Identifier own(Tenant tenant, HookPoint point, String function) {
        int dot = function.indexOf('.');
        String schema = dot < 0 ? CUSTOMARY_SCHEMA : function.substring(0, dot);
        String name = function.substring(dot + 1);
        if (!schema.equals(CUSTOMARY_SCHEMA) && !schema.equals(tenant.names().schemaName())) {
            throw HookFault.broken(
                    point, "names " + function + ", and a hook is a function of the project's own schema, public");
        }
        if (!Identifier.fits(name)) {
            throw HookFault.broken(point, "names " + function + ", which is no name of a function");
        }
        return Identifier.of(name);
    }

    private AuthError failed(Tenant tenant, HookPoint point, String function, SqlError error) {
        if (error.is(SqlError.TOO_LARGE)) {
            return HookFault.tooLong(point);
        }
        if (error.infrastructure() || !error.fromServer()) {
            LOG.warnf("%s: hook: database unavailable [%s]", tenant.ref(), error.sqlState());
            return AuthErrorCode.DATABASE_UNAVAILABLE.error();
        }
        return switch (error.sqlState()) {
            case "57014" -> HookFault.late(point, limit);
            case "42883" ->
                HookFault.broken(point, "names " + function + ", and the project has no " + function + "(jsonb)");
            case "42501" ->
                HookFault.broken(
                        point,
                        function + " is not allowed what it does, or to be called: GRANT it to service_role ["
                                + error.getMessage() + "]");
            default -> HookFault.broken(point, "failed [" + error.sqlState() + "]: " + error.getMessage());
        };
    }
}
