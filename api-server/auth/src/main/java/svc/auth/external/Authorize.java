package svc.auth.external;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.auth.flow.Challenge;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowState.Binding;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.provider.AuthorizationRequest;
import svc.auth.provider.ProviderFault;
import svc.auth.provider.Providers;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthTransactions;
import svc.auth.session.Bearer;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.project.auth.ProviderType;
import svc.postgres.flush.TransactionSteps.Outcome;

/**
 * {@code GET /authorize} and {@code GET /user/identities/authorize}: sends a user to a provider, to sign in or for a further
 * identity.
 */
public final class Authorize {
    /** What of the query is for us. */
    private static final Set<String> OWN =
            Set.of("provider", "redirect_to", "scopes", "skip_http_redirect", "invite_token", "apikey", "flow_type");

    private final AuthTransactions transactions;
    private final FlowStates flows;
    private final Providers providers;
    private final RedirectTargets targets;
    private final Clock clock;

    public Authorize(
            AuthTransactions transactions,
            FlowStates flows,
            Providers providers,
            RedirectTargets targets,
            Clock clock) {
        this.transactions = transactions;
        this.flows = flows;
        this.providers = providers;
        this.targets = targets;
        this.clock = clock;
    }

    public AuthAnswer signIn(AuthRequest request) {
        return sent(request, Optional.empty());
    }

    /** For the user whose token it is. */
    public AuthAnswer link(AuthRequest request) {
        LinkedIdentities.requireManualLinking(request.tenant());
        Bearer bearer =
                transactions.run(request.tenant(), rows -> new Outcome<>(Bearer.of(request, rows, clock), true));
        return sent(request, Optional.of(bearer.id()));
    }

    private AuthAnswer sent(AuthRequest request, Optional<UUID> linkTo) {
        String name = request.parameter("provider")
                .orElseThrow(() -> AuthError.invalid("Unsupported provider: the query names no provider"));
        ProviderSpec spec = Providers.require(request.tenant(), name);
        Optional<Challenge> challenge = Challenge.of(request);
        String target = targets.of(request);
        boolean navigates = !request.parameter("skip_http_redirect").equals(Optional.of("true"));
        // Who links shows a token, and calls as a program does: no cookie comes back from there.
        boolean bound = navigates && challenge.isEmpty() && linkTo.isEmpty() && canMark(request, spec);
        try {
            providers.requireReachable(spec);
            FlowState flow = transactions.run(
                    request.tenant(),
                    rows -> new Outcome<>(
                            flows.visit(
                                    rows,
                                    spec.name(),
                                    challenge,
                                    target,
                                    linkTo,
                                    bound ? Binding.BROWSER : Binding.CLIENT),
                            true));
            String address =
                    providers.entrance(request.tenant(), spec, flow, request.parameter("scopes"), more(request));
            if (!navigates) {
                return AuthAnswer.ok(JsonNodeFactory.instance.objectNode().put("url", address));
            }
            AuthAnswer answer = AuthAnswer.redirect(302, address);
            return bound ? answer.with("Set-Cookie", mark(request, spec, AuthorizationRequest.of(flow))) : answer;
        } catch (ProviderFault e) {
            throw AuthErrorCode.UNAVAILABLE.error("The provider " + name + " cannot be used now: " + e.getMessage());
        }
    }

    private static Map<String, String> more(AuthRequest request) {
        Map<String, String> more = request.parameters();
        more.keySet().removeAll(OWN);
        return more;
    }

    /** A form that the provider's page posts to us brings no cookie along but by TLS. */
    private static boolean canMark(AuthRequest request, ProviderSpec spec) {
        return spec.type() != ProviderType.APPLE || isSecure(request);
    }

    private static boolean isSecure(AuthRequest request) {
        return request.tenant().authUrl().startsWith("https://");
    }

    private static String mark(AuthRequest request, ProviderSpec spec, AuthorizationRequest visit) {
        String path = URI.create(request.tenant().authUrl()).getRawPath() + "/callback";
        String site = spec.type() == ProviderType.APPLE ? "None" : "Lax";
        return cookieName(visit.state()) + "=" + visit.mark() + "; Path=" + path + "; Max-Age="
                + FlowStates.VISIT_LIFE.toSeconds() + "; HttpOnly; SameSite=" + site
                + (isSecure(request) ? "; Secure" : "");
    }

    /** One for each visit: two tabs may be on their way at once. */
    public static String cookieName(String state) {
        return "svc-visit-" + state;
    }
}
