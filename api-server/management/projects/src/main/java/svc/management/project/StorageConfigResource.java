package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/projects/{ref}/config/storage}, as Supabase's Management API has it. */
@Path("/v1/projects/{ref}/config/storage")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class StorageConfigResource {
    private final Projects projects;
    private final CurrentPrincipal caller;

    StorageConfigResource(Projects projects, CurrentPrincipal caller) {
        this.projects = projects;
        this.caller = caller;
    }

    @GET
    @Operation(operationId = "v1-get-storage-config", summary = "Get the settings of the storage service")
    @APIResponse(responseCode = "200", description = "The settings")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public StorageChange get(@PathParam("ref") String ref) {
        return StorageChange.of(projects.current(caller.get(), ref).getSpec().storage());
    }

    @PATCH
    @Requires(Permission.PROJECTS_CREATE)
    @Operation(
            operationId = "v1-update-storage-config",
            summary = "Change settings of the storage service; omitted fields keep their value")
    @APIResponse(responseCode = "200", description = "The settings after the change")
    @APIResponse(responseCode = "403", description = "pat_projects_create_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public StorageChange change(@PathParam("ref") String ref, StorageChange body) {
        ProjectChange change = ProjectChange.of(Body.required(body).checked());
        return StorageChange.of(
                projects.change(caller.get(), ref, change).getSpec().storage());
    }
}
