package svc.auth.otp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.Mailer;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.model.NewUser;
import svc.auth.model.User;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Users;
import svc.auth.unconfirmed.UnconfirmedAccounts;
import svc.platform.tenancy.Tenant;

/** {@code POST /otp}, {@code /magiclink} and {@code /recover}: a link and a code by mail, to sign in without a password. */
public final class MailSignIn {
    private final AuthTransactions transactions;
    private final OneTimeMails mails;
    private final UnconfirmedAccounts unconfirmedAccounts;
    private final AuthHooks hooks;
    private final AuthLimits limits;
    private final RedirectTargets redirects;
    private final Clock clock;

    public MailSignIn(
            AuthTransactions transactions,
            OneTimeMails mails,
            UnconfirmedAccounts unconfirmedAccounts,
            AuthHooks hooks,
            AuthLimits limits,
            RedirectTargets redirects,
            Clock clock) {
        this.transactions = transactions;
        this.mails = mails;
        this.unconfirmedAccounts = unconfirmedAccounts;
        this.hooks = hooks;
        this.limits = limits;
        this.redirects = redirects;
        this.clock = clock;
    }

    /** @param createUser whether an address without an account gets one */
    record Request(CallContext context, String email, boolean createUser, ObjectNode data, LinkTarget target) {
        static Request parse(AuthRequest request, RedirectTargets redirects) {
            return new Request(
                    request.context(),
                    email(request, "One of email or phone must be set"),
                    request.flag("create_user").orElse(true),
                    Metadata.of(request, "data").orElseGet(JsonNodeFactory.instance::objectNode),
                    LinkTarget.of(request, redirects));
        }

        /** Of {@code /recover}, which never creates a user. */
        static Request parseRecovery(AuthRequest request, RedirectTargets redirects) {
            return new Request(
                    request.context(),
                    email(request, "Password recovery requires an email"),
                    false,
                    JsonNodeFactory.instance.objectNode(),
                    LinkTarget.of(request, redirects));
        }

        private static String email(AuthRequest request, String missing) {
            if (!request.tenant().auth().email().enabled()) {
                throw AuthErrorCode.EMAIL_LOGIN_DISABLED.error();
            }
            return EmailAddress.of(request.text("email").orElseThrow(() -> AuthError.invalid(missing)));
        }

        Tenant tenant() {
            return context.tenant();
        }
    }

    /** {@code /otp} and {@code /magiclink}. */
    public AuthResponse signIn(AuthRequest call) {
        Request request = Request.parse(call, redirects);
        limits.signUpOrIn(request.context());
        boolean open = request.tenant().auth().signUp();
        NewUser user = NewUser.withEmail(
                request.email(),
                Optional.empty(),
                request.data(),
                request.tenant().auth().email().autoconfirm(),
                clock.instant());
        if (request.createUser() && open && hooks.decidesOnUsers(request.tenant()) && isUnknown(request)) {
            hooks.beforeUserCreated(request.tenant(), user.asUser());
        }
        return wanting(request, () -> signIn(request, user, open));
    }

    private AuthResponse wanting(Request request, Supplier<AuthResponse> call) {
        return unconfirmedAccounts.wanting(request.context(), users -> users.byEmail(request.email()), call);
    }

    private AuthResponse signIn(Request request, NewUser user, boolean open) {
        try (Mailer.Permit permit = mails.permit(request.tenant())) {
            return transactions.runAgainIfTaken(request.tenant(), db -> {
                Optional<User> found = new Users(db).byEmail(request.email());
                if (found.filter(User::emailConfirmed).isPresent()) {
                    mails.send(request.context(), db, found.get(), EmailUse.MAGIC_LINK, request.target());
                } else if (found.isPresent()) {
                    // The link of an unconfirmed user confirms the address as well.
                    User unconfirmed = unconfirmedAccounts.begin(request.context(), db, found, user);
                    mails.send(request.context(), db, unconfirmed, EmailUse.SIGN_UP, request.target());
                } else if (!open) {
                    // Sign-up is closed: the answer must not reveal who has an account.
                    mails.pretend(request.tenant(), EmailUse.MAGIC_LINK, request.email());
                } else if (!request.createUser()) {
                    throw AuthErrorCode.OTP_SIGNUP_DISABLED.error();
                } else {
                    User created = unconfirmedAccounts.begin(request.context(), db, found, user);
                    new AuditLog(db).record(AuditLog.Action.USER_SIGNED_UP, created);
                    EmailUse use = created.emailConfirmed() ? EmailUse.MAGIC_LINK : EmailUse.SIGN_UP;
                    mails.send(request.context(), db, created, use, request.target());
                }
                return AuthResponse.empty();
            });
        }
    }

    private boolean isUnknown(Request request) {
        return transactions.run(
                request.tenant(), db -> new Users(db).byEmail(request.email()).isEmpty());
    }

    /** {@code /recover}. */
    public AuthResponse recover(AuthRequest call) {
        Request request = Request.parseRecovery(call, redirects);
        limits.signUpOrIn(request.context());
        return wanting(request, () -> recover(request));
    }

    private AuthResponse recover(Request request) {
        try (Mailer.Permit permit = mails.permit(request.tenant())) {
            return transactions.run(request.tenant(), db -> {
                Optional<User> user = new Users(db).byEmail(request.email());
                if (user.isEmpty()) {
                    mails.pretend(request.tenant(), EmailUse.RECOVERY, request.email());
                    return AuthResponse.empty();
                }
                unconfirmedAccounts.contest(request.context(), db, user.get());
                new AuditLog(db).record(AuditLog.Action.USER_RECOVERY_REQUESTED, user.get());
                mails.send(request.context(), db, user.get(), EmailUse.RECOVERY, request.target());
                return AuthResponse.empty();
            });
        }
    }
}
