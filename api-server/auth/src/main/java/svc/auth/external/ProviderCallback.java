package svc.auth.external;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.auth.external.ExternalAccounts.Account;
import svc.auth.external.ExternalSignIn.Visitor;
import svc.auth.flow.FlowState;
import svc.auth.flow.FlowState.Binding;
import svc.auth.flow.FlowState.ProviderTokens;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
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
import svc.postgres.flush.TransactionSteps.Outcome;

/**
 * {@code GET} and {@code POST /callback}: where a provider sends users back to. Whatever comes of it, the user is sent on to
 * the place that the visit was begun for, with a session, a code, or the reason why not; without a visit to the project's
 * site.
 */
public final class ProviderCallback {
    private static final Logger LOG = Logger.getLogger(ProviderCallback.class);

    private static final int MAX_REASON_CHARACTERS = 300;

    private final AuthTransactions transactions;
    private final FlowStates flows;
    private final Providers providers;
    private final ExternalSignIn signIns;
    private final SessionGrant grant;
    private final RedirectTargets targets;

    public ProviderCallback(
            AuthTransactions transactions,
            FlowStates flows,
            Providers providers,
            ExternalSignIn signIns,
            SessionGrant grant,
            RedirectTargets targets) {
        this.transactions = transactions;
        this.flows = flows;
        this.providers = providers;
        this.signIns = signIns;
        this.grant = grant;
        this.targets = targets;
    }

    public AuthAnswer answer(AuthRequest request) {
        Tenant tenant = request.tenant();
        String target = targets.resolve(tenant, Optional.empty());
        String landing;
        try {
            Map<String, String> members = members(request);
            FlowState visit = taken(request, members);
            target = visit.redirect().orElseThrow();
            landing = landing(request, visit, members, target);
        } catch (AuthError e) {
            landing = RedirectUrl.withError(target, e);
        } catch (ProviderFault e) {
            LOG.infof("%s: a sign-in at a provider came to nothing: %s", tenant.ref(), e.getMessage());
            landing = RedirectUrl.withError(
                    target,
                    "server_error",
                    "bad_oauth_callback",
                    "Unable to exchange external code: " + e.getMessage());
        } catch (PoolExhausted e) {
            landing = RedirectUrl.withError(target, SqlErrorMapping.of(e));
        } catch (SqlError e) {
            landing = RedirectUrl.withError(target, SqlErrorMapping.of(e, tenant));
        }
        // After a form the browser is to ask for the next page, not to post to it.
        return AuthAnswer.redirect(request.method().equals("POST") ? 303 : 302, landing);
    }

    private static Map<String, String> members(AuthRequest request) {
        return request.method().equals("POST") ? request.form() : request.parameters();
    }

    private FlowState taken(AuthRequest request, Map<String, String> members) {
        String state = members.getOrDefault("state", "");
        if (state.isEmpty()) {
            throw AuthErrorCode.BAD_OAUTH_CALLBACK.error("OAuth state parameter missing");
        }
        UUID id = AuthRequest.uuid(state)
                .orElseThrow(() -> AuthErrorCode.BAD_OAUTH_STATE.error("OAuth state is invalid"));
        return transactions.run(request.tenant(), rows -> {
            FlowState visit = flows.take(rows, id);
            if (visit.binding() == Binding.BROWSER && !shows(request, AuthorizationRequest.of(visit))) {
                throw AuthErrorCode.BAD_OAUTH_STATE.error(
                        "This browser did not begin the sign-in that it comes back from");
            }
            return new Outcome<>(visit, true);
        });
    }

    private static boolean shows(AuthRequest request, AuthorizationRequest visit) {
        String header = request.header("Cookie");
        if (header == null) {
            return false;
        }
        for (Cookie cookie : ServerCookieDecoder.LAX.decode(header)) {
            if (cookie.name().equals(Authorize.cookieName(visit.state()))) {
                return MessageDigest.isEqual(
                        cookie.value().getBytes(StandardCharsets.UTF_8),
                        visit.mark().getBytes(StandardCharsets.UTF_8));
            }
        }
        return false;
    }

    private String landing(AuthRequest request, FlowState visit, Map<String, String> members, String target) {
        String refusal = members.getOrDefault("error", "");
        if (!refusal.isEmpty()) {
            String word = refusal.matches("[A-Za-z_]{1,64}") ? refusal : "server_error";
            return RedirectUrl.withError(
                    target, word, "bad_oauth_callback", reason(members.getOrDefault("error_description", word)));
        }
        String code = members.getOrDefault("code", "");
        if (code.isEmpty()) {
            throw AuthErrorCode.BAD_OAUTH_CALLBACK.error("OAuth callback with missing authorization code");
        }
        ProviderSpec spec = Providers.require(request.tenant(), visit.provider());
        SignedIn who = providers.answer(
                request.tenant(),
                spec,
                visit,
                code,
                Optional.ofNullable(members.get("user")),
                Optional.ofNullable(members.get("iss")));
        return ended(request, visit, spec, who, target);
    }

    /** A provider's own words, as far as they are words. */
    private static String reason(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", " ");
        return plain.length() > MAX_REASON_CHARACTERS ? plain.substring(0, MAX_REASON_CHARACTERS) : plain;
    }

    /** What a visit has come to, once its transaction is committed. */
    private sealed interface End {
        record Session(Granted granted) implements End {}

        record Code(String code) implements End {}
    }

    private String ended(AuthRequest request, FlowState visit, ProviderSpec spec, SignedIn who, String target) {
        End end = signIns.run(
                request,
                new Visitor(spec.name(), who.user(), visit.linkTo(), target),
                (rows, account) -> end(request, visit, who.tokens(), rows, account));
        return switch (end) {
            case End.Code with -> RedirectUrl.withCode(target, with.code());
            case End.Session begun -> {
                ObjectNode session = (ObjectNode)
                        grant.answer(request.tenant(), begun.granted()).body().orElseThrow();
                yield RedirectUrl.withSession(target, session, given(who.tokens()));
            }
        };
    }

    private End end(AuthRequest request, FlowState visit, ProviderTokens tokens, AuthSession rows, Account account) {
        return visit.challenge().isPresent()
                ? new End.Code(flows.end(rows, visit, account.id(), tokens))
                : new End.Session(grant.begin(request, rows, account.id(), visit.method()));
    }

    private static Map<String, String> given(ProviderTokens tokens) {
        Map<String, String> given = new HashMap<>();
        given.put("provider_token", tokens.access());
        if (!tokens.refresh().isEmpty()) {
            given.put("provider_refresh_token", tokens.refresh());
        }
        return given;
    }
}
