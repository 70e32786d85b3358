package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.crds.project.Project;
import svc.database.key.ApiKey;
import svc.database.key.KeyKind;
import svc.database.key.Purpose;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.platform.config.PurposeRoots;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;

/** {@code /v1/projects/{ref}/api-keys}: the active keys. They are derived for each response and stored nowhere. */
@Path("/v1/projects/{ref}/api-keys")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ApiKeyResource {
    private final Projects projects;
    private final TenantDirectory tenants;
    private final PurposeRoots roots;
    private final CurrentPrincipal caller;

    ApiKeyResource(Projects projects, TenantDirectory tenants, PurposeRoots roots, CurrentPrincipal caller) {
        this.projects = projects;
        this.tenants = tenants;
        this.roots = roots;
        this.caller = caller;
    }

    /** @param apiKey omitted for a secret key unless it is requested */
    public record View(String id, String name, String type, String prefix, String apiKey) {}

    @GET
    @Operation(
            operationId = "v1-get-project-api-keys",
            summary = "List the API keys; reveal=true and the permission to run SQL add the service-role key")
    public List<View> keys(@PathParam("ref") String ref, @QueryParam("reveal") @DefaultValue("false") boolean reveal) {
        Project project = projects.get(caller.get(), ref);
        if (reveal) {
            // The service-role key bypasses row security and runs migrations, so it needs the permission to run SQL.
            caller.get().require(Permission.DATABASE_QUERY);
        }
        Tenant tenant = tenants.find(ref)
                .filter(found -> found.organization().equals(project.getSpec().organization()))
                .orElseThrow(() -> Problem.of(ProblemCode.PROJECT_NOT_READY, "The project has no keys yet.")
                        .withHint("GET /v1/projects/" + ref + " shows its progress.")
                        .asException());
        return List.of(
                new View(
                        "anon",
                        "anon",
                        "publishable",
                        KeyKind.ANON.prefix(),
                        project.getStatus().anonKey()),
                new View(
                        "service_role",
                        "service_role",
                        "secret",
                        KeyKind.SERVICE.prefix(),
                        reveal ? serviceKey(tenant) : null));
    }

    private String serviceKey(Tenant tenant) {
        int version = Collections.max(tenant.keyVersions().getOrDefault(Purpose.SERVICE_KEY, Set.of(1)));
        return ApiKey.of(roots.require(Purpose.SERVICE_KEY, tenant.masterKeyVersion())
                .leaf(tenant.scope().withKeyVersion(version)));
    }
}
