package svc.management.mcp;

import jakarta.enterprise.context.ApplicationScoped;
import svc.management.admission.PathAuthentication;
import svc.management.mcp.oauth.OAuthAddresses;
import svc.management.mcp.token.McpAuthentication;
import svc.management.token.Principal;

/** Admits the bodies of MCP clients, and tells a client without a token where it signs in (RFC 9728). */
@ApplicationScoped
class McpPathAuthentication implements PathAuthentication {
    private final McpAuthentication authentication;
    private final OAuthAddresses addresses;

    McpPathAuthentication(McpAuthentication authentication, OAuthAddresses addresses) {
        this.authentication = authentication;
        this.addresses = addresses;
    }

    @Override
    public String path() {
        return McpResource.PATH;
    }

    @Override
    public Principal authenticate(String authorization) {
        return authentication.authenticate(authorization).principal();
    }

    @Override
    public String challenge() {
        return addresses.challenge();
    }
}
