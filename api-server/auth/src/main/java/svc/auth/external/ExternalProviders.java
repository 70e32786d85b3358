package svc.auth.external;

import java.time.Clock;
import java.util.Map;
import svc.auth.flow.FlowStates;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthRoutes;
import svc.auth.http.AuthRoutes.Endpoint;
import svc.auth.otp.OneTimeMails;
import svc.auth.provider.Providers;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthTransactions;
import svc.auth.session.SessionGrant;
import svc.auth.signin.PkceGrant;

/** Everything about accounts that users have elsewhere, and codes that flows end with. */
public final class ExternalProviders {
    private final PkceGrant pkce;
    private final IdTokenGrant idTokens;
    private final Authorize authorize;
    private final ProviderCallback callback;
    private final LinkedIdentities identities;

    public ExternalProviders(
            AuthTransactions transactions,
            SessionGrant grant,
            OneTimeMails mails,
            AuthHooks hooks,
            Providers providers,
            FlowStates flows,
            RedirectTargets targets,
            Clock clock) {
        var signIns = new ExternalSignIn(transactions, new ExternalAccounts(clock), mails, hooks);
        this.pkce = new PkceGrant(transactions, grant, flows, clock);
        this.idTokens = new IdTokenGrant(transactions, providers, signIns, grant, targets, clock);
        this.authorize = new Authorize(transactions, flows, providers, targets, clock);
        this.callback = new ProviderCallback(transactions, flows, providers, signIns, grant, targets);
        this.identities = new LinkedIdentities(transactions, clock);
    }

    /** By their {@code grant_type}. */
    public Map<String, Endpoint> grants() {
        return Map.of("pkce", pkce::answer, "id_token", idTokens::answer);
    }

    public AuthRoutes on(AuthRoutes routes) {
        return routes.on("GET", "/authorize", authorize::signIn)
                .on("GET", "/callback", callback::answer)
                .on("POST", "/callback", callback::answer)
                .on("GET", "/user/identities/authorize", authorize::link)
                .on("DELETE", "/user/identities/{id}", identities::unlink);
    }
}
