package svc.management.query;

import java.util.concurrent.CompletionStage;
import svc.management.query.audit.SqlCall;
import svc.platform.tenancy.Tenant;

/**
 * A call whose caller may run SQL in the project.
 *
 * @param callerGone completes when the client disconnects or has its answer
 */
public record AuthorizedCall(Tenant tenant, SqlCall call, CompletionStage<?> callerGone) {}
