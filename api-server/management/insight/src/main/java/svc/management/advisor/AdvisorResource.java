package svc.management.advisor;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/projects/{ref}/advisors}. */
@Path("/v1/projects/{ref}/advisors")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found")
public class AdvisorResource {
    private final SqlAuthorization authorization;
    private final Advisors advisors;
    private final CurrentPrincipal caller;

    AdvisorResource(SqlAuthorization authorization, Advisors advisors, CurrentPrincipal caller) {
        this.authorization = authorization;
        this.advisors = advisors;
        this.caller = caller;
    }

    /** @param lints the worst first */
    @Schema(name = "ProjectAdvisorsResponse")
    public record View(List<Lint> lints) {}

    @GET
    @Path("/security")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(operationId = "v1-get-security-advisors", summary = "Find what is unsafe in the project's database")
    @APIResponse(responseCode = "200", description = "The findings")
    public View security(@PathParam("ref") String ref) {
        return new View(advisors.security(authorization.tenant(caller.get(), ref)));
    }

    @GET
    @Path("/performance")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(operationId = "v1-get-performance-advisors", summary = "Find what is slow in the project's database")
    @APIResponse(responseCode = "200", description = "The findings")
    public View performance(@PathParam("ref") String ref) {
        return new View(advisors.performance(authorization.tenant(caller.get(), ref)));
    }
}
