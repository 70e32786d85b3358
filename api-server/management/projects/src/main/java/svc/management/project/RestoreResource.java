package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** {@code /v1/projects/{ref}/restore}: the end of a pause. */
@Path("/v1/projects/{ref}/restore")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class RestoreResource {
    private final Projects projects;
    private final CurrentPrincipal caller;

    RestoreResource(Projects projects, CurrentPrincipal caller) {
        this.projects = projects;
        this.caller = caller;
    }

    /** @param availableVersions of PostgreSQL, to choose from */
    @Schema(name = "GetProjectAvailableRestoreVersionsResponse")
    public record Versions(List<String> availableVersions) {}

    @GET
    @Operation(
            operationId = "v1-list-available-restore-versions",
            summary = "List versions of PostgreSQL to restore to: there is no choice, a project keeps its own")
    @APIResponse(responseCode = "200", description = "An empty list")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public Versions versions(@PathParam("ref") String ref) {
        projects.get(caller.get(), ref);
        return new Versions(List.of());
    }

    @POST
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-restore-a-project",
            summary = "Start the services of a paused project. Repeating it changes nothing")
    @APIResponse(responseCode = "200", description = "Started; the body is empty")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public Response restore(@PathParam("ref") String ref) {
        projects.suspend(caller.get(), ref, false);
        return Response.ok().build();
    }

    @POST
    @Path("/cancel")
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-cancel-a-project-restoration",
            summary = "Pause a project again that is being restored")
    @APIResponse(responseCode = "200", description = "Paused; the body is empty")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    @APIResponse(responseCode = "409", description = "project_conflict")
    public Response cancel(@PathParam("ref") String ref) {
        ProjectState state = ProjectState.of(projects.get(caller.get(), ref));
        if (state != ProjectState.RESTORING) {
            throw Problem.of(ProblemCode.PROJECT_CONFLICT, "The project is not being restored: it is " + state + ".")
                    .withHint("POST /v1/projects/" + ref + "/pause stops a running project.")
                    .asException();
        }
        projects.suspend(caller.get(), ref, true);
        return Response.ok().build();
    }
}
