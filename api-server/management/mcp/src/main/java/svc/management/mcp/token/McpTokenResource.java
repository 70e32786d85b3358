package svc.management.mcp.token;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.ResponseStatus;
import svc.management.audit.CallAudit;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.TokenBodies;

/** {@code /v1/tokens/mcp}: tokens of MCP clients. */
@Path("/v1/tokens/mcp")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
public class McpTokenResource {
    private final McpTokens tokens;
    private final CurrentPrincipal caller;
    private final CallAudit audit;

    McpTokenResource(McpTokens tokens, CurrentPrincipal caller, CallAudit audit) {
        this.tokens = tokens;
        this.caller = caller;
        this.audit = audit;
    }

    /**
     * @param permissions database_query, projects_create, edge_functions by name; those of the caller's token if omitted
     * @param projectRef the only project that it reaches; all of the organisation if omitted
     * @param readOnly whether it changes nothing; false if omitted
     * @param expiresAt within a year; in 30 days if omitted
     */
    @Schema(name = "CreateMcpTokenBody")
    public record Create(
            String name, Map<String, Boolean> permissions, String projectRef, Boolean readOnly, Instant expiresAt) {}

    /** @param token the secret; only in the response to the creation */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "McpTokenResponse")
    public record View(
            UUID id,
            String name,
            String organization,
            String hint,
            List<String> permissions,
            String projectRef,
            boolean readOnly,
            UUID createdBy,
            Instant createdAt,
            Instant expiresAt,
            Instant revokedAt,
            String token) {
        static View of(McpToken token, String secret) {
            return new View(
                    token.id(),
                    token.name(),
                    token.organization(),
                    token.hint(),
                    token.permissions().stream().map(Permission::wire).sorted().toList(),
                    token.project().orElse(null),
                    token.readOnly(),
                    token.createdBy(),
                    token.createdAt(),
                    token.expiresAt(),
                    token.revokedAt().orElse(null),
                    secret);
        }
    }

    @POST
    @ResponseStatus(201)
    @Operation(
            operationId = "createMcpToken",
            summary = "Create a token for an MCP client, with the rights of the caller's token or fewer",
            description = "Its secret is returned only once, in this response. It is valid for /v1/mcp alone.")
    @APIResponse(
            responseCode = "201",
            description = "The token with its secret",
            content = @Content(schema = @Schema(implementation = View.class)))
    public View create(Create body) {
        Body.required(body);
        McpTokens.Created created = recorded(
                "create MCP token",
                () -> tokens.create(
                        caller.get(),
                        Body.required(body.name(), "/name"),
                        Optional.ofNullable(body.permissions()).map(TokenBodies::permissions),
                        Optional.ofNullable(body.projectRef()),
                        Boolean.TRUE.equals(body.readOnly()),
                        Optional.ofNullable(body.expiresAt())),
                made -> made.token().id());
        return View.of(created.token(), created.secret().reveal());
    }

    @GET
    @Operation(
            operationId = "listMcpTokens",
            summary = "List the MCP tokens of the caller's token; with tokens_manage those of the organisation")
    @APIResponse(responseCode = "200", description = "The tokens")
    public List<View> list() {
        return tokens.list(caller.get()).stream()
                .map(token -> View.of(token, null))
                .toList();
    }

    @DELETE
    @Path("/{id}")
    @Operation(operationId = "revokeMcpToken", summary = "Revoke an MCP token, permanently and at once")
    @APIResponse(responseCode = "200", description = "The revoked token")
    public View revoke(@PathParam("id") String id) {
        UUID token;
        try {
            token = UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw McpTokens.unknown();
        }
        return View.of(recorded("revoke MCP token", () -> tokens.revoke(caller.get(), token), McpToken::id), null);
    }

    private <T> T recorded(String what, Supplier<T> change, Function<T, UUID> token) {
        var by = new CallAudit.Caller(caller.get().tokenId(), caller.get().organization());
        return audit.recorded(by, Optional.empty(), what, change, done -> what + " " + token.apply(done));
    }
}
