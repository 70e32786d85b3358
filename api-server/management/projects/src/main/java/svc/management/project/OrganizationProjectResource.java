package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.crds.project.Project;
import svc.database.name.SupabaseRef;
import svc.management.supabase.SupabaseShape;
import svc.management.token.CurrentPrincipal;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectWatch;

/** {@code /v1/organizations/{slug}/projects}: the projects of an organisation, page by page. */
@Path("/v1/organizations/{slug}/projects")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class OrganizationProjectResource {
    private static final int PAGE = 100;

    private final Projects projects;
    private final CurrentPrincipal caller;
    private final String baseUrl;
    private final String region;

    OrganizationProjectResource(Projects projects, CurrentPrincipal caller, ApiConfig config) {
        this.projects = projects;
        this.caller = caller;
        this.baseUrl = config.hosts().baseUrl();
        this.region = config.projects().region();
    }

    @Schema(name = "OrganizationProject")
    public record Listed(
            String ref, String name, String region, ProjectState status, boolean isBranch, Instant insertedAt) {
        Listed spelled() {
            return new Listed(SupabaseRef.of(ref), name, region, status, isBranch, insertedAt);
        }
    }

    /** @param count of all projects that match */
    public record Pagination(int count, int limit, int offset) {}

    @Schema(name = "OrganizationProjectsResponse")
    public record View(List<Listed> projects, Pagination pagination) implements SupabaseShape {
        @Override
        public View forSupabase(Deployment deployment) {
            return new View(projects.stream().map(Listed::spelled).toList(), pagination);
        }
    }

    @GET
    @Operation(
            operationId = "v1-get-all-projects-for-organization",
            summary = "List the projects of an organisation, page by page")
    @APIResponse(
            responseCode = "200",
            description = "A page",
            headers =
                    @Header(
                            name = "Link",
                            description = "The next page, rel=\"next\"; none on the last",
                            schema = @Schema(type = SchemaType.STRING)))
    @APIResponse(responseCode = "400", description = "invalid_parameter")
    @APIResponse(responseCode = "404", description = "not_found")
    public View list(
            @PathParam("slug") String slug,
            @Parameter(description = "From 0", schema = @Schema(type = SchemaType.INTEGER)) @QueryParam("offset")
                    String offset,
            @Parameter(description = "1 to 1000; 100 if omitted", schema = @Schema(type = SchemaType.INTEGER))
                    @QueryParam("limit")
                    String limit,
            @Parameter(description = "A part of the name or of the ref") @QueryParam("search") String search,
            @Parameter(description = "name_asc, name_desc, created_asc or created_desc") @QueryParam("sort")
                    String sort,
            @Parameter(description = "States, by commas") @QueryParam("statuses") String statuses,
            @Context UriInfo uri,
            @Context RoutingContext context) {
        if (!slug.equals(caller.get().organization())) {
            throw Problem.of(ProblemCode.NOT_FOUND, "There is no such organisation for this token.")
                    .withHint("GET /v1/organizations lists the one that there is.")
                    .asException();
        }
        PageRange range = PageRange.of(offset, limit, PAGE);
        Optional<Set<ProjectState>> states = Optional.ofNullable(statuses).map(OrganizationProjectResource::states);
        String part = search == null ? "" : search.toLowerCase(Locale.ROOT);
        List<Project> found = projects.list(caller.get()).stream()
                .filter(project -> states.isEmpty() || states.get().contains(ProjectState.of(project)))
                .filter(project ->
                        project.getSpec().name().toLowerCase(Locale.ROOT).contains(part)
                                || ProjectWatch.refOf(project).contains(part))
                .sorted(order(sort == null ? "created_asc" : sort))
                .toList();
        range.next(baseUrl + "/organizations/" + slug + "/projects", uri.getQueryParameters(), found.size())
                .ifPresent(link -> context.response().headers().set(HttpHeaders.LINK, link));
        return new View(
                range.cut(found).stream().map(this::listed).toList(),
                new Pagination(found.size(), range.limit(), range.offset()));
    }

    private Listed listed(Project project) {
        return new Listed(
                ProjectWatch.refOf(project),
                project.getSpec().name(),
                region,
                ProjectState.of(project),
                project.getSpec().branchOf() != null,
                Instant.parse(project.getMetadata().getCreationTimestamp()));
    }

    private static Comparator<Project> order(String sort) {
        Comparator<Project> byName =
                Comparator.comparing(project -> project.getSpec().name());
        Comparator<Project> byAge =
                Comparator.comparing(project -> project.getMetadata().getCreationTimestamp());
        Comparator<Project> order = switch (sort) {
            case "name_asc" -> byName;
            case "name_desc" -> byName.reversed();
            case "created_asc" -> byAge;
            case "created_desc" -> byAge.reversed();
            default -> throw invalid("sort is name_asc, name_desc, created_asc or created_desc");
        };
        return order.thenComparing(ProjectWatch::refOf);
    }

    private static Set<ProjectState> states(String text) {
        try {
            return Arrays.stream(text.split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .map(ProjectState::valueOf)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IllegalArgumentException e) {
            throw invalid("statuses is a list of " + Arrays.toString(ProjectState.values()));
        }
    }

    private static ProblemException invalid(String rule) {
        return Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter " + rule + ".")
                .asException();
    }
}
