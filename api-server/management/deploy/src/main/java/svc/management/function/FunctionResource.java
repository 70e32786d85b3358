package svc.management.function;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.crds.function.EdgeFunction;
import svc.management.function.FunctionDeployer.DeployOptions;
import svc.management.function.FunctionDeployer.Target;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** {@code /v1/projects/{ref}/functions}. */
@Path("/v1/projects/{ref}/functions")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class FunctionResource {
    private final Functions functions;
    private final FunctionViews views;
    private final FunctionDeployer deploys;
    private final CurrentPrincipal caller;
    private final String baseUrl;

    FunctionResource(
            Functions functions,
            FunctionViews views,
            FunctionDeployer deploys,
            CurrentPrincipal caller,
            ApiConfig config) {
        this.functions = functions;
        this.views = views;
        this.deploys = deploys;
        this.caller = caller;
        this.baseUrl = config.hosts().baseUrl();
    }

    @POST
    @Path("/deploy")
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-deploy-a-function",
            summary = "Create or update a function; responds when the code is active")
    @APIResponse(
            responseCode = "201",
            description = "The function; status COMING_UP if it was not active within the timeout",
            content = @Content(schema = @Schema(implementation = FunctionBodies.View.class)))
    public Response deploy(@PathParam("ref") String ref, FunctionBodies.Deploy body) {
        Body.required(body);
        String name = FunctionName.checked(Body.required(body.name(), "/name"), "/name");
        EdgeFunction function = deploys.deploy(caller.get(), ref, source(name, body), options(body, Target.EITHER));
        return Response.created(URI.create(baseUrl + "/projects/" + ref + "/functions/" + name))
                .entity(views.of(function))
                .build();
    }

    @PUT
    @Path("/{name}")
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-update-a-function",
            summary = "Update the code of a function, or only verify_jwt if source is omitted")
    public FunctionBodies.View update(
            @PathParam("ref") String ref, @PathParam("name") String name, FunctionBodies.Deploy body) {
        Body.required(body);
        if (body.name() != null && !body.name().equals(name)) {
            throw Problem.of(
                            ProblemCode.INVALID_BODY,
                            "The name of a function cannot be changed: deploy it under the new name.")
                    .withError("/name", "does not match the name in the path")
                    .asException();
        }
        if (body.source() == null && body.files() == null && body.verifyJwt() != null) {
            return views.of(deploys.changeVerifyJwt(caller.get(), ref, name, body.verifyJwt()));
        }
        return views.of(deploys.deploy(caller.get(), ref, source(name, body), options(body, Target.EXISTING)));
    }

    private static FunctionSource source(String name, FunctionBodies.Deploy body) {
        return FunctionSource.of(
                name,
                Optional.ofNullable(body.entrypoint()),
                Body.required(body.source(), "/source"),
                body.files() == null ? Map.of() : body.files(),
                Optional.ofNullable(body.importMap()));
    }

    private static DeployOptions options(FunctionBodies.Deploy body, Target target) {
        return new DeployOptions(
                Optional.ofNullable(body.verifyJwt()), Optional.ofNullable(body.expectedVersion()), target);
    }

    @GET
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(operationId = "v1-list-all-functions", summary = "List the functions of a project, by name")
    public List<FunctionBodies.View> list(@PathParam("ref") String ref) {
        return views.all(functions.list(caller.get(), ref));
    }

    @GET
    @Path("/{name}")
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(operationId = "v1-get-a-function", summary = "Get a function with the code that was last deployed")
    public FunctionBodies.View get(@PathParam("ref") String ref, @PathParam("name") String name) {
        EdgeFunction function = functions.get(caller.get(), ref, name);
        return views.withCode(function, functions.archive(caller.get(), ref, function))
                .withFileUrls(ref);
    }

    @DELETE
    @Path("/{name}")
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-delete-a-function",
            summary = "Delete a function with its versions, its secrets and its logs")
    public FunctionBodies.View delete(@PathParam("ref") String ref, @PathParam("name") String name) {
        return views.of(functions.delete(caller.get(), ref, name));
    }

    @POST
    @Path("/{name}/rollback")
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "rollbackFunction",
            summary = "Roll back to an earlier version, which gets the next version number")
    public FunctionBodies.View rollBack(
            @PathParam("ref") String ref, @PathParam("name") String name, FunctionBodies.Rollback body) {
        Body.required(body);
        return views.of(deploys.rollBack(caller.get(), ref, name, Body.required(body.version(), "/version")));
    }
}
