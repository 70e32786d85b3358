package svc.management.mcp.oauth;

import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import svc.management.ControlPlanePath;
import svc.platform.config.ApiConfig;

/** The addresses that the sign-in of MCP clients consists of. */
@ApplicationScoped
public class OAuthAddresses {
    private final String baseUrl;
    private final URI base;

    OAuthAddresses(ApiConfig config) {
        this.baseUrl = config.hosts().baseUrl();
        this.base = URI.create(baseUrl);
    }

    /** Of the authorization server: an origin. */
    String issuer() {
        return base.getScheme() + "://" + base.getRawAuthority();
    }

    /** The MCP server: what an access token is for (RFC 8707). */
    String resource() {
        return baseUrl + "/mcp";
    }

    String endpoint(String name) {
        return baseUrl + "/oauth/" + name;
    }

    /** The same without its host: a page may be open under another name of this server. */
    String path(String name) {
        return base.getRawPath() + "/oauth/" + name;
    }

    boolean isSecure() {
        return "https".equals(base.getScheme());
    }

    /** The header WWW-Authenticate of a 401 at the MCP server, where clients find how to sign in. */
    public String challenge() {
        return "Bearer resource_metadata=\"" + issuer() + ControlPlanePath.PROTECTED_RESOURCE.path() + base.getRawPath()
                + "/mcp\"";
    }
}
