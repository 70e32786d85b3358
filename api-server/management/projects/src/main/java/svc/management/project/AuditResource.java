package svc.management.project;

import com.google.re2j.Pattern;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.audit.AuditPages;
import svc.management.token.CurrentPrincipal;

/**
 * {@code /v1/projects/{ref}/audit}. Every token of the project's organisation may read it, as it may read the project:
 * it tells who ran SQL, never the SQL.
 */
@Path("/v1/projects/{ref}/audit")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class AuditResource {
    private static final Pattern REF = Pattern.compile("[a-z0-9]{1,63}");

    private final AuditPages audit;
    private final Projects projects;
    private final CurrentPrincipal caller;

    AuditResource(AuditPages audit, Projects projects, CurrentPrincipal caller) {
        this.audit = audit;
        this.projects = projects;
        this.caller = caller;
    }

    @GET
    @Operation(
            operationId = "listSqlCalls",
            summary = "List the SQL calls and changes of a project with their caller and result, newest first")
    @Parameter(
            name = "limit",
            in = ParameterIn.QUERY,
            description = "Maximum number of calls to return, 1 to 100 (default 50)",
            schema = @Schema(implementation = Integer.class))
    @Parameter(name = "cursor", in = ParameterIn.QUERY, description = "next_cursor of the previous page")
    @Parameter(name = "result", in = ParameterIn.QUERY, description = "Only calls with this result")
    @Parameter(
            name = "actor",
            in = ParameterIn.QUERY,
            description = "Only calls by token, by service_role, or by the token with this id")
    @Parameter(name = "since", in = ParameterIn.QUERY, description = "Only calls at or after this time (RFC 3339)")
    @Parameter(name = "until", in = ParameterIn.QUERY, description = "Only calls before this time (RFC 3339)")
    @APIResponse(responseCode = "200", description = "A page")
    @APIResponse(responseCode = "400", description = "invalid_parameter")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public AuditPages.Page list(@PathParam("ref") String ref, @Context UriInfo uri) {
        String organization = caller.get().organization();
        boolean possible = REF.matcher(ref).matches();
        AuditPages.Page page = audit.ofProject(organization, possible ? ref : "", uri.getQueryParameters());
        if (page.calls().isEmpty() && !(possible && audit.knows(organization, ref))) {
            // Throws 404 for a project that does not exist or belongs to another organisation.
            projects.get(caller.get(), ref);
        }
        return page;
    }
}
