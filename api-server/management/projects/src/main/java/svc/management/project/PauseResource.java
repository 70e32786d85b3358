package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/projects/{ref}/pause}. */
@Path("/v1/projects/{ref}/pause")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class PauseResource {
    private final Projects projects;
    private final CurrentPrincipal caller;

    PauseResource(Projects projects, CurrentPrincipal caller) {
        this.projects = projects;
        this.caller = caller;
    }

    @POST
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-pause-a-project",
            summary = "Stop the services of a project; its data stays. Repeating it changes nothing")
    @APIResponse(responseCode = "200", description = "Stopped; the body is empty")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public Response pause(@PathParam("ref") String ref) {
        projects.suspend(caller.get(), ref, true);
        return Response.ok().build();
    }
}
