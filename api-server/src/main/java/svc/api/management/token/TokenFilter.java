package svc.api.management.token;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Asks every call of the control plane for its token, before its body is looked at. */
public class TokenFilter {
    private final TokenAuthentication authentication;
    private final CurrentPrincipal current;

    TokenFilter(TokenAuthentication authentication, CurrentPrincipal current) {
        this.authentication = authentication;
        this.current = current;
    }

    @ServerRequestFilter
    public void authenticate(ContainerRequestContext request, ResourceInfo resource) {
        if (resource.getResourceMethod().isAnnotationPresent(WithoutToken.class)) {
            return;
        }
        current.set(authentication.authenticate(request.getHeaderString(HttpHeaders.AUTHORIZATION)));
    }
}
