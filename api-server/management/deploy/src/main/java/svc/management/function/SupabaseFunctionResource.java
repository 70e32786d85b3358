package svc.management.function;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.server.multipart.MultipartFormDataOutput;
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

/** The function calls in the format of Supabase's Management API, for tools that know only these. */
@Path("/v1/projects/{ref}/functions")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class SupabaseFunctionResource {
    private static final MediaType TYPESCRIPT = new MediaType("application", "typescript", "UTF-8");

    private final Functions functions;
    private final FunctionViews views;
    private final FunctionDeployer deploys;
    private final BatchDeployment ahead;
    private final CurrentPrincipal caller;
    private final String baseUrl;

    SupabaseFunctionResource(
            Functions functions,
            FunctionViews views,
            FunctionDeployer deploys,
            BatchDeployment ahead,
            CurrentPrincipal caller,
            ApiConfig config) {
        this.functions = functions;
        this.views = views;
        this.deploys = deploys;
        this.ahead = ahead;
        this.caller = caller;
        this.baseUrl = config.hosts().baseUrl();
    }

    @POST
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(operationId = "v1-create-a-function", summary = "Create a function of one file; 409 if it exists")
    @APIResponse(
            responseCode = "201",
            description = "The function",
            content = @Content(schema = @Schema(implementation = FunctionBodies.View.class)))
    public Response create(@PathParam("ref") String ref, FunctionBodies.Written body) {
        Body.required(body);
        String name = named(Body.required(body.slug(), "/slug"), body.name());
        FunctionSource source = FunctionSource.of(
                FunctionName.checked(name, "/slug"),
                Optional.empty(),
                Body.required(body.body(), "/body"),
                Map.of(),
                Optional.empty());
        return created(ref, deploys.deploy(caller.get(), ref, source, options(body.verifyJwt(), Target.NEW)));
    }

    @PATCH
    @Path("/{name}")
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-update-a-function-in-part",
            summary = "Update the code of a one-file function, verify_jwt, or both")
    public FunctionBodies.View change(
            @PathParam("ref") String ref, @PathParam("name") String name, FunctionBodies.Written body) {
        Body.required(body);
        named(name, body.slug());
        named(name, body.name());
        if (body.body() == null) {
            boolean verifyJwt = Body.required(body.verifyJwt(), "/verify_jwt");
            return views.of(deploys.changeVerifyJwt(caller.get(), ref, name, verifyJwt));
        }
        var source = FunctionSource.of(name, Optional.empty(), body.body(), Map.of(), Optional.empty());
        return views.of(deploys.deploy(caller.get(), ref, source, options(body.verifyJwt(), Target.EXISTING)));
    }

    @POST
    @Path("/deploy")
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(hidden = true)
    public Response deploy(
            @PathParam("ref") String ref,
            @QueryParam("slug") String slug,
            @QueryParam("bundleOnly") String bundleOnly,
            @HeaderParam(HttpHeaders.CONTENT_TYPE) String contentType,
            byte[] body) {
        FunctionForm form = FunctionForm.read(body, contentType);
        String name = FunctionName.checked(
                Optional.ofNullable(slug)
                        .orElseGet(() -> Body.required(form.metadata().name(), "/metadata/name")),
                "/metadata/name");
        DeployOptions options = options(form.metadata().verifyJwt(), Target.EITHER);
        if (bundleOnly(bundleOnly)) {
            return Response.status(Response.Status.CREATED)
                    .entity(ahead.bundle(caller.get(), ref, form.source(name), options))
                    .build();
        }
        return created(ref, deploys.deploy(caller.get(), ref, form.source(name), options));
    }

    private static boolean bundleOnly(String given) {
        return switch (given) {
            case null -> false;
            case "0", "false" -> false;
            case "1", "true" -> true;
            default ->
                throw Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter bundleOnly is true or false.")
                        .asException();
        };
    }

    @PUT
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-bulk-update-functions",
            summary = "Activate functions that were bundled ahead",
            description = "POST /functions/deploy with bundleOnly=true answers with what to send here.")
    @APIResponse(responseCode = "200", description = "The functions")
    @APIResponse(responseCode = "400", description = "invalid_body: a bundle that is not there")
    public FunctionBodies.Updated activate(@PathParam("ref") String ref, List<FunctionBodies.Bundle> body) {
        return new FunctionBodies.Updated(views.all(ahead.activate(caller.get(), ref, Body.required(body))));
    }

    @GET
    @Path("/{name}/body")
    @Produces(MediaType.MULTIPART_FORM_DATA)
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "v1-get-a-function-body",
            summary = "Get the code that was last deployed, as a part metadata and a part file for each file")
    @APIResponse(
            responseCode = "200",
            description = "The code",
            content = @Content(mediaType = MediaType.MULTIPART_FORM_DATA, schema = @Schema(type = SchemaType.OBJECT)))
    public MultipartFormDataOutput body(@PathParam("ref") String ref, @PathParam("name") String name) {
        EdgeFunction function = functions.get(caller.get(), ref, name);
        FunctionBodies.View view = views.withCode(function, functions.archive(caller.get(), ref, function));
        if (view.source() == null) {
            throw Problem.of(ProblemCode.FUNCTION_NOT_FOUND, "The code of the function " + name + " is not available.")
                    .withHint("It was never bundled, or its archive was deleted: deploy it again.")
                    .asException();
        }
        var form = new MultipartFormDataOutput();
        form.addFormData(
                FunctionForm.METADATA,
                new FunctionForm.Metadata(name, view.entrypointPath(), view.importMapPath(), view.verifyJwt()),
                MediaType.APPLICATION_JSON_TYPE);
        Stream.concat(
                        Stream.of(Map.entry(view.entrypointPath(), view.source())),
                        view.files() == null ? Stream.of() : view.files().entrySet().stream())
                .forEach(file -> form.addFormData(FunctionForm.FILE, file.getValue(), TYPESCRIPT, file.getKey()));
        return form;
    }

    private static DeployOptions options(Boolean verifyJwt, Target target) {
        return new DeployOptions(Optional.ofNullable(verifyJwt), Optional.empty(), target);
    }

    /** The name, unless the body contradicts it. */
    private static String named(String name, String said) {
        if (said != null && !said.equals(name)) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The name of a function must equal its slug.")
                    .withError("/name", "is not " + name)
                    .withHint("Omit it, or send the slug.")
                    .asException();
        }
        return name;
    }

    private Response created(String ref, EdgeFunction function) {
        String name = function.getSpec().name();
        return Response.created(URI.create(baseUrl + "/projects/" + ref + "/functions/" + name))
                .entity(views.of(function))
                .build();
    }
}
