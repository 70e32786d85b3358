package svc.management.token;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.reflect.Method;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Authenticates every call of the control plane and checks its permission, before the body is parsed. */
public class TokenFilter {
    private final TokenAuthentication authentication;
    private final CurrentPrincipal current;

    TokenFilter(TokenAuthentication authentication, CurrentPrincipal current) {
        this.authentication = authentication;
        this.current = current;
    }

    @ServerRequestFilter
    public void authenticate(ContainerRequestContext request, ResourceInfo resource) {
        Method method = resource.getResourceMethod();
        if (method.isAnnotationPresent(WithoutToken.class)) {
            return;
        }
        Principal principal = authentication.authenticate(request.getHeaderString(HttpHeaders.AUTHORIZATION));
        Requires required = method.getAnnotation(Requires.class);
        if (required != null) {
            principal.require(required.value());
        }
        current.set(principal);
    }
}
