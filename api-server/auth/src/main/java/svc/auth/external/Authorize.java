package svc.auth.external;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowState.Binding;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.provider.AuthorizationRequest;
import svc.auth.provider.ProviderFault;
import svc.auth.provider.Providers;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthTransactions;
import svc.auth.session.Bearer;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.project.auth.ProviderType;
import svc.platform.tenancy.Tenant;

/** {@code GET /authorize} and {@code GET /user/identities/authorize}: redirects a user to a provider. */
final class Authorize {
    private final AuthTransactions transactions;
    private final FlowStates flows;
    private final Providers providers;
    private final RedirectTargets redirects;
    private final Clock clock;

    Authorize(
            AuthTransactions transactions,
            FlowStates flows,
            Providers providers,
            RedirectTargets redirects,
            Clock clock) {
        this.transactions = transactions;
        this.flows = flows;
        this.providers = providers;
        this.redirects = redirects;
        this.clock = clock;
    }

    /** For a sign-in. */
    AuthResponse signIn(AuthRequest call) {
        return answer(AuthorizeRequest.parse(call, redirects), Optional.empty());
    }

    /** For a further identity of the current user. */
    AuthResponse link(AuthRequest call) {
        LinkedIdentities.requireManualLinking(call.tenant());
        Bearer bearer = transactions.run(call.tenant(), db -> Bearer.of(call.context(), db, clock));
        return answer(AuthorizeRequest.parse(call, redirects), Optional.of(bearer.userId()));
    }

    private AuthResponse answer(AuthorizeRequest request, Optional<UUID> linkTo) {
        Tenant tenant = request.context().tenant();
        ProviderSpec spec = request.provider();
        // A client that links sends a token, as programs do, and has no cookie on the way back.
        boolean bound = request.navigates()
                && request.challenge().isEmpty()
                && linkTo.isEmpty()
                && supportsCookie(tenant, spec);
        try {
            providers.requireReachable(tenant, spec);
            FlowState flow = transactions.run(
                    tenant,
                    db -> flows.beginAtProvider(
                            db,
                            spec.name(),
                            request.challenge(),
                            request.redirect(),
                            linkTo,
                            binding(request, linkTo, bound),
                            request.context().network()));
            String address = providers.entrance(tenant, spec, flow, request.scopes(), request.others());
            if (!request.navigates()) {
                return AuthResponse.ok(JsonNodeFactory.instance.objectNode().put("url", address));
            }
            AuthResponse answer = AuthResponse.redirect(302, address);
            return bound ? answer.with("Set-Cookie", cookie(tenant, spec, AuthorizationRequest.of(flow))) : answer;
        } catch (ProviderFault e) {
            throw AuthErrorCode.UNAVAILABLE.error(
                    "The provider " + request.name() + " cannot be used now: " + e.getMessage());
        }
    }

    private static Binding binding(AuthorizeRequest request, Optional<UUID> linkTo, boolean bound) {
        if (bound) {
            return Binding.BROWSER;
        }
        return linkTo.isPresent() && request.challenge().isEmpty() ? Binding.NETWORK : Binding.CLIENT;
    }

    /** Apple posts the callback from its own page: browsers send a cookie with that only over TLS. */
    private static boolean supportsCookie(Tenant tenant, ProviderSpec spec) {
        return spec.type() != ProviderType.APPLE || isSecure(tenant);
    }

    private static boolean isSecure(Tenant tenant) {
        return tenant.authUrl().startsWith("https://");
    }

    private static String cookie(Tenant tenant, ProviderSpec spec, AuthorizationRequest authorization) {
        String path = URI.create(tenant.authUrl()).getRawPath() + "/callback";
        String site = spec.type() == ProviderType.APPLE ? "None" : "Lax";
        return cookieName(authorization.state()) + "=" + authorization.mark() + "; Path=" + path + "; Max-Age="
                + FlowStates.PROVIDER_LIFE.toSeconds() + "; HttpOnly; SameSite=" + site
                + (isSecure(tenant) ? "; Secure" : "");
    }

    /** One per authorization request: two tabs may be at a provider at once. */
    static String cookieName(String state) {
        return "svc-visit-" + state;
    }
}
