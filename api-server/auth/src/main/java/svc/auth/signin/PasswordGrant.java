package svc.auth.signin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import svc.auth.captcha.Captcha;
import svc.auth.hook.AuthHooks;
import svc.auth.hook.AuthHooks.Verdict;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.limit.AuthLimits;
import svc.auth.model.EmailAddress;
import svc.auth.model.User;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.phone.PhoneNumber;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Sessions;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.platform.tenancy.Tenant;

/** {@code POST /token?grant_type=password}: a session for an address or a number and its password. */
public final class PasswordGrant {
    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final SessionGrant grant;
    private final AuthLimits limits;
    private final Captcha captcha;
    private final AuthHooks hooks;
    private final Clock clock;

    public PasswordGrant(
            AuthTransactions transactions,
            PasswordHashes hashes,
            PasswordRules rules,
            SessionGrant grant,
            AuthLimits limits,
            Captcha captcha,
            AuthHooks hooks,
            Clock clock) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.grant = grant;
        this.limits = limits;
        this.captcha = captcha;
        this.hooks = hooks;
        this.clock = clock;
    }

    private enum Kind {
        EMAIL,
        PHONE
    }

    /** @param account normalized address or number */
    private record Request(
            CallContext context, Kind kind, String account, String password, Optional<String> captchaToken) {
        static Request parse(AuthRequest request) {
            Kind kind = request.text("email").isPresent() ? Kind.EMAIL : Kind.PHONE;
            return new Request(
                    request.context(),
                    kind,
                    kind == Kind.EMAIL ? email(request) : phone(request),
                    request.text("password").orElseThrow(AuthErrorCode.INVALID_CREDENTIALS::error),
                    Captcha.token(request));
        }

        private static String email(AuthRequest request) {
            if (!request.tenant().auth().email().enabled()) {
                throw AuthErrorCode.EMAIL_LOGIN_DISABLED.error();
            }
            return EmailAddress.of(request.text("email").orElseThrow());
        }

        private static String phone(AuthRequest request) {
            if (request.text("phone").isEmpty()) {
                throw AuthError.invalid("missing email or phone");
            }
            return PhoneNumber.of(request, AuthErrorCode.PHONE_LOGIN_DISABLED);
        }

        Tenant tenant() {
            return context.tenant();
        }

        /** Without the password. */
        @Override
        public String toString() {
            return "Request[" + kind + "]";
        }
    }

    public AuthResponse answer(AuthRequest call) {
        Request request = Request.parse(call);
        limits.password(request.context(), request.account());
        captcha.require(request.context(), request.captchaToken());
        User user = authenticate(request);
        requireAllowed(request, user);
        // Not in the transaction: hashing takes a hundred times as long as all of its statements.
        Optional<String> renewed = user.passwordHash()
                .filter(hashes::isOld)
                .map(old -> hashes.hash(request.context().projectId(), request.password()));
        Granted granted = transactions.run(request.tenant(), db -> begin(request, db, user, renewed));
        AuthResponse answer = grant.answer(request.tenant(), granted);
        // A password that later rules forbid still signs in; the application may ask for a better one.
        rules.weakness(request.tenant(), request.password())
                .ifPresent(weak -> weak.describe((ObjectNode) answer.body().orElseThrow()));
        return answer;
    }

    /** @throws AuthError the same for an unknown account and a wrong password, after the same computation */
    private User authenticate(Request request) {
        Optional<User> found = transactions.run(request.tenant(), db -> find(new Users(db), request));
        boolean valid =
                hashes.matches(request.context().projectId(), request.password(), found.flatMap(User::passwordHash));
        found.ifPresent(user -> askHook(request.tenant(), user, valid));
        if (!valid) {
            throw AuthErrorCode.INVALID_CREDENTIALS.error();
        }
        limits.signedIn(request.context(), request.account());
        return found.orElseThrow();
    }

    private static Optional<User> find(Users users, Request request) {
        return switch (request.kind()) {
            case EMAIL -> users.byEmail(request.account());
            case PHONE -> users.byPhone(request.account());
        };
    }

    private void askHook(Tenant tenant, User user, boolean valid) {
        if (hooks.passwordVerification(tenant, user.id(), valid) instanceof Verdict.Reject rejected) {
            if (rejected.endSessions()) {
                transactions.run(tenant, db -> {
                    new Sessions(db).deleteOf(user.id(), Optional.empty());
                    return user;
                });
            }
            throw AuthErrorCode.INVALID_CREDENTIALS.error(rejected.message());
        }
    }

    private void requireAllowed(Request request, User user) {
        if (user.isBanned(clock.instant())) {
            throw AuthErrorCode.GRANT_OF_BANNED_USER.error();
        }
        if (request.kind() == Kind.EMAIL && !user.emailConfirmed()) {
            throw AuthErrorCode.EMAIL_NOT_CONFIRMED.error();
        }
        if (request.kind() == Kind.PHONE && !user.phoneConfirmed()) {
            throw AuthErrorCode.PHONE_NOT_CONFIRMED.error();
        }
    }

    private Granted begin(Request request, AuthSession db, User user, Optional<String> renewed) {
        var users = new Users(db);
        // A concurrent call may have changed the password, or deleted the user, during the check.
        boolean unchanged = users.byId(user.id())
                .filter(now -> now.passwordHash().equals(user.passwordHash()))
                .isPresent();
        if (!unchanged) {
            throw AuthErrorCode.INVALID_CREDENTIALS.error();
        }
        renewed.ifPresent(hash -> users.update(user.id(), new UserUpdate().passwordHash(hash)));
        new AuditLog(db).record(AuditLog.Action.LOGIN, user);
        return grant.begin(request.context(), db, user.id(), "password");
    }
}
