package svc.auth.otp;

import java.util.Optional;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.Mailer;
import svc.auth.model.EmailAddress;
import svc.auth.model.User;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.unconfirmed.UnconfirmedAccounts;

/** {@code POST /resend}: repeats the mail of a sign-up or of a change of address. The answer does not reveal which was due. */
public final class Resend {
    private static final String TYPES = "Missing one of these types: signup, email_change, sms, phone_change";

    private final AuthTransactions transactions;
    private final OneTimeMails mails;
    private final UnconfirmedAccounts unconfirmedAccounts;
    private final AuthLimits limits;
    private final RedirectTargets redirects;

    public Resend(
            AuthTransactions transactions,
            OneTimeMails mails,
            UnconfirmedAccounts unconfirmedAccounts,
            AuthLimits limits,
            RedirectTargets redirects) {
        this.transactions = transactions;
        this.mails = mails;
        this.unconfirmedAccounts = unconfirmedAccounts;
        this.limits = limits;
        this.redirects = redirects;
    }

    private enum Kind {
        SIGN_UP,
        EMAIL_CHANGE
    }

    private record Request(CallContext context, Kind kind, String email, LinkTarget target) {
        static Request parse(AuthRequest request, RedirectTargets redirects) {
            String type = request.text("type").orElseThrow(() -> AuthError.invalid(TYPES));
            Kind kind = switch (type) {
                case "signup" -> Kind.SIGN_UP;
                case "email_change" -> Kind.EMAIL_CHANGE;
                case "sms", "phone_change" -> throw AuthError.invalid("Type provided requires a phone number");
                default -> throw AuthError.invalid(TYPES);
            };
            String email = EmailAddress.of(request.text("email")
                    .orElseThrow(() -> AuthError.invalid("Type provided requires an email address")));
            if (!request.tenant().auth().email().enabled()) {
                throw AuthErrorCode.EMAIL_LOGIN_DISABLED.error();
            }
            return new Request(request.context(), kind, email, LinkTarget.of(request, redirects));
        }
    }

    public AuthResponse answer(AuthRequest call) {
        Request request = Request.parse(call, redirects);
        limits.signUpOrIn(request.context());
        return unconfirmedAccounts.wanting(
                request.context(), users -> users.byEmail(request.email()), () -> send(request));
    }

    private AuthResponse send(Request request) {
        try (Mailer.Permit permit = mails.permit(request.context().tenant())) {
            return transactions.run(request.context().tenant(), db -> {
                Optional<User> user = new Users(db).byEmail(request.email());
                switch (request.kind()) {
                    case SIGN_UP -> confirmation(request, db, user.filter(found -> !found.emailConfirmed()));
                    case EMAIL_CHANGE -> change(request, db, user);
                }
                return AuthResponse.empty();
            });
        }
    }

    private void confirmation(Request request, AuthSession db, Optional<User> unconfirmed) {
        if (unconfirmed.isEmpty()) {
            mails.pretend(request.context().tenant(), EmailUse.SIGN_UP, request.email());
            return;
        }
        unconfirmedAccounts.repeat(request.context(), db, unconfirmed.get());
        new AuditLog(db).record(AuditLog.Action.USER_CONFIRMATION_REQUESTED, unconfirmed.get());
        mails.send(request.context(), db, unconfirmed.get(), EmailUse.SIGN_UP, request.target());
    }

    private void change(Request request, AuthSession db, Optional<User> user) {
        Optional<String> to = user.flatMap(found -> found.pending().email());
        if (to.isEmpty()) {
            mails.pretendChange(request.context().tenant(), request.email());
            return;
        }
        UserUpdate update = mails.sendChange(request.context(), db, user.get(), to.get(), request.target());
        new Users(db).update(user.get().id(), update);
    }
}
