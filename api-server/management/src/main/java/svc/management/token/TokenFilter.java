package svc.management.token;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.reflect.Method;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Authenticates every call of the control plane and checks its permission, before the body is parsed. */
public class TokenFilter {
    private static final String AUTHENTICATED = "svc.principal";

    private final TokenAuthentication authentication;
    private final CurrentPrincipal current;
    private final RoutingContext context;

    TokenFilter(TokenAuthentication authentication, CurrentPrincipal current, RoutingContext context) {
        this.authentication = authentication;
        this.current = current;
        this.context = context;
    }

    /** Leaves the principal of a call that was authenticated before its body was read. */
    public static void pass(RoutingContext context, Principal principal) {
        context.put(AUTHENTICATED, principal);
    }

    @ServerRequestFilter
    public void authenticate(ContainerRequestContext request, ResourceInfo resource) {
        Method method = resource.getResourceMethod();
        if (method.isAnnotationPresent(WithoutToken.class)) {
            return;
        }
        Principal known = context.get(AUTHENTICATED);
        Principal principal =
                known != null ? known : authentication.authenticate(request.getHeaderString(HttpHeaders.AUTHORIZATION));
        Requires required = method.getAnnotation(Requires.class);
        if (required != null) {
            principal.require(required.value());
        }
        current.set(principal);
    }
}
