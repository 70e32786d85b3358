package svc.management.branch;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.ResponseStatus;
import svc.management.branch.BranchBodies.Create;
import svc.management.branch.BranchBodies.View;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/projects/{ref}/branches}: the branches of a project. */
@Path("/v1/projects/{ref}/branches")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "404", description = "project_not_found, branch_not_found")
public class BranchResource {
    private final Branches branches;
    private final CurrentPrincipal caller;

    BranchResource(Branches branches, CurrentPrincipal caller) {
        this.branches = branches;
        this.caller = caller;
    }

    @GET
    @Operation(operationId = "v1-list-all-branches", summary = "List the branches of a project, oldest first")
    @APIResponse(responseCode = "200", description = "The branches; none if there are none")
    public List<View> list(@PathParam("ref") String ref) {
        return branches.list(caller.get(), ref);
    }

    @POST
    @ResponseStatus(201)
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-create-a-branch",
            summary = "Create a branch: a project with the migrations of this one",
            description =
                    "Answers when the migrations have run or failed, or after 45 seconds; status and status_message say"
                            + " how far it is. Needs database_query, too.")
    @APIResponse(
            responseCode = "201",
            description = "The branch, whether or not its migrations passed",
            content = @Content(schema = @Schema(implementation = View.class)))
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden, pat_database_query_forbidden")
    @APIResponse(responseCode = "409", description = "branch_exists, branch_limit_reached, branch_conflict")
    @APIResponse(responseCode = "429", description = "rate_limit_exceeded, rate_limited, with Retry-After")
    public View create(@PathParam("ref") String ref, Create body, RoutingContext context) {
        return branches.create(caller.get(), ref, Body.required(body), context);
    }

    @DELETE
    @ResponseStatus(200)
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(operationId = "v1-disable-preview-branching", summary = "Delete all branches of a project")
    @APIResponse(responseCode = "200", description = "They are being deleted")
    public void deleteAll(@PathParam("ref") String ref, @Context RoutingContext context) {
        branches.deleteAll(caller.get(), ref, context);
    }

    @GET
    @Path("/{name}")
    @Operation(operationId = "v1-get-a-branch", summary = "Get a branch by its name")
    @APIResponse(responseCode = "200", description = "The branch")
    public View named(@PathParam("ref") String ref, @PathParam("name") String name) {
        return branches.named(caller.get(), ref, name);
    }
}
