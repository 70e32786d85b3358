package svc.management.project;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.token.CurrentPrincipal;

/**
 * {@code /v1/projects/{ref}/billing/addons}: nothing is sold here, and a project has no size of an instance. Supabase's
 * Terraform provider reads the size from this call, and fails without it.
 */
@Path("/v1/projects/{ref}/billing/addons")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class AddonResource {
    private final Projects projects;
    private final CurrentPrincipal caller;

    AddonResource(Projects projects, CurrentPrincipal caller) {
        this.projects = projects;
        this.caller = caller;
    }

    /** What Supabase sells beside a project: its kind, {@code compute_instance} for example. */
    @Schema(name = "ProjectAddon")
    public record Addon(String type) {}

    @Schema(name = "ProjectAddons")
    public record View(List<Addon> selectedAddons, List<Addon> availableAddons) {}

    @GET
    @Operation(operationId = "v1-list-project-addons", summary = "List the add-ons of a project: there are none")
    @APIResponse(responseCode = "200", description = "Two empty lists")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public View addons(@PathParam("ref") String ref) {
        projects.get(caller.get(), ref);
        return new View(List.of(), List.of());
    }
}
