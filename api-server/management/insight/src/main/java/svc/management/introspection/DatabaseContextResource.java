package svc.management.introspection;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/projects/{ref}/database/context}. */
@Path("/v1/projects/{ref}/database/context")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class DatabaseContextResource {
    private final SqlAuthorization authorization;
    private final ProjectIntrospection introspection;
    private final CurrentPrincipal caller;

    DatabaseContextResource(
            SqlAuthorization authorization, ProjectIntrospection introspection, CurrentPrincipal caller) {
        this.authorization = authorization;
        this.introspection = introspection;
        this.caller = caller;
    }

    @GET
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-get-database-metadata",
            summary = "Describe the database for a language model: schemas, and a line for each table, view, function")
    @APIResponse(responseCode = "200", description = "The description, 48,000 characters at most")
    @APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    @APIResponse(responseCode = "409", description = "project_paused")
    public DatabaseContext context(@PathParam("ref") String ref) {
        return DatabaseContext.of(introspection.read(authorization.tenant(caller.get(), ref)));
    }
}
