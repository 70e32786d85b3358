package svc.management.function;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.function.FunctionBodies.NewSecret;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * {@code /v1/projects/{ref}/secrets}: environment variables of all functions, as Supabase's Management API has them. A
 * function's own secret of the same name wins. No response contains a value.
 */
@Path("/v1/projects/{ref}/secrets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ProjectSecretResource {
    /** In one call; a project has no more than this. */
    private static final int MAX_IN_CALL = 100;

    private final FunctionSecrets secrets;
    private final CurrentPrincipal caller;

    ProjectSecretResource(FunctionSecrets secrets, CurrentPrincipal caller) {
        this.secrets = secrets;
        this.caller = caller;
    }

    /**
     * @param value the SHA-256 of the value, hexadecimal; another digest for one of a manifest, empty before it is stored
     * @param updatedAt when the value was stored; for one of a manifest, when its resource was created
     */
    @Schema(name = "SecretResponse")
    public record View(String name, String value, Instant updatedAt) {}

    @GET
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-list-all-secrets",
            summary = "List the secrets of all functions: names and digests, never values")
    @APIResponse(responseCode = "200", description = "The secrets")
    @APIResponse(responseCode = "403", description = "pat_edge_functions_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public List<View> list(@PathParam("ref") String ref) {
        return secrets.listShared(caller.get(), ref).stream()
                .map(secrets::stored)
                .map(stored -> new View(stored.name(), stored.digest(), stored.updatedAt()))
                .toList();
    }

    @POST
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-bulk-create-secrets",
            summary = "Create or replace secrets of all functions; none is stored if one is invalid")
    @APIResponse(responseCode = "201", description = "Stored; the body is empty")
    @APIResponse(responseCode = "400", description = "invalid_body, function_secret_name_invalid")
    @APIResponse(responseCode = "403", description = "pat_edge_functions_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    @APIResponse(responseCode = "413", description = "function_secret_too_large")
    public Response put(@PathParam("ref") String ref, List<NewSecret> body) {
        secrets.putShared(caller.get(), ref, bounded(body));
        return Response.status(Response.Status.CREATED).build();
    }

    @DELETE
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-bulk-delete-secrets",
            summary = "Delete secrets of all functions by their names, an array of strings")
    @APIResponse(responseCode = "200", description = "Deleted; the body is empty")
    @APIResponse(responseCode = "403", description = "pat_edge_functions_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public Response delete(@PathParam("ref") String ref, List<String> body) {
        secrets.deleteShared(caller.get(), ref, bounded(body));
        return Response.ok().build();
    }

    private static <T> List<T> bounded(List<T> body) {
        Body.required(body);
        if (body.size() > MAX_IN_CALL || body.stream().anyMatch(Objects::isNull)) {
            String rule = "must be an array of at most " + MAX_IN_CALL + " secrets, none of them null";
            throw Problem.of(ProblemCode.INVALID_BODY, "The body " + rule + ".")
                    .withError("", rule)
                    .asException();
        }
        return body;
    }
}
