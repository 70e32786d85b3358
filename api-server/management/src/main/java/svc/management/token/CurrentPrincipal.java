package svc.management.token;

import jakarta.enterprise.context.RequestScoped;

/** The principal of the request at hand, for resources to inject; set by the token filter before any resource runs. */
@RequestScoped
public class CurrentPrincipal {
    private Principal principal;

    void set(Principal value) {
        this.principal = value;
    }

    /** @throws IllegalStateException on a resource that takes no token, where nobody is known */
    public Principal get() {
        if (principal == null) {
            throw new IllegalStateException("this resource runs without a token, so it has no principal");
        }
        return principal;
    }
}
