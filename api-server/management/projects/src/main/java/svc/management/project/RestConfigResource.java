package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.problem.ProblemException;

/** {@code /v1/projects/{ref}/postgrest}, as Supabase's Management API has it. */
@Path("/v1/projects/{ref}/postgrest")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class RestConfigResource {
    private final Projects projects;
    private final CurrentPrincipal caller;

    RestConfigResource(Projects projects, CurrentPrincipal caller) {
        this.projects = projects;
        this.caller = caller;
    }

    @GET
    @Operation(operationId = "v1-get-postgrest-service-config", summary = "Get the settings of the REST API")
    @APIResponse(responseCode = "200", description = "The settings")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public RestConfig get(@PathParam("ref") String ref) {
        return RestConfig.of(projects.current(caller.get(), ref));
    }

    @PATCH
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-update-postgrest-service-config",
            summary = "Change settings of the REST API; omitted fields keep their value")
    @APIResponse(responseCode = "200", description = "The settings after the change")
    @APIResponse(responseCode = "400", description = "invalid_body")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public RestConfig change(@PathParam("ref") String ref, RestConfig body) {
        try {
            ProjectChange change = ProjectChange.of(Body.required(body).change());
            return RestConfig.of(projects.changeRest(caller.get(), ref, change, body));
        } catch (ProblemException e) {
            throw RestConfig.renamed(e);
        }
    }
}
