package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.crds.project.Project;
import svc.database.key.ApiKey;
import svc.database.key.KeyKind;
import svc.database.key.Purpose;
import svc.management.supabase.SupabaseShape;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
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
    private static final String SECRET = "secret";
    private static final String SERVICE_ROLE = "service_role";

    private final Projects projects;
    private final TenantDirectory tenants;
    private final PurposeRoots roots;
    private final ProjectAudit audit;
    private final CurrentPrincipal caller;

    ApiKeyResource(
            Projects projects,
            TenantDirectory tenants,
            PurposeRoots roots,
            ProjectAudit audit,
            CurrentPrincipal caller) {
        this.projects = projects;
        this.tenants = tenants;
        this.roots = roots;
        this.audit = audit;
        this.caller = caller;
    }

    /** @param apiKey omitted for a secret key unless it is requested */
    @Schema(name = "ApiKeyResponse")
    public record View(String id, String name, String type, String prefix, String apiKey) implements SupabaseShape {
        /** Supabase's programs know the service-role key by a role that it stands for. */
        record WithRole(
                String id,
                String name,
                String type,
                String prefix,
                String apiKey,
                Map<String, String> secretJwtTemplate) {}

        @Override
        public Object forSupabase(Deployment deployment) {
            return type.equals(SECRET)
                    ? new WithRole(id, name, type, prefix, apiKey, Map.of("role", SERVICE_ROLE))
                    : this;
        }
    }

    @GET
    @Operation(
            operationId = "v1-get-project-api-keys",
            summary = "List the API keys; reveal=true and the permission to run SQL add the service-role key")
    @APIResponse(responseCode = "200", description = "The keys")
    @APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    @APIResponse(responseCode = "409", description = "project_not_ready")
    public List<View> keys(@PathParam("ref") String ref, @QueryParam("reveal") @DefaultValue("false") boolean reveal) {
        Project project = projects.get(caller.get(), ref);
        if (reveal) {
            audit.requireRightToReveal(caller.get(), project);
        }
        Tenant tenant = tenants.find(ref)
                .or(() -> tenants.suspended(ref))
                .filter(found -> found.organization().equals(project.getSpec().organization()))
                .orElseThrow(() -> Problem.of(ProblemCode.PROJECT_NOT_READY, "The project has no keys yet.")
                        .withHint("GET /v1/projects/" + ref + " shows its progress.")
                        .asException());
        if (reveal) {
            audit.revealed(caller.get(), project);
        }
        return List.of(
                new View(
                        "anon",
                        "anon",
                        "publishable",
                        KeyKind.ANON.prefix(),
                        project.getStatus().anonKey()),
                new View(
                        SERVICE_ROLE,
                        SERVICE_ROLE,
                        SECRET,
                        KeyKind.SERVICE.prefix(),
                        reveal ? serviceKey(tenant) : null));
    }

    /** @param enabled whether keys in the form of JSON Web Tokens are accepted */
    @Schema(name = "LegacyApiKeysResponse")
    public record Legacy(boolean enabled) {}

    @GET
    @Path("/legacy")
    @Operation(
            operationId = "v1-get-project-legacy-api-keys",
            summary = "Whether keys in the form of JSON Web Tokens are accepted: a project has none")
    @APIResponse(responseCode = "200", description = "Always {\"enabled\": false}")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public Legacy legacy(@PathParam("ref") String ref) {
        projects.get(caller.get(), ref);
        return new Legacy(false);
    }

    @PUT
    @Path("/legacy")
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-update-project-legacy-api-keys",
            summary = "Disable keys in the form of JSON Web Tokens; they cannot be enabled")
    @APIResponse(responseCode = "200", description = "Always {\"enabled\": false}")
    @APIResponse(responseCode = "400", description = "invalid_parameter")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public Legacy changeLegacy(@PathParam("ref") String ref, @QueryParam("enabled") String enabled) {
        if (!"false".equals(enabled)) {
            throw Problem.of(
                            ProblemCode.INVALID_PARAMETER,
                            "The parameter enabled must be false: a project has no keys in the form of JSON Web Tokens.")
                    .withHint("GET /v1/projects/" + ref + "/api-keys lists its keys. Tokens of an earlier platform are"
                            + " accepted with spec.auth.jwt.verifyKeys.")
                    .asException();
        }
        return legacy(ref);
    }

    @GET
    @Path("/{id}")
    @Operation(operationId = "v1-get-project-api-key", summary = "Get an API key")
    @APIResponse(responseCode = "200", description = "The key")
    @APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found, not_found")
    public View key(
            @PathParam("ref") String ref,
            @PathParam("id") String id,
            @QueryParam("reveal") @DefaultValue("false") boolean reveal) {
        return keys(ref, reveal && SERVICE_ROLE.equals(id)).stream()
                .filter(key -> key.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Problem.of(ProblemCode.NOT_FOUND, "The project has no API key " + id + ".")
                        .withHint("Its keys are anon and service_role.")
                        .asException());
    }

    private String serviceKey(Tenant tenant) {
        int version = Collections.max(tenant.keyVersions().getOrDefault(Purpose.SERVICE_KEY, Set.of(1)));
        return ApiKey.of(roots.require(Purpose.SERVICE_KEY, tenant.masterKeyVersion())
                .leaf(tenant.scope().withKeyVersion(version)));
    }
}
