package svc.management.query;

import java.util.concurrent.CompletionStage;
import svc.management.audit.SqlCall;
import svc.platform.tenancy.Tenant;

/**
 * A call whose caller may run SQL in the project.
 *
 * @param callerGone completes when the client disconnects or has its answer
 */
public record AuthorizedCall(Tenant tenant, SqlCall call, CompletionStage<?> callerGone) {
    /** The same caller's with another text. */
    public AuthorizedCall with(String sql) {
        return new AuthorizedCall(tenant, call.with(sql), callerGone);
    }

    /** The same in the role of a caller of the API. */
    AuthorizedCall as(String role) {
        return new AuthorizedCall(tenant, call.as(role), callerGone);
    }
}
