package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.crds.project.Project;
import svc.management.idempotency.KeyedByResource;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** {@code /v1/projects}. */
@Path("/v1/projects")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ProjectResource {
    private static final String ETAG = "ETag";

    private final Projects projects;
    private final ProjectViews views;
    private final ReadyWait wait;
    private final CurrentPrincipal caller;
    private final Clock clock;
    private final String baseUrl;
    private final String region;

    ProjectResource(
            Projects projects,
            ProjectViews views,
            ReadyWait wait,
            CurrentPrincipal caller,
            Clock clock,
            ApiConfig config) {
        this.projects = projects;
        this.views = views;
        this.wait = wait;
        this.caller = caller;
        this.clock = clock;
        this.baseUrl = config.hosts().baseUrl();
        this.region = config.projects().region();
    }

    @POST
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(operationId = "createProject", summary = "Create a project; responds when it is ready")
    @APIResponse(
            responseCode = "201",
            description = "The project; status COMING_UP if it was not ready within the timeout",
            content = @Content(schema = @Schema(implementation = ProjectBodies.Wrapped.class)))
    @KeyedByResource(because = "the ref of the new project derives from the key")
    public Response create(@HeaderParam("Idempotency-Key") String idempotencyKey, ProjectBodies.Create body) {
        Body.required(body);
        requireOwnOrganization("/organization_id", body.organizationId());
        requireOwnOrganization("/organization_slug", body.organizationSlug());
        Regions.requireOwn(body.regionSelection(), region);
        Projects.Created created = projects.create(
                caller.get(),
                ProjectChange.checkedName(body.name()),
                Optional.ofNullable(body.deletionPolicy()),
                Optional.ofNullable(idempotencyKey));
        ProjectBodies.View view = views.of(created.project());
        Response.ResponseBuilder answer = Response.created(URI.create(baseUrl + "/projects/" + view.ref()))
                .entity(new ProjectBodies.Wrapped(view, ignored(body)));
        return (created.replayed() ? answer.header("Idempotency-Replayed", "true") : answer).build();
    }

    @GET
    @Operation(operationId = "listProjects", summary = "List the projects of the token's organisation, oldest first")
    @APIResponse(
            responseCode = "200",
            description = "The projects; all of them unless limit is given",
            headers =
                    @Header(
                            name = "Link",
                            description = "The next page, rel=\"next\"; none on the last",
                            schema = @Schema(type = SchemaType.STRING)))
    @APIResponse(responseCode = "400", description = "invalid_parameter")
    public List<ProjectBodies.View> list(
            @Parameter(description = "From 0", schema = @Schema(type = SchemaType.INTEGER)) @QueryParam("offset")
                    String offset,
            @Parameter(description = "1 to 1000", schema = @Schema(type = SchemaType.INTEGER)) @QueryParam("limit")
                    String limit,
            @Context UriInfo uri,
            @Context RoutingContext context) {
        PageRange range = PageRange.of(offset, limit, Integer.MAX_VALUE);
        List<Project> all = projects.list(caller.get());
        range.next(baseUrl + "/projects", uri.getQueryParameters(), all.size())
                .ifPresent(link -> context.response().headers().set(HttpHeaders.LINK, link));
        return range.cut(all).stream().map(views::of).toList();
    }

    @GET
    @Path("/available-regions")
    @Operation(
            operationId = "v1-get-available-regions",
            summary = "List where projects can be: the deployment has one region")
    @APIResponse(responseCode = "200", description = "The region")
    public Regions.View regions() {
        return Regions.of(region);
    }

    @GET
    @Path("/{ref}")
    @Operation(
            operationId = "getProject",
            summary = "Get a project; with wait=ready as soon as it is ready, or after timeout_ms as it is then")
    @APIResponse(
            responseCode = "200",
            description = "The project, with its ETag",
            content = @Content(schema = @Schema(implementation = ProjectBodies.View.class)))
    @APIResponse(responseCode = "304", description = "The project has the version of If-None-Match")
    @APIResponse(responseCode = "400", description = "invalid_parameter")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public Response get(
            @PathParam("ref") String ref,
            @HeaderParam("If-None-Match") String known,
            @Parameter(description = "ready, to wait until the project is ready or cannot become so")
                    @QueryParam("wait")
                    String until,
            @Parameter(
                            description = "How long to wait, 1 to 30000; 10000 if omitted",
                            schema = @Schema(type = SchemaType.INTEGER))
                    @QueryParam("timeout_ms")
                    String timeoutMs) {
        Project project = ReadyWait.limit(until, timeoutMs)
                .map(limit -> wait.await(caller.get(), ref, limit))
                .orElseGet(() -> projects.get(caller.get(), ref));
        if (EntityTag.of(known).names(project)) {
            return Response.notModified().header(ETAG, EntityTag.of(project)).build();
        }
        return tagged(project);
    }

    private Response tagged(Project project) {
        return Response.ok(views.of(project))
                .header(ETAG, EntityTag.of(project))
                .build();
    }

    @PATCH
    @Path("/{ref}")
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(operationId = "updateProject", summary = "Change the name or settings of a project")
    @APIResponse(
            responseCode = "200",
            description = "The project after the change, with its ETag",
            content = @Content(schema = @Schema(implementation = ProjectBodies.View.class)))
    @APIResponse(responseCode = "400", description = "invalid_body: the errors name each field")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden, pat_database_query_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    @APIResponse(responseCode = "412", description = "etag_mismatch")
    public Response change(
            @PathParam("ref") String ref, @HeaderParam("If-Match") String expected, ProjectBodies.Change body) {
        Body.required(body);
        return tagged(projects.change(caller.get(), ref, EntityTag.of(expected), ProjectChange.of(body)));
    }

    @DELETE
    @Path("/{ref}")
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(operationId = "deleteProject", summary = "Delete a project; its deletion_policy decides about its data")
    @APIResponse(responseCode = "200", description = "The project, which is being deleted")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    @APIResponse(responseCode = "412", description = "etag_mismatch")
    public ProjectBodies.Deleted delete(@PathParam("ref") String ref, @HeaderParam("If-Match") String expected) {
        return ProjectBodies.Deleted.of(projects.delete(caller.get(), ref, EntityTag.of(expected)));
    }

    @POST
    @Path("/{ref}/keys/rotate")
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "rotateProjectKeys",
            summary = "Rotate keys; the previous version stays valid during the overlap")
    public ProjectBodies.Wrapped rotate(@PathParam("ref") String ref, ProjectBodies.Rotate body) {
        return new ProjectBodies.Wrapped(
                views.of(projects.rotate(caller.get(), ref, KeyRotation.of(body, clock.instant()))), List.of());
    }

    private void requireOwnOrganization(String pointer, String organization) {
        if (organization != null && !organization.equals(caller.get().organization())) {
            throw Problem.of(
                            ProblemCode.INVALID_BODY,
                            "A project belongs to the organisation of the token that creates it, which is "
                                    + caller.get().organization() + ".")
                    .withError(pointer, "is not the token's organisation")
                    .asException();
        }
    }

    private static List<String> ignored(ProjectBodies.Create body) {
        List<String> ignored = new ArrayList<>();
        note(ignored, "db_pass", body.dbPass());
        note(ignored, "region", body.region());
        note(ignored, "region_selection", body.regionSelection());
        note(ignored, "plan", body.plan());
        note(ignored, "desired_instance_size", body.desiredInstanceSize());
        note(ignored, "kps_enabled", body.kpsEnabled());
        note(ignored, "template_url", body.templateUrl());
        return ignored;
    }

    private static void note(List<String> ignored, String field, Object value) {
        if (value != null) {
            ignored.add(field);
        }
    }
}
