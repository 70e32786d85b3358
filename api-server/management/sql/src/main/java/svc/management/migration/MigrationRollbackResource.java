package svc.management.migration;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlAuthorization;
import svc.management.query.SqlBudget;
import svc.management.token.CurrentPrincipal;

/** Rolls migrations back: {@code DELETE /v1/projects/{ref}/database/migrations?gte=}. */
@Path("/v1/projects/{ref}")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(
        responseCode = "400",
        description = "invalid_parameter for gte; of one of the rollbacks as POST /database/query, with its version")
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found")
@APIResponse(
        responseCode = "409",
        description = "migration_rollback_missing with the versions, migration_running, migration_state_unknown")
@APIResponse(responseCode = "413", description = "sql_too_large: roll back in steps")
@APIResponse(responseCode = "429", description = "rate_limit_exceeded, with Retry-After")
public class MigrationRollbackResource {
    private final SqlAuthorization authorization;
    private final MigrationRollbacks rollbacks;
    private final CurrentPrincipal caller;

    MigrationRollbackResource(SqlAuthorization authorization, MigrationRollbacks rollbacks, CurrentPrincipal caller) {
        this.authorization = authorization;
        this.rollbacks = rollbacks;
        this.caller = caller;
    }

    @DELETE
    @Path("/database/migrations")
    @Operation(
            operationId = "v1-rollback-migrations",
            summary = "Roll back migrations, and remove them from the history",
            description = "Runs the rollback that is kept of each applied version from gte on, newest first, in one"
                    + " transaction: all of them or none. Each must have one.")
    @APIResponse(responseCode = "200", description = "The versions that were rolled back, newest first")
    public List<MigrationViews.RolledBack> rollBack(
            @PathParam("ref") String ref,
            @Parameter(description = "The lowest version to roll back", required = true) @QueryParam("gte") String gte,
            @Context RoutingContext context) {
        AuthorizedCall authorized = authorization.byToken(caller.get(), ref, "", context);
        if (gte == null || !MigrationRequest.isVersion(gte)) {
            throw MigrationProblems.invalidGte().asException();
        }
        authorization.count(authorized, SqlBudget.MIGRATIONS, context);
        return rollbacks.rollBack(authorized, gte);
    }
}
