package svc.auth.external;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import svc.auth.external.ExternalSignIn.Visitor;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.provider.ProviderFault;
import svc.auth.provider.Providers;
import svc.auth.provider.Providers.Named;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthTransactions;
import svc.auth.session.Bearer;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.crds.project.auth.ProviderSpec;
import svc.postgres.flush.TransactionSteps.Outcome;

/**
 * {@code POST /token?grant_type=id_token}: a session for an ID token that an application got by itself, on a telephone for
 * instance; with {@code link_identity} a further identity for who is signed in.
 */
public final class IdTokenGrant {
    private static final String INVALID = "invalid request";

    private final AuthTransactions transactions;
    private final Providers providers;
    private final ExternalSignIn signIns;
    private final SessionGrant grant;
    private final RedirectTargets targets;
    private final Clock clock;

    public IdTokenGrant(
            AuthTransactions transactions,
            Providers providers,
            ExternalSignIn signIns,
            SessionGrant grant,
            RedirectTargets targets,
            Clock clock) {
        this.transactions = transactions;
        this.providers = providers;
        this.signIns = signIns;
        this.grant = grant;
        this.targets = targets;
        this.clock = clock;
    }

    public AuthAnswer answer(AuthRequest request) {
        String token = request.text("id_token").orElseThrow(() -> refused("id_token required"));
        Optional<String> nonce = request.text("nonce");
        ProviderSpec spec = provider(request);
        Optional<UUID> linkTo = request.flag("link_identity").filter(yes -> yes).map(yes -> bearer(request));
        Named named = named(spec, token, request.text("access_token"));
        if (!spec.skipNonceCheck()) {
            requireNonce(named.nonce(), nonce);
        }
        Granted granted = signIns.run(
                request,
                new Visitor(spec.name(), named.user(), linkTo, targets.of(request)),
                (rows, account) -> grant.begin(request, rows, account.id(), "oauth"));
        return grant.answer(request.tenant(), granted);
    }

    private UUID bearer(AuthRequest request) {
        LinkedIdentities.requireManualLinking(request.tenant());
        return transactions
                .run(request.tenant(), rows -> new Outcome<>(Bearer.of(request, rows, clock), true))
                .id();
    }

    private ProviderSpec provider(AuthRequest request) {
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

    private Named named(ProviderSpec spec, String token, Optional<String> accessToken) {
        try {
            return providers.named(spec, token, accessToken);
        } catch (ProviderFault e) {
            throw e.kind() == ProviderFault.Kind.AWAY
                    ? AuthErrorCode.UNAVAILABLE.error("The provider cannot be asked now: " + e.getMessage())
                    : refused("Bad ID token: " + e.getMessage());
        }
    }

    /** The token has the hash, as hexadecimal digits; who has only seen the token does not know of what. */
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
        return AuthError.grant(INVALID, message);
    }
}
