package svc.auth.external;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.auth.flow.Challenge;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRequest;
import svc.auth.http.CallContext;
import svc.auth.provider.Providers;
import svc.auth.redirect.RedirectTargets;
import svc.crds.project.auth.ProviderSpec;

/**
 * The query of {@code /authorize}.
 *
 * @param name of the provider, as the request writes it
 * @param redirect the final redirect, an address that the project allows
 * @param navigates whether a browser follows the answer; otherwise a program reads the address in it
 * @param scopes separated by spaces or commas
 * @param others parameters that are passed on to the provider
 */
record AuthorizeRequest(
        CallContext context,
        String name,
        ProviderSpec provider,
        Optional<Challenge> challenge,
        String redirect,
        boolean navigates,
        Optional<String> scopes,
        Map<String, String> others) {
    private static final Set<String> OWN =
            Set.of("provider", "redirect_to", "scopes", "skip_http_redirect", "invite_token", "apikey", "flow_type");

    static AuthorizeRequest parse(AuthRequest request, RedirectTargets redirects) {
        String name = request.parameter("provider")
                .orElseThrow(() -> AuthError.invalid("Unsupported provider: the query names no provider"));
        ProviderSpec provider = Providers.require(request.tenant(), name);
        Map<String, String> others = request.parameters();
        others.keySet().removeAll(OWN);
        return new AuthorizeRequest(
                request.context(),
                name,
                provider,
                Challenge.of(request),
                redirects.of(request),
                !request.parameter("skip_http_redirect").equals(Optional.of("true")),
                request.parameter("scopes"),
                others);
    }
}
