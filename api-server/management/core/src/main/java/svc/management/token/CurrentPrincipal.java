package svc.management.token;

import jakarta.enterprise.context.RequestScoped;

/** The principal of the current request, for injection; set by the token filter before any resource runs. */
@RequestScoped
public class CurrentPrincipal {
    private Principal principal;

    void set(Principal value) {
        this.principal = value;
    }

    /** @throws IllegalStateException on an unauthenticated resource, which has no principal */
    public Principal get() {
        if (principal == null) {
            throw new IllegalStateException("the resource is unauthenticated and has no principal");
        }
        return principal;
    }
}
