package svc.auth.external;

import java.time.Clock;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowStates;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.otp.OneTimeMails;
import svc.auth.provider.Providers;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.session.SessionGrant;
import svc.auth.unconfirmed.UnconfirmedAccounts;

/** The calls that concern external providers. */
public final class ExternalProviders {
    private final IdTokenGrant idTokens;
    private final Authorize authorize;
    private final ProviderCallback callback;
    private final LinkedIdentities identities;
    private final PendingLinks links;

    public ExternalProviders(
            AuthTransactions transactions,
            SessionGrant grant,
            OneTimeMails mails,
            UnconfirmedAccounts unconfirmedAccounts,
            AuthHooks hooks,
            Providers providers,
            FlowStates flows,
            RedirectTargets redirects,
            Clock clock) {
        var accounts = new ExternalAccounts(unconfirmedAccounts, clock);
        var signIns = new ExternalSignIn(transactions, accounts, unconfirmedAccounts, mails, hooks);
        this.links = new PendingLinks(accounts, flows);
        this.idTokens = new IdTokenGrant(transactions, providers, signIns, grant, redirects, clock);
        this.authorize = new Authorize(transactions, flows, providers, redirects, clock);
        this.callback = new ProviderCallback(transactions, flows, providers, signIns, links, grant, redirects);
        this.identities = new LinkedIdentities(transactions, clock);
    }

    public AuthResponse signIn(AuthRequest request) {
        return authorize.signIn(request);
    }

    public AuthResponse link(AuthRequest request) {
        return authorize.link(request);
    }

    public AuthResponse callback(AuthRequest request) {
        return callback.answer(request);
    }

    /** The end of a flow that links an identity, in the transaction that exchanges its code; nothing for another flow. */
    public void completeLink(CallContext context, AuthSession db, FlowState flow) {
        links.complete(context, db, flow);
    }

    public AuthResponse unlink(AuthRequest request) {
        return identities.unlink(request);
    }

    public AuthResponse idToken(AuthRequest request) {
        return idTokens.answer(request);
    }
}
