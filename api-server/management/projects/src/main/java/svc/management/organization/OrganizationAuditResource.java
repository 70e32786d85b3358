package svc.management.organization;

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
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * {@code /v1/organizations/{slug}/audit}: the calls of all projects, and those that are about none. It names the organisation's
 * tokens, so it is for those that manage them.
 */
@Path("/v1/organizations/{slug}/audit")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class OrganizationAuditResource {
    private final AuditPages audit;
    private final CurrentPrincipal caller;

    OrganizationAuditResource(AuditPages audit, CurrentPrincipal caller) {
        this.audit = audit;
        this.caller = caller;
    }

    @GET
    @Requires(Permission.TOKENS_MANAGE)
    @Operation(
            operationId = "listOrganizationCalls",
            summary = "List the audited calls of an organisation, with those about tokens and projects, newest first")
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
    @APIResponse(responseCode = "403", description = "pat_tokens_manage_forbidden")
    @APIResponse(responseCode = "404", description = "not_found")
    public AuditPages.Page list(@PathParam("slug") String slug, @Context UriInfo uri) {
        String organization = caller.get().organization();
        if (!slug.equals(organization)) {
            throw Problem.of(ProblemCode.NOT_FOUND, "There is no such organisation for this token.")
                    .withHint("GET /v1/organizations lists the one that there is.")
                    .asException();
        }
        return audit.ofOrganization(organization, uri.getQueryParameters());
    }
}
