package svc.auth.external;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.auth.external.CallbackRequest.Outcome;
import svc.auth.external.ExternalSignIn.Arrival;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowState.Binding;
import svc.auth.flow.FlowState.ProviderTokens;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.FaultLog;
import svc.auth.model.User;
import svc.auth.provider.AuthorizationRequest;
import svc.auth.provider.ProviderFault;
import svc.auth.provider.Providers;
import svc.auth.provider.Providers.SignedIn;
import svc.auth.redirect.RedirectTargets;
import svc.auth.redirect.RedirectUrl;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.SqlErrorMapping;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.crds.project.auth.ProviderSpec;
import svc.platform.tenancy.Tenant;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;

/**
 * {@code GET} and {@code POST /callback}: the return from a provider. The user is always redirected, with a session, a code
 * or an error: to the redirect of the authorization request, or without one to the project's site.
 */
final class ProviderCallback {
    private static final Logger LOG = Logger.getLogger(ProviderCallback.class);

    private final AuthTransactions transactions;
    private final FlowStates flows;
    private final Providers providers;
    private final ExternalSignIn signIns;
    private final PendingLinks links;
    private final SessionGrant grant;
    private final RedirectTargets redirects;

    ProviderCallback(
            AuthTransactions transactions,
            FlowStates flows,
            Providers providers,
            ExternalSignIn signIns,
            PendingLinks links,
            SessionGrant grant,
            RedirectTargets redirects) {
        this.transactions = transactions;
        this.flows = flows;
        this.providers = providers;
        this.signIns = signIns;
        this.links = links;
        this.grant = grant;
        this.redirects = redirects;
    }

    AuthResponse answer(AuthRequest call) {
        Tenant tenant = call.tenant();
        String target = redirects.resolve(tenant, Optional.empty());
        String location;
        try {
            CallbackRequest request = CallbackRequest.parse(call);
            FlowState flow = take(request);
            target = flow.redirect().orElseThrow();
            location = location(request, flow, target);
        } catch (AuthError e) {
            FaultLog.record(call, e);
            location = RedirectUrl.withError(target, e);
        } catch (ProviderFault e) {
            LOG.infof("%s: sign-in at a provider failed: %s", tenant.ref(), e.getMessage());
            location = RedirectUrl.withError(
                    target,
                    "server_error",
                    AuthErrorCode.BAD_OAUTH_CALLBACK,
                    "Unable to exchange external code: " + e.getMessage());
        } catch (PoolExhausted e) {
            location = RedirectUrl.withError(target, SqlErrorMapping.of(e));
        } catch (SqlError e) {
            AuthError failed = SqlErrorMapping.of(e, call);
            FaultLog.record(call, failed);
            location = RedirectUrl.withError(target, failed);
        }
        // 303 after a form, so that the browser does not post it to the next page.
        return AuthResponse.redirect(CallbackRequest.isPost(call) ? 303 : 302, location);
    }

    private FlowState take(CallbackRequest request) {
        return transactions.run(request.context().tenant(), db -> {
            FlowState flow = flows.take(db, request.state());
            if (flow.binding() == Binding.BROWSER && !isSameBrowser(request, AuthorizationRequest.of(flow))) {
                throw AuthErrorCode.BAD_OAUTH_STATE.error(
                        "This browser did not begin the sign-in that it comes back from");
            }
            if (flow.binding() == Binding.NETWORK
                    && !flow.isFrom(request.context().network())) {
                throw AuthErrorCode.BAD_OAUTH_STATE.error(
                        "The link was begun from another network: begin again from this one");
            }
            return flow;
        });
    }

    private static boolean isSameBrowser(CallbackRequest request, AuthorizationRequest authorization) {
        return request.cookie(Authorize.cookieName(authorization.state()))
                .filter(mark -> MessageDigest.isEqual(
                        mark.getBytes(StandardCharsets.UTF_8),
                        authorization.mark().getBytes(StandardCharsets.UTF_8)))
                .isPresent();
    }

    private String location(CallbackRequest request, FlowState flow, String target) {
        return switch (request.outcome()) {
            case Outcome.Refused refused ->
                RedirectUrl.withError(target, refused.error(), AuthErrorCode.BAD_OAUTH_CALLBACK, refused.reason());
            case Outcome.Incomplete incomplete ->
                throw AuthErrorCode.BAD_OAUTH_CALLBACK.error("OAuth callback with missing authorization code");
            case Outcome.Code code -> signIn(request, flow, code, target);
        };
    }

    private sealed interface Ended {
        record Session(Granted granted) implements Ended {}

        record Code(String code) implements Ended {}
    }

    private String signIn(CallbackRequest request, FlowState flow, Outcome.Code code, String target) {
        Tenant tenant = request.context().tenant();
        ProviderSpec spec = Providers.require(tenant, flow.provider());
        SignedIn signedIn = providers.answer(tenant, spec, flow, code.code(), code.form(), code.issuer());
        if (PendingLinks.isPending(flow)) {
            String issued = transactions.run(
                    tenant, db -> links.begin(request.context(), db, flow, signedIn.user(), signedIn.tokens()));
            return RedirectUrl.withCode(target, issued);
        }
        Ended ended = signIns.run(
                new Arrival(request.context(), spec.name(), signedIn.user(), flow.linkTo(), target),
                (db, user) -> end(request, flow, signedIn.tokens(), db, user));
        return switch (ended) {
            case Ended.Code issued -> RedirectUrl.withCode(target, issued.code());
            case Ended.Session begun -> {
                ObjectNode session = (ObjectNode)
                        grant.answer(tenant, begun.granted()).body().orElseThrow();
                yield RedirectUrl.withSession(target, session, members(signedIn.tokens()));
            }
        };
    }

    private Ended end(CallbackRequest request, FlowState flow, ProviderTokens tokens, AuthSession db, User user) {
        return flow.challenge().isPresent()
                ? new Ended.Code(flows.end(db, flow, user.id(), tokens))
                : new Ended.Session(grant.begin(request.context(), db, user.id(), flow.method()));
    }

    private static Map<String, String> members(ProviderTokens tokens) {
        Map<String, String> members = new HashMap<>();
        members.put("provider_token", tokens.access());
        if (!tokens.refresh().isEmpty()) {
            members.put("provider_refresh_token", tokens.refresh());
        }
        return members;
    }
}
