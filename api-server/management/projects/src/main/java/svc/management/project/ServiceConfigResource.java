package svc.management.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.crds.project.auth.AuthSpec;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** {@code /v1/projects/{ref}/config/auth} and {@code …/realtime}, with the names of Supabase's Management API. */
@Path("/v1/projects/{ref}/config")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ServiceConfigResource {
    private final Projects projects;
    private final CurrentPrincipal caller;

    ServiceConfigResource(Projects projects, CurrentPrincipal caller) {
        this.projects = projects;
        this.caller = caller;
    }

    @GET
    @Path("/auth")
    @Operation(
            operationId = "v1-get-auth-service-config",
            summary = "Get the settings of the auth service, without values of secrets")
    @APIResponse(
            responseCode = "200",
            description = "The settings",
            content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
    @APIResponse(responseCode = "404", description = "project_not_found")
    public JsonNode auth(@PathParam("ref") String ref) {
        return AuthConfig.shown(projects.current(caller.get(), ref).getSpec().auth());
    }

    @PATCH
    @Path("/auth")
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-update-auth-service-config",
            summary = "Change settings of the auth service; omitted fields keep their value, null restores a default")
    @RequestBody(content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
    @APIResponse(
            responseCode = "200",
            description = "The settings after the change",
            content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
    @APIResponse(responseCode = "400", description = "invalid_body: the errors name each field")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden, pat_database_query_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public JsonNode changeAuth(@PathParam("ref") String ref, JsonNode body) {
        ObjectNode settings = object(body);
        AuthSpec current = projects.current(caller.get(), ref).getSpec().auth();
        try {
            ProjectChange change = ProjectChange.of(AuthConfig.change(settings, current));
            return AuthConfig.shown(
                    projects.change(caller.get(), ref, change).getSpec().auth());
        } catch (ProblemException e) {
            throw AuthConfig.TABLE.renamed(e);
        }
    }

    @GET
    @Path("/realtime")
    @Operation(operationId = "v1-get-realtime-config", summary = "Get the settings of the realtime service")
    @APIResponse(
            responseCode = "200",
            description = "The settings",
            content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
    @APIResponse(responseCode = "404", description = "project_not_found")
    public JsonNode realtime(@PathParam("ref") String ref) {
        return RealtimeChange.shown(
                projects.current(caller.get(), ref).getSpec().realtime());
    }

    @PATCH
    @Path("/realtime")
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-update-realtime-config",
            summary =
                    "Change settings of the realtime service; omitted fields keep their value, null restores a default")
    @RequestBody(content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
    @APIResponse(responseCode = "204", description = "Changed")
    @APIResponse(responseCode = "400", description = "invalid_body: the errors name each field")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public Response changeRealtime(@PathParam("ref") String ref, JsonNode body) {
        ObjectNode settings = object(body);
        try {
            projects.change(caller.get(), ref, ProjectChange.of(RealtimeChange.of(settings)));
        } catch (ProblemException e) {
            throw RealtimeChange.TABLE.renamed(e);
        }
        return Response.noContent().build();
    }

    private static ObjectNode object(JsonNode body) {
        if (body instanceof ObjectNode object) {
            return object;
        }
        throw Problem.of(ProblemCode.INVALID_BODY, "This call needs a JSON object as its body.")
                .withError("", "must be an object")
                .asException();
    }
}
