package svc.management.supabase;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.GenericEntity;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import svc.management.token.SupabaseSpelling;
import svc.platform.config.ApiConfig;

/**
 * Gives answers the shape of Supabase's Management API where the caller's token is spelled as one of Supabase's: programs that
 * take such tokens alone take refs of 20 letters alone. Other callers are never answered so.
 */
public class SupabaseResponses {
    private static final String BEARER = "bearer ";

    private final SupabaseShape.Deployment deployment;

    SupabaseResponses(ApiConfig config) {
        this.deployment = new SupabaseShape.Deployment(
                config.projects().region(), config.hosts().data());
    }

    @ServerResponseFilter
    public void shape(ContainerRequestContext request, ContainerResponseContext response) {
        if (isSpelled(request.getHeaderString(HttpHeaders.AUTHORIZATION))) {
            switch (response.getEntity()) {
                // With a type of its own: the method's return type would be the writer's else.
                case SupabaseShape answer -> {
                    Object shaped = answer.forSupabase(deployment);
                    response.setEntity(new GenericEntity<>(shaped, shaped.getClass()));
                }
                case List<?> answers
                when answers.stream().anyMatch(SupabaseShape.class::isInstance) ->
                    response.setEntity(
                            new GenericEntity<>(
                                    answers.stream().map(this::shaped).toList()) {});
                case null, default -> {}
            }
        }
    }

    private Object shaped(Object entity) {
        return entity instanceof SupabaseShape answer ? answer.forSupabase(deployment) : entity;
    }

    private static boolean isSpelled(String authorization) {
        return authorization != null
                && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && SupabaseSpelling.parse(
                                authorization.substring(BEARER.length()).strip())
                        .isPresent();
    }
}
