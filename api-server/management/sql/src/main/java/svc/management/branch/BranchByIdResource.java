package svc.management.branch;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.ResponseStatus;
import svc.management.branch.BranchBodies.Change;
import svc.management.branch.BranchBodies.Detail;
import svc.management.branch.BranchBodies.Done;
import svc.management.branch.BranchBodies.View;
import svc.management.branch.BranchBodies.Work;
import svc.management.json.Body;
import svc.management.json.QueryParameters;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/branches/{id}}: one branch, by its id or the ref of its project. */
@Path("/v1/branches/{id}")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "404", description = "branch_not_found")
public class BranchByIdResource {
    private final Branches branches;
    private final CurrentPrincipal caller;

    BranchByIdResource(Branches branches, CurrentPrincipal caller) {
        this.branches = branches;
        this.caller = caller;
    }

    /** @param message {@code ok} */
    @Schema(name = "BranchDeleteResponse")
    public record Deleted(String message) {}

    @GET
    @Operation(operationId = "v1-get-a-branch-config", summary = "Get what an application needs to use a branch")
    @APIResponse(responseCode = "200", description = "The branch's project")
    public Detail get(@PathParam("id") String id) {
        return branches.detail(caller.get(), id);
    }

    @PATCH
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-update-a-branch-config",
            summary = "Change the name of a branch, and what is noted of it")
    @APIResponse(responseCode = "200", description = "The branch")
    @APIResponse(responseCode = "400", description = "invalid_body: status cannot be set")
    @APIResponse(responseCode = "409", description = "branch_exists")
    public View change(@PathParam("id") String id, Change body) {
        return branches.change(caller.get(), id, Body.required(body));
    }

    @DELETE
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(operationId = "v1-delete-a-branch", summary = "Delete a branch with its data")
    @APIResponse(responseCode = "200", description = "It is being deleted")
    @APIResponse(responseCode = "400", description = "invalid_parameter: it cannot be deleted later")
    public Deleted delete(
            @PathParam("id") String id,
            @Parameter(
                            description = "Only true: a branch is deleted at once, without a grace period",
                            schema = @Schema(implementation = Boolean.class))
                    @QueryParam("force")
                    String force,
            @Context RoutingContext context) {
        if (force != null && !QueryParameters.flag("force", force)) {
            throw QueryParameters.invalid("force", "true, or left out: a branch is deleted at once");
        }
        branches.delete(caller.get(), id, context);
        return new Deleted("ok");
    }

    @POST
    @Path("/merge")
    @ResponseStatus(201)
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-merge-a-branch",
            summary = "Apply the branch's new migrations to its project",
            description =
                    "They run as a whole in a transaction that is rolled back first, so a conflict applies nothing. With"
                            + " migration_version those up to it alone.")
    @APIResponse(
            responseCode = "201",
            description = "The versions that were applied",
            content = @Content(schema = @Schema(implementation = Done.class)))
    @APIResponse(responseCode = "409", description = "branch_conflict, branch_busy")
    @APIResponse(responseCode = "429", description = "rate_limit_exceeded, with Retry-After")
    public Done merge(@PathParam("id") String id, Work body, RoutingContext context) {
        return branches.merge(caller.get(), id, body, context);
    }

    @POST
    @Path("/push")
    @ResponseStatus(201)
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(operationId = "v1-push-a-branch", summary = "Rebase: apply what the project has and the branch has not")
    @APIResponse(
            responseCode = "201",
            description = "The branch, whether or not its migrations passed",
            content = @Content(schema = @Schema(implementation = Done.class)))
    @APIResponse(responseCode = "409", description = "branch_busy")
    @APIResponse(responseCode = "429", description = "rate_limit_exceeded, rate_limited, with Retry-After")
    public Done push(@PathParam("id") String id, Work body, RoutingContext context) {
        return branches.rebase(caller.get(), id, body, context);
    }

    @POST
    @Path("/reset")
    @ResponseStatus(201)
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-reset-a-branch",
            summary = "Drop everything in the branch and apply the project's migrations again",
            description = "Users and files stay.")
    @APIResponse(
            responseCode = "201",
            description = "The branch, whether or not its migrations passed",
            content = @Content(schema = @Schema(implementation = Done.class)))
    @APIResponse(responseCode = "409", description = "branch_busy")
    @APIResponse(responseCode = "429", description = "rate_limit_exceeded, rate_limited, with Retry-After")
    public Done reset(@PathParam("id") String id, Work body, RoutingContext context) {
        return branches.reset(caller.get(), id, body, context);
    }

    @GET
    @Path("/diff")
    @Produces(MediaType.TEXT_PLAIN)
    @Requires(Permission.DATABASE_QUERY)
    @Operation(operationId = "v1-diff-a-branch", summary = "The migrations that a merge would apply, as SQL")
    @APIResponse(responseCode = "200", description = "SQL; empty if there is nothing to merge")
    @APIResponse(responseCode = "400", description = "invalid_parameter: it is of all schemas")
    public String difference(
            @PathParam("id") String id,
            @Parameter(description = "May only be left out: whole migrations are compared, of all schemas")
                    @QueryParam("included_schemas")
                    String schemas) {
        if (schemas != null && !schemas.isBlank()) {
            throw QueryParameters.invalid("included_schemas", "left out: whole migrations are compared");
        }
        return branches.difference(caller.get(), id);
    }
}
