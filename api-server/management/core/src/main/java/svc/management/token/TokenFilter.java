package svc.management.token;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import svc.platform.problem.ProblemException;

/** Authenticates every call of the control plane and checks its permission, before the body is parsed. */
public class TokenFilter {
    private static final String AUTHENTICATED = "svc.principal";
    private static final Set<String> READS = Set.of("GET", "HEAD");

    private final TokenAuthentication authentication;
    private final CurrentPrincipal current;
    private final RoutingContext context;
    private final TokenAudit audit;

    TokenFilter(
            TokenAuthentication authentication, CurrentPrincipal current, RoutingContext context, TokenAudit audit) {
        this.authentication = authentication;
        this.current = current;
        this.context = context;
        this.audit = audit;
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
            require(principal, required.value(), request, method);
        }
        current.set(principal);
    }

    /** A read that is refused is not recorded: it is no attempt to change anything. */
    private void require(Principal principal, Permission permission, ContainerRequestContext request, Method method) {
        try {
            principal.require(permission);
        } catch (ProblemException e) {
            Operation operation = method.getAnnotation(Operation.class);
            if (operation != null && !READS.contains(request.getMethod())) {
                audit.denied(
                        principal,
                        Optional.ofNullable(
                                request.getUriInfo().getPathParameters().getFirst("ref")),
                        operation.operationId(),
                        e);
            }
            throw e;
        }
    }
}
