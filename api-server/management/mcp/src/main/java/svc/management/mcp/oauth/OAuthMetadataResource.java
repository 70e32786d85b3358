package svc.management.mcp.oauth;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.management.token.WithoutToken;

/** Where MCP clients find how to sign in: RFC 9728 and RFC 8414. */
@Path("/.well-known")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class OAuthMetadataResource {
    private static final String PUBLIC = "public by nature: a client reads it before it has a token";

    private final OAuthAddresses addresses;

    OAuthMetadataResource(OAuthAddresses addresses) {
        this.addresses = addresses;
    }

    @GET
    @Path("/oauth-protected-resource{path:(/.*)?}")
    @WithoutToken(because = PUBLIC)
    @Operation(operationId = "oauthProtectedResource", summary = "Metadata of the MCP server", hidden = true)
    public String protectedResource() {
        ObjectNode metadata = JsonNodeFactory.instance
                .objectNode()
                .put("resource", addresses.resource())
                .put("resource_name", "svc");
        metadata.putArray("authorization_servers").add(addresses.issuer());
        metadata.putArray("bearer_methods_supported").add("header");
        scopes(metadata);
        return metadata.toString();
    }

    @GET
    @Path("/oauth-authorization-server{path:(/.*)?}")
    @WithoutToken(because = PUBLIC)
    @Operation(
            operationId = "oauthAuthorizationServer",
            summary = "Metadata of the sign-in of MCP clients",
            hidden = true)
    public String authorizationServer() {
        ObjectNode metadata = JsonNodeFactory.instance
                .objectNode()
                .put("issuer", addresses.issuer())
                .put("authorization_endpoint", addresses.endpoint("authorize"))
                .put("token_endpoint", addresses.endpoint("token"))
                .put("registration_endpoint", addresses.endpoint("register"))
                .put("revocation_endpoint", addresses.endpoint("revoke"))
                .put("authorization_response_iss_parameter_supported", true);
        metadata.putArray("response_types_supported").add("code");
        metadata.putArray("response_modes_supported").add("query");
        metadata.putArray("grant_types_supported").add("authorization_code").add("refresh_token");
        metadata.putArray("code_challenge_methods_supported").add("S256");
        metadata.putArray("token_endpoint_auth_methods_supported").add("none");
        metadata.putArray("revocation_endpoint_auth_methods_supported").add("none");
        scopes(metadata);
        return metadata.toString();
    }

    private static void scopes(ObjectNode metadata) {
        metadata.putArray("scopes_supported").add(AuthorizationRequest.SCOPE).add(AuthorizationRequest.READ_SCOPE);
    }
}
