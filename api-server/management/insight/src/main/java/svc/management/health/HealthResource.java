package svc.management.health;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.crds.project.Project;
import svc.database.sql.SqlFragment;
import svc.management.project.ProjectState;
import svc.management.project.Projects;
import svc.management.query.OwnerReads;
import svc.management.token.CurrentPrincipal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.TenantDirectory;

/** {@code /v1/projects/{ref}/health}: the state of the project, and whether its database answers. */
@Path("/v1/projects/{ref}/health")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class HealthResource {
    private static final SqlFragment ALIVE = SqlFragment.of("SELECT 'alive'");
    private static final int MAX_TIMEOUT_MS = 10_000;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private final Projects projects;
    private final TenantDirectory tenants;
    private final OwnerReads reads;
    private final CurrentPrincipal caller;

    HealthResource(Projects projects, TenantDirectory tenants, OwnerReads reads, CurrentPrincipal caller) {
        this.projects = projects;
        this.tenants = tenants;
        this.reads = reads;
        this.caller = caller;
    }

    @GET
    @Operation(
            operationId = "v1-get-services-health",
            summary = "Get the health of services: the project's state, its switches, and whether its database answers")
    @APIResponse(responseCode = "200", description = "The services in the order of the request")
    @APIResponse(responseCode = "400", description = "invalid_parameter")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public List<ServiceHealth> health(
            @PathParam("ref") String ref,
            @Parameter(
                            description = "Names, separated by commas or repeated; all services if omitted",
                            example = "auth,db")
                    @QueryParam("services")
                    List<String> services,
            @Parameter(description = "How long the database may take to answer, 0 to 10000") @QueryParam("timeout_ms")
                    String timeoutMs) {
        Project project = projects.get(caller.get(), ref);
        Set<ProjectService> wanted = services(services);
        Optional<String> database = database(project, ref, timeout(timeoutMs));
        ProjectState state = ProjectState.of(project);
        return wanted.stream()
                .map(service -> ServiceHealth.of(service, project.getSpec(), state, database))
                .toList();
    }

    private static Duration timeout(String text) {
        if (text == null) {
            return DEFAULT_TIMEOUT;
        }
        try {
            int milliseconds = Integer.parseInt(text);
            if (milliseconds >= 0 && milliseconds <= MAX_TIMEOUT_MS) {
                return Duration.ofMillis(Math.max(1, milliseconds));
            }
        } catch (NumberFormatException e) {
            // Answered like a number out of range.
        }
        throw Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter timeout_ms is from 0 to 10000.")
                .asException();
    }

    private static Set<ProjectService> services(List<String> names) {
        Set<ProjectService> wanted = names.stream()
                .flatMap(text -> Stream.of(text.split(",")))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(HealthResource::service)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return wanted.isEmpty() ? new LinkedHashSet<>(ProjectService.usual()) : wanted;
    }

    private static ProjectService service(String name) {
        return ProjectService.ofWire(name)
                .orElseThrow(() -> Problem.of(ProblemCode.INVALID_PARAMETER, "There is no service " + name + ".")
                        .withHint("Services: "
                                + Arrays.stream(ProjectService.values())
                                        .map(ProjectService::wire)
                                        .collect(Collectors.joining(", "))
                                + ".")
                        .asException());
    }

    /** Why the database does not answer; empty if it does, or if the project is not served anyway. */
    private Optional<String> database(Project project, String ref, Duration time) {
        return tenants.find(ref)
                .filter(tenant -> tenant.organization().equals(project.getSpec().organization()))
                .flatMap(tenant -> {
                    try {
                        reads.read(tenant, ALIVE, time);
                        return Optional.empty();
                    } catch (ProblemException e) {
                        return Optional.of(e.problem().detail());
                    }
                });
    }
}
