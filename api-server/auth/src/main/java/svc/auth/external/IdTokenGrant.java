package svc.auth.external;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import svc.auth.external.ExternalSignIn.Arrival;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.provider.ProviderFault;
import svc.auth.provider.Providers;
import svc.auth.provider.Providers.Named;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthTransactions;
import svc.auth.session.Bearer;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.crds.project.auth.ProviderSpec;

/**
 * {@code POST /token?grant_type=id_token}: a session for an ID token that a native application has obtained; with
 * {@code link_identity} a further identity of the current user.
 */
final class IdTokenGrant {
    private static final String INVALID_REQUEST = "invalid request";

    private final AuthTransactions transactions;
    private final Providers providers;
    private final ExternalSignIn signIns;
    private final SessionGrant grant;
    private final RedirectTargets redirects;
    private final Clock clock;

    IdTokenGrant(
            AuthTransactions transactions,
            Providers providers,
            ExternalSignIn signIns,
            SessionGrant grant,
            RedirectTargets redirects,
            Clock clock) {
        this.transactions = transactions;
        this.providers = providers;
        this.signIns = signIns;
        this.grant = grant;
        this.redirects = redirects;
        this.clock = clock;
    }

    /**
     * @param accessToken issued together with the ID token
     * @param nonce whose SHA-256 the ID token has
     * @param links whether the identity is linked to the current user
     * @param redirect of the link that confirms an unverified address
     */
    private record Request(
            CallContext context,
            ProviderSpec provider,
            String idToken,
            Optional<String> accessToken,
            Optional<String> nonce,
            boolean links,
            String redirect) {
        static Request parse(AuthRequest request, Providers providers, RedirectTargets redirects) {
            String token = request.text("id_token").orElseThrow(() -> refused("id_token required"));
            return new Request(
                    request.context(),
                    provider(request, providers),
                    token,
                    request.text("access_token"),
                    request.text("nonce"),
                    request.flag("link_identity").orElse(false),
                    redirects.of(request));
        }

        private static ProviderSpec provider(AuthRequest request, Providers providers) {
            Optional<String> name = request.text("provider");
            if (name.isPresent()) {
                return Providers.require(request.tenant(), name.get());
            }
            String issuer = request.text("issuer")
                    .filter(given -> request.text("client_id").isPresent())
                    .orElseThrow(() -> refused("provider or client_id and issuer required"));
            ProviderSpec spec = providers
                    .at(request.tenant(), issuer)
                    .orElseThrow(() -> AuthError.invalid("Custom OIDC provider \"" + issuer + "\" not allowed"));
            return Providers.require(request.tenant(), spec.name());
        }

        /** Without tokens. */
        @Override
        public String toString() {
            return "Request[" + provider.name() + "]";
        }
    }

    AuthResponse answer(AuthRequest call) {
        Request request = Request.parse(call, providers, redirects);
        Optional<UUID> linkTo = request.links() ? Optional.of(currentUser(request.context())) : Optional.empty();
        Named named = verify(request);
        if (!request.provider().skipNonceCheck()) {
            requireNonce(named.nonce(), request.nonce());
        }
        Granted granted = signIns.run(
                new Arrival(request.context(), request.provider().name(), named.user(), linkTo, request.redirect()),
                (db, user) -> grant.begin(request.context(), db, user.id(), "oauth"));
        return grant.answer(call.tenant(), granted);
    }

    private UUID currentUser(CallContext context) {
        LinkedIdentities.requireManualLinking(context.tenant());
        return transactions
                .run(context.tenant(), db -> Bearer.of(context, db, clock))
                .userId();
    }

    private Named verify(Request request) {
        try {
            return providers.named(
                    request.context().tenant(), request.provider(), request.idToken(), request.accessToken());
        } catch (ProviderFault e) {
            throw e.kind() == ProviderFault.Kind.AWAY
                    ? AuthErrorCode.UNAVAILABLE.error("The provider cannot be asked now: " + e.getMessage())
                    : refused("Bad ID token: " + e.getMessage());
        }
    }

    /** The ID token has the SHA-256 of the nonce in hexadecimal digits: a thief of the token does not know the nonce. */
    private static void requireNonce(String claimed, Optional<String> given) {
        if (claimed.isEmpty() != given.isEmpty()) {
            throw refused("Passed nonce and nonce in id_token should either both exist or not.");
        }
        if (given.isPresent() && !sha256(given.get()).equals(claimed)) {
            throw AuthError.grant("invalid nonce", "Nonces mismatch");
        }
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static AuthError refused(String message) {
        return AuthError.grant(INVALID_REQUEST, message);
    }
}
