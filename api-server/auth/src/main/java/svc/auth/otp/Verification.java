package svc.auth.otp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.http.FaultLog;
import svc.auth.limit.AuthLimits;
import svc.auth.model.User;
import svc.auth.model.UserTime;
import svc.auth.otp.VerifyRequest.Proof;
import svc.auth.redirect.RedirectTargets;
import svc.auth.redirect.RedirectUrl;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Sent;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.Sessions;
import svc.auth.rows.SqlErrorMapping;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.session.SessionGrant;
import svc.auth.token.OneTimeSecrets;
import svc.auth.unconfirmed.UnconfirmedAccounts;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;

/** {@code /verify} for addresses. A token is valid once; a verification that fails does not use it. */
public final class Verification {
    private static final String HALF =
            "Confirmation link accepted. Please proceed to confirm link sent to the other email";

    private final AuthTransactions transactions;
    private final SessionGrant grant;
    private final OneTimeChecks checks;
    private final UnconfirmedAccounts unconfirmedAccounts;
    private final FlowStates flows;
    private final RedirectTargets redirects;
    private final AuthLimits limits;
    private final Clock clock;

    public Verification(
            AuthTransactions transactions,
            SessionGrant grant,
            OneTimeChecks checks,
            UnconfirmedAccounts unconfirmedAccounts,
            FlowStates flows,
            RedirectTargets redirects,
            AuthLimits limits,
            Clock clock) {
        this.transactions = transactions;
        this.grant = grant;
        this.checks = checks;
        this.unconfirmedAccounts = unconfirmedAccounts;
        this.flows = flows;
        this.redirects = redirects;
        this.limits = limits;
        this.clock = clock;
    }

    private sealed interface Verified {
        record Session(SessionGrant.Granted granted) implements Verified {}

        /** The code of a PKCE flow. */
        record Code(String code) implements Verified {}

        /** One of the two addresses of a change has confirmed. */
        record Half() implements Verified {}
    }

    /** A client sends a code, or the secret of a link. */
    public AuthResponse post(AuthRequest call) {
        VerifyRequest request = VerifyRequest.parse(call);
        limits.verification(request.context());
        // A client that posts the secret of a link wants a session, even if the link was one of a PKCE flow.
        return switch (verify(request, false)) {
            case Verified.Session begun -> grant.answer(call.tenant(), begun.granted());
            case Verified.Code issued ->
                AuthResponse.ok(JsonNodeFactory.instance.objectNode().put("code", issued.code()));
            case Verified.Half half ->
                AuthResponse.ok(
                        JsonNodeFactory.instance.objectNode().put("msg", HALF).put("code", "200"));
        };
    }

    /** The link of a mail: redirects the user with tokens, a code, or the error. */
    public AuthResponse link(AuthRequest call) {
        if (isPrefetch(call)) {
            // The browser repeats a prefetch that fails when the user follows the link.
            return new AuthResponse(503, Map.of("Cache-Control", "no-store"), Optional.empty());
        }
        String target = redirects.of(call);
        String location;
        try {
            VerifyRequest request = VerifyRequest.parseLink(call);
            limits.verification(request.context());
            location = location(call.tenant(), request, target);
        } catch (AuthError e) {
            FaultLog.record(call, e);
            location = RedirectUrl.withError(target, e);
        } catch (SqlError e) {
            AuthError failed = SqlErrorMapping.of(e, call);
            FaultLog.record(call, failed);
            location = RedirectUrl.withError(target, failed);
        }
        return AuthResponse.redirect(303, location);
    }

    /** {@code HEAD}: mail scanners inspect links. It does not use the token. */
    public AuthResponse head(AuthRequest request) {
        return new AuthResponse(200, Map.of("Cache-Control", "no-store"), Optional.empty());
    }

    private String location(Tenant tenant, VerifyRequest request, String target) {
        return switch (verify(request, true)) {
            case Verified.Session begun ->
                RedirectUrl.withSession(
                        target,
                        grant.answer(tenant, begun.granted()).body().orElseThrow(),
                        Map.of("type", request.type()));
            case Verified.Code issued -> RedirectUrl.withCode(target, issued.code());
            case Verified.Half half -> RedirectUrl.withMessage(target, HALF);
        };
    }

    private static boolean isPrefetch(AuthRequest request) {
        for (String header : List.of("Sec-Purpose", "Purpose", "X-Moz", "X-Purpose")) {
            String value = request.header(header);
            if (value != null && (value.contains("prefetch") || value.contains("preview"))) {
                return true;
            }
        }
        return false;
    }

    /** @param followed whether a browser followed the link: then a PKCE flow ends with a code */
    private Verified verify(VerifyRequest request, boolean followed) {
        if (request.proof() instanceof Proof.Code code) {
            limits.code(request.context(), code.email());
        }
        boolean pkce =
                followed && request.proof() instanceof Proof.Link link && OneTimeSecrets.isPkce(link.tokenHash());
        Tenant tenant = request.context().tenant();
        return transactions.run(tenant, db -> {
            Sent sent = find(tenant, db, request).orElseThrow(request::expired);
            User user = new Users(db).byId(sent.user()).orElseThrow(request::expired);
            if (user.isBanned(clock.instant())) {
                throw AuthErrorCode.USER_BANNED.error();
            }
            if (!isOf(sent, user) || !new OneTimeTokens(db).use(sent.id())) {
                throw request.expired();
            }
            if (!confirm(request.context(), db, user, sent)) {
                return new Verified.Half();
            }
            if (pkce) {
                return new Verified.Code(
                        flows.issue(db, user.id(), request.method()).orElseThrow(request::expired));
            }
            return new Verified.Session(grant.begin(request.context(), db, user.id(), "otp"));
        });
    }

    private Optional<Sent> find(Tenant tenant, AuthSession db, VerifyRequest request) {
        return switch (request.proof()) {
            case Proof.Link link -> checks.byLink(tenant, db, link.tokenHash(), request.types());
            case Proof.Code code -> checks.byCode(tenant, db, code.email(), code.code(), request.types());
        };
    }

    /** A token to an address that the user no longer has is not valid. */
    private static boolean isOf(Sent sent, User user) {
        Optional<String> address =
                sent.type() == Type.EMAIL_CHANGE_NEW ? user.pending().email() : user.email();
        return address.filter(sent.address()::equals).isPresent();
    }

    /** @return false when the other address of a change has to confirm as well */
    private boolean confirm(CallContext context, AuthSession db, User user, Sent sent) {
        if (sent.type() == Type.EMAIL_CHANGE_NEW || sent.type() == Type.EMAIL_CHANGE_CURRENT) {
            return change(context.tenant(), db, user);
        }
        AuditLog.Action action = AuditLog.Action.LOGIN;
        if (!user.emailConfirmed()) {
            User prepared = unconfirmedAccounts.prepareConfirmation(context, db, user, sent.type());
            EmailConfirmation.confirm(db, prepared, clock.instant());
            action = user.time(UserTime.INVITED).isPresent()
                    ? AuditLog.Action.INVITE_ACCEPTED
                    : AuditLog.Action.USER_SIGNED_UP;
        }
        new AuditLog(db).record(action, user);
        return true;
    }

    private boolean change(Tenant tenant, AuthSession db, User user) {
        var users = new Users(db);
        boolean first = user.pending().emailConfirmations() == 0;
        boolean both =
                tenant.auth().email().doubleConfirmChanges() && user.email().isPresent();
        if (first && both) {
            users.update(user.id(), new UserUpdate().emailConfirmations(1));
            return false;
        }
        String to = user.pending().email().orElseThrow(AuthErrorCode.OTP_EXPIRED::error);
        // The owner of the new address need not be the caller who asked for the change.
        new Sessions(db).deleteOf(user.id(), Optional.empty());
        UserUpdate update = EmailConfirmation.move(db, user, to, clock.instant());
        users.update(user.id(), update.time(UserTime.UPDATED, clock.instant()));
        new AuditLog(db).record(AuditLog.Action.USER_MODIFIED, user);
        return true;
    }
}
