package svc.auth.otp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.Mailer;
import svc.auth.model.EmailAddress;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Users;
import svc.auth.session.NewUser;
import svc.auth.session.NewUser.Confirmed;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code POST /otp}, {@code /magiclink} and {@code /recover}: a link and a code by mail, to sign in without a password. */
public final class MailSignIn {
    private final AuthTransactions transactions;
    private final OneTimeMails mails;
    private final AuthHooks hooks;
    private final AuthLimits limits;
    private final Clock clock;

    public MailSignIn(
            AuthTransactions transactions, OneTimeMails mails, AuthHooks hooks, AuthLimits limits, Clock clock) {
        this.transactions = transactions;
        this.mails = mails;
        this.hooks = hooks;
        this.limits = limits;
        this.clock = clock;
    }

    /** {@code /otp} and {@code /magiclink}; who has no account gets one, unless the call or the project says otherwise. */
    public AuthAnswer signIn(AuthRequest request) {
        String address = address(request, "One of email or phone must be set");
        boolean create = request.flag("create_user").orElse(true);
        boolean open = request.tenant().auth().signUp();
        var user = new NewUser(
                UUID.randomUUID(),
                Optional.of(address),
                Optional.empty(),
                Optional.empty(),
                request.object("data").orElseGet(JsonNodeFactory.instance::objectNode),
                JsonNodeFactory.instance.objectNode(),
                new Confirmed(request.tenant().auth().email().autoconfirm(), false),
                false,
                clock.instant());
        if (create && open && hooks.decidesOnUsers(request.tenant()) && isUnknown(request, address)) {
            hooks.beforeUserCreated(request, user.view());
        }
        try (Mailer.Turn turn = mails.turn(request)) {
            return transactions.runAgainIfTaken(request.tenant(), rows -> {
                Optional<JsonNode> found = new Users(rows).byEmail(address);
                if (found.isPresent()) {
                    mails.send(request, rows, found.get(), use(found.get()));
                } else if (!open) {
                    // Nobody may sign up: then nobody learns who has.
                    mails.pretend(request, EmailUse.MAGIC_LINK, address);
                } else if (!create) {
                    throw AuthErrorCode.OTP_SIGNUP_DISABLED.error();
                } else {
                    begin(request, rows, user);
                }
                return nothing();
            });
        }
    }

    private boolean isUnknown(AuthRequest request, String address) {
        return transactions.run(
                request.tenant(),
                rows -> new Outcome<>(new Users(rows).byEmail(address).isEmpty(), true));
    }

    private void begin(AuthRequest request, AuthSession rows, NewUser user) {
        JsonNode row = user.insert(rows, "authenticated");
        new AuditLog(rows).record(AuditLog.Action.USER_SIGNED_UP, row);
        mails.send(request, rows, row, use(row));
    }

    /** Who has not proved the address yet proves it thereby. */
    private static EmailUse use(JsonNode user) {
        return EmailConfirmation.isConfirmed(user) ? EmailUse.MAGIC_LINK : EmailUse.SIGN_UP;
    }

    public AuthAnswer recover(AuthRequest request) {
        String address = address(request, "Password recovery requires an email");
        try (Mailer.Turn turn = mails.turn(request)) {
            return transactions.run(request.tenant(), rows -> {
                Optional<JsonNode> user = new Users(rows).byEmail(address);
                if (user.isEmpty()) {
                    mails.pretend(request, EmailUse.RECOVERY, address);
                    return nothing();
                }
                new AuditLog(rows).record(AuditLog.Action.USER_RECOVERY_REQUESTED, user.get());
                mails.send(request, rows, user.get(), EmailUse.RECOVERY);
                return nothing();
            });
        }
    }

    private String address(AuthRequest request, String without) {
        limits.signUpOrIn(request);
        if (!request.tenant().auth().email().enabled()) {
            throw AuthErrorCode.EMAIL_LOGIN_DISABLED.error();
        }
        return EmailAddress.of(request.text("email").orElseThrow(() -> AuthError.invalid(without)));
    }

    private static Outcome<AuthAnswer> nothing() {
        return new Outcome<>(AuthAnswer.ok(JsonNodeFactory.instance.objectNode()), true);
    }
}
