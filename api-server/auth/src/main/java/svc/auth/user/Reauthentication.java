package svc.auth.user;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.mail.Mailer;
import svc.auth.model.User;
import svc.auth.otp.EmailUse;
import svc.auth.otp.LinkTarget;
import svc.auth.otp.OneTimeChecks;
import svc.auth.otp.OneTimeMails;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.OneTimeTokens;
import svc.auth.session.Bearer;
import svc.platform.tenancy.Tenant;

/** {@code GET /reauthenticate}: mails a code that a change of password requires. */
public final class Reauthentication {
    /** A sign-in that is not older needs no code. */
    private static final Duration RECENT = Duration.ofHours(24);

    private final AuthTransactions transactions;
    private final OneTimeMails mails;
    private final OneTimeChecks checks;
    private final RedirectTargets redirects;
    private final Clock clock;

    public Reauthentication(
            AuthTransactions transactions,
            OneTimeMails mails,
            OneTimeChecks checks,
            RedirectTargets redirects,
            Clock clock) {
        this.transactions = transactions;
        this.mails = mails;
        this.checks = checks;
        this.redirects = redirects;
        this.clock = clock;
    }

    public AuthResponse send(AuthRequest request) {
        LinkTarget target = LinkTarget.of(request, redirects);
        CallContext context = request.context();
        try (Mailer.Permit permit = mails.permit(context.tenant())) {
            return transactions.run(context.tenant(), db -> {
                User user = Bearer.of(context, db, clock).user();
                if (user.email().isEmpty()) {
                    throw AuthErrorCode.UNPROCESSABLE.error(
                            "Reauthentication requires the user to have an email or a phone number");
                }
                if (!user.emailConfirmed()) {
                    throw AuthErrorCode.REAUTHENTICATION_EMAIL_NOT_CONFIRMED.error();
                }
                new AuditLog(db).record(AuditLog.Action.USER_REAUTHENTICATE_REQUESTED, user);
                mails.send(context, db, user, EmailUse.REAUTHENTICATION, target);
                return AuthResponse.empty();
            });
        }
    }

    /** Whether a session is too old to change a password without a code. */
    boolean isDue(Bearer bearer) {
        return bearer.session().created().instant().plus(RECENT).isBefore(clock.instant());
    }

    /** @throws AuthError unless it is the code of the last mail; the code is then used */
    void require(Tenant tenant, AuthSession db, User user, String nonce) {
        boolean valid = checks.byCode(
                        tenant, db, user.email().orElse(""), nonce, List.of(OneTimeTokens.Type.REAUTHENTICATION))
                .filter(sent -> sent.user().equals(user.id()))
                .filter(sent -> new OneTimeTokens(db).use(sent.id()))
                .isPresent();
        if (!valid) {
            throw AuthErrorCode.REAUTHENTICATION_NOT_VALID.error();
        }
    }
}
