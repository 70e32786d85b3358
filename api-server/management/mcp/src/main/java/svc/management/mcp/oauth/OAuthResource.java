package svc.management.mcp.oauth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.management.token.WithoutToken;

/** {@code /v1/oauth}: what MCP clients call to sign in. Forms in, JSON out, in the words of the standards. */
@Path("/v1/oauth")
@RunOnVirtualThread
public class OAuthResource {
    private static final String SIGN_IN = "the sign-in itself: a code, a verifier or a refresh token is the credential";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final OAuthClients clients;
    private final OAuthGrants grants;
    private final OAuthAddresses addresses;
    private final OAuthLimits limits;

    OAuthResource(OAuthClients clients, OAuthGrants grants, OAuthAddresses addresses, OAuthLimits limits) {
        this.clients = clients;
        this.grants = grants;
        this.addresses = addresses;
        this.limits = limits;
    }

    @POST
    @Path("/register")
    @Consumes(MediaType.WILDCARD)
    @WithoutToken(because = "anyone may register a client, which can do nothing until a person allows it")
    @Operation(operationId = "oauthRegister", summary = "Register an MCP client (RFC 7591)", hidden = true)
    public Response register(byte[] body, RoutingContext context) {
        return answered(() -> {
            String network = limits.countRegistration(context);
            OAuthClient client = clients.register(metadata(body), network);
            ObjectNode registered = JsonNodeFactory.instance
                    .objectNode()
                    .put("client_id", client.id().toString())
                    .put("client_id_issued_at", client.createdAt().getEpochSecond())
                    .put("client_name", client.name())
                    .put("token_endpoint_auth_method", "none");
            client.redirectUris().forEach(registered.putArray("redirect_uris")::add);
            registered.putArray("grant_types").add("authorization_code").add("refresh_token");
            registered.putArray("response_types").add("code");
            return json(201, registered);
        });
    }

    private static JsonNode metadata(byte[] body) {
        try {
            JsonNode metadata = JSON.readTree(body == null ? new byte[0] : body);
            if (metadata != null && metadata.isObject()) {
                return metadata;
            }
        } catch (JsonProcessingException e) {
            // Answered like a body of another shape.
        } catch (IOException e) {
            throw new IllegalStateException("while reading bytes", e);
        }
        throw OAuthError.of("invalid_client_metadata", "The body is a JSON object.");
    }

    @POST
    @Path("/token")
    @Consumes(MediaType.WILDCARD)
    @WithoutToken(because = SIGN_IN)
    @Operation(operationId = "oauthToken", summary = "Exchange a code or a refresh token (RFC 6749)", hidden = true)
    public Response token(byte[] body, RoutingContext context) {
        return answered(() -> {
            limits.countToken(context);
            OAuthForm form = OAuthForm.ofBody(body);
            AuthorizationRequest.requireResource(form, addresses.resource());
            String client = client(form);
            OAuthGrants.Issued issued = switch (form.required("grant_type")) {
                case "authorization_code" ->
                    grants.exchange(
                            client,
                            form.required("code"),
                            form.required("redirect_uri"),
                            form.required("code_verifier"));
                case "refresh_token" -> grants.refresh(client, form.required("refresh_token"));
                default ->
                    throw OAuthError.of("unsupported_grant_type", "grant_type is authorization_code or refresh_token.");
            };
            return json(
                    200,
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("access_token", issued.access())
                            .put("token_type", "Bearer")
                            .put("expires_in", OAuthGrants.ACCESS_LIFETIME.toSeconds())
                            .put("refresh_token", issued.refresh())
                            .put(
                                    "scope",
                                    issued.readOnly() ? AuthorizationRequest.READ_SCOPE : AuthorizationRequest.SCOPE));
        });
    }

    @POST
    @Path("/revoke")
    @Consumes(MediaType.WILDCARD)
    @WithoutToken(because = SIGN_IN)
    @Operation(operationId = "oauthRevoke", summary = "End a grant by one of its tokens (RFC 7009)", hidden = true)
    public Response revoke(byte[] body, RoutingContext context) {
        return answered(() -> {
            limits.countToken(context);
            OAuthForm form = OAuthForm.ofBody(body);
            grants.revoke(client(form), form.required("token"));
            return json(200, JsonNodeFactory.instance.objectNode());
        });
    }

    private String client(OAuthForm form) {
        String id = form.required("client_id");
        return clients.find(id)
                .map(client -> client.id().toString())
                .orElseThrow(() -> OAuthError.of(OAuthError.INVALID_CLIENT, "There is no such client."));
    }

    private static Response answered(Supplier<Response> call) {
        try {
            return call.get();
        } catch (OAuthError e) {
            ObjectNode error = JsonNodeFactory.instance
                    .objectNode()
                    .put("error", e.code())
                    .put("error_description", e.getMessage());
            Response.ResponseBuilder answer = answer(e.status(), error);
            e.retryAfter().ifPresent(wait -> answer.header("Retry-After", wait.toSeconds()));
            return answer.build();
        }
    }

    private static Response json(int status, ObjectNode body) {
        return answer(status, body).build();
    }

    private static Response.ResponseBuilder answer(int status, ObjectNode body) {
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .header("Cache-Control", "no-store")
                .entity(body.toString());
    }
}
