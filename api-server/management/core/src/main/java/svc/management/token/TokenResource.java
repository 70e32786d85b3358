package svc.management.token;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.ResponseStatus;
import svc.management.json.Body;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** {@code /v1/tokens}: the personal access tokens of the caller's organisation. */
@Path("/v1/tokens")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class TokenResource {
    private final AccessTokens tokens;
    private final CurrentPrincipal caller;
    private final TokenAudit audit;

    TokenResource(AccessTokens tokens, CurrentPrincipal caller, TokenAudit audit) {
        this.tokens = tokens;
        this.caller = caller;
        this.audit = audit;
    }

    @POST
    @ResponseStatus(201)
    @Requires(Permission.TOKENS_MANAGE)
    @Operation(
            operationId = "createToken",
            summary = "Create a token; its secret is returned only once, in this response")
    @APIResponse(
            responseCode = "201",
            description = "The token with its secret",
            content = @Content(schema = @Schema(implementation = TokenBodies.View.class)))
    public TokenBodies.View create(TokenBodies.Create body) {
        Body.required(body);
        Set<Permission> permissions = TokenBodies.permissions(body.permissions()).entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        String name = Body.required(body.name(), "/name");
        return TokenBodies.view(audit.recorded(
                caller.get(),
                "create token",
                () -> tokens.create(caller.get(), name, permissions, Optional.ofNullable(body.expiresAt())),
                created -> "create token " + created.token().id() + TokenAudit.granted(permissions)));
    }

    @GET
    @Requires(Permission.TOKENS_MANAGE)
    @Operation(
            operationId = "listTokens",
            summary = "List the tokens of the organisation, including revoked ones, without secrets")
    public List<TokenBodies.View> list() {
        return tokens.list(caller.get()).stream().map(TokenBodies::view).toList();
    }

    @GET
    @Path("/{id}")
    @Operation(operationId = "getToken", summary = "Get a token; every token may get itself")
    public TokenBodies.View get(@PathParam("id") String id) {
        return TokenBodies.view(tokens.get(caller.get(), id(id)));
    }

    @PATCH
    @Path("/{id}")
    @Requires(Permission.TOKENS_MANAGE)
    @Operation(
            operationId = "updateToken",
            summary = "Change permissions, name or expiry of a token; the secret stays valid")
    public TokenBodies.View change(@PathParam("id") String id, TokenBodies.Change body) {
        Body.required(body);
        Map<Permission, Boolean> permissions = TokenBodies.permissions(body.permissions());
        return TokenBodies.view(audit.recorded(
                caller.get(),
                "change token",
                () -> tokens.change(
                        caller.get(),
                        id(id),
                        Optional.ofNullable(body.name()),
                        permissions,
                        Optional.ofNullable(body.expiresAt())),
                token -> "change token " + token.id() + TokenAudit.changed(permissions)));
    }

    @DELETE
    @Path("/{id}")
    @Requires(Permission.TOKENS_MANAGE)
    @Operation(operationId = "revokeToken", summary = "Revoke a token, permanently and at once")
    public TokenBodies.View revoke(@PathParam("id") String id) {
        return TokenBodies.view(audit.recorded(
                caller.get(),
                "revoke token",
                () -> tokens.revoke(caller.get(), id(id)),
                token -> "revoke token " + token.id()));
    }

    @POST
    @Path("/{id}/prepare-for-ci")
    @Requires(Permission.TOKENS_MANAGE)
    @Operation(
            operationId = "prepareTokenForCi",
            summary = "Enable SQL, project creation and edge functions, and set an expiry, in one call")
    public TokenBodies.View prepareForCi(@PathParam("id") String id, TokenBodies.PrepareForCi body) {
        return TokenBodies.view(audit.recorded(
                caller.get(),
                "change token",
                () -> tokens.prepareForCi(
                        caller.get(), id(id), Optional.ofNullable(body).map(TokenBodies.PrepareForCi::expiresAt)),
                token -> "change token " + token.id() + TokenAudit.granted(token.permissions())));
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw Problem.of(ProblemCode.TOKEN_NOT_FOUND, "The organisation has no token with this id.")
                    .asException();
        }
    }
}
