package svc.auth.signup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.Mailer;
import svc.auth.model.NewUser;
import svc.auth.model.User;
import svc.auth.model.UserJson;
import svc.auth.model.UserTime;
import svc.auth.otp.EmailUse;
import svc.auth.otp.OneTimeMails;
import svc.auth.otp.PhoneCodes;
import svc.auth.otp.PhoneCodes.Message;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.phone.PhoneMessages;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Users;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.auth.unconfirmed.UnconfirmedAccounts;
import svc.platform.tenancy.Tenant;

/**
 * {@code POST /signup}: parses the request, decides whether the user may be created, writes the user, and answers with a
 * session or with the unconfirmed user.
 */
public final class SignUp {
    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final SessionGrant grant;
    private final OneTimeMails mails;
    private final PhoneCodes codes;
    private final UnconfirmedAccounts unconfirmedAccounts;
    private final AuthHooks hooks;
    private final AuthLimits limits;
    private final RedirectTargets redirects;
    private final Clock clock;

    public SignUp(
            AuthTransactions transactions,
            PasswordHashes hashes,
            PasswordRules rules,
            SessionGrant grant,
            OneTimeMails mails,
            PhoneCodes codes,
            UnconfirmedAccounts unconfirmedAccounts,
            AuthHooks hooks,
            AuthLimits limits,
            RedirectTargets redirects,
            Clock clock) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.grant = grant;
        this.mails = mails;
        this.codes = codes;
        this.unconfirmedAccounts = unconfirmedAccounts;
        this.hooks = hooks;
        this.limits = limits;
        this.redirects = redirects;
        this.clock = clock;
    }

    public AuthResponse answer(AuthRequest request) {
        return switch (SignUpRequest.parse(request, redirects)) {
            case SignUpRequest.ByEmail byEmail -> byEmail(byEmail);
            case SignUpRequest.ByPhone byPhone -> byPhone(byPhone);
            case SignUpRequest.Anonymous anonymous -> anonymous(anonymous);
        };
    }

    private AuthResponse byEmail(SignUpRequest.ByEmail request) {
        limits.signUpOrIn(request.context());
        Tenant tenant = request.context().tenant();
        boolean autoconfirm = tenant.auth().email().autoconfirm();
        NewUser user = NewUser.withEmail(
                request.email(),
                Optional.of(hash(tenant, request.password())),
                request.data(),
                autoconfirm,
                clock.instant());
        return autoconfirm ? confirmedEmail(request, user) : unconfirmedEmail(request, user);
    }

    private String hash(Tenant tenant, String password) {
        rules.require(tenant, password);
        return hashes.hash(tenant.projectId(), password);
    }

    private AuthResponse confirmedEmail(SignUpRequest.ByEmail request, NewUser user) {
        Tenant tenant = request.context().tenant();
        if (hooks.decidesOnUsers(tenant)) {
            transactions.run(tenant, db -> requireFree(new Users(db).byEmail(request.email())));
            hooks.beforeUserCreated(tenant, user.asUser());
        }
        Granted granted = transactions.run(tenant, db -> {
            requireFree(new Users(db).byEmail(request.email()));
            return begin(request.context(), db, user, "password");
        });
        return grant.answer(tenant, granted);
    }

    private AuthResponse unconfirmedEmail(SignUpRequest.ByEmail request, NewUser user) {
        return unconfirmedAccounts.wanting(
                request.context(), users -> users.byEmail(request.email()), () -> attemptByEmail(request, user));
    }

    /**
     * The user is confirmed by a mail. For an address that has an account the answer is the same, except for the identities,
     * by which applications tell, as in Supabase.
     */
    private AuthResponse attemptByEmail(SignUpRequest.ByEmail request, NewUser user) {
        Tenant tenant = request.context().tenant();
        if (hooks.decidesOnUsers(tenant)
                && transactions
                        .run(tenant, db -> new Users(db).byEmail(request.email()))
                        .isEmpty()) {
            hooks.beforeUserCreated(tenant, user.asUser());
        }
        try (Mailer.Permit permit = mails.permit(tenant)) {
            return transactions.runAgainIfTaken(tenant, db -> {
                var users = new Users(db);
                Optional<User> found = users.byEmail(request.email());
                if (found.filter(User::emailConfirmed).isPresent()) {
                    new AuditLog(db).record(AuditLog.Action.USER_REPEATED_SIGN_UP, found.get());
                    mails.pretend(tenant, EmailUse.SIGN_UP, request.email());
                    return AuthResponse.ok(pretended(user));
                }
                User unconfirmed = unconfirmedAccounts.begin(request.context(), db, found, user);
                new AuditLog(db).record(AuditLog.Action.USER_CONFIRMATION_REQUESTED, unconfirmed);
                mails.send(request.context(), db, unconfirmed, EmailUse.SIGN_UP, request.target());
                return AuthResponse.ok(repeated(users.byId(unconfirmed.id()).orElseThrow(), user));
            });
        }
    }

    /**
     * Neither the project's server nor this caller has confirmed the address: the caller gets only the data of its request.
     */
    private static ObjectNode repeated(User unconfirmed, NewUser user) {
        ObjectNode json = UserJson.of(unconfirmed);
        NewUser own = user.withId(unconfirmed.id());
        json.set("user_metadata", own.userMetadata());
        ObjectNode data = own.identities().getFirst().data();
        json.path("identities").forEach(identity -> ((ObjectNode) identity).set("identity_data", data));
        return json;
    }

    private ObjectNode pretended(NewUser user) {
        return UserJson.of(user.asUser())
                .put(
                        UserTime.CONFIRMATION_SENT.column(),
                        clock.instant().truncatedTo(ChronoUnit.MICROS).toString());
    }

    private AuthResponse byPhone(SignUpRequest.ByPhone request) {
        limits.signUpOrIn(request.context());
        Tenant tenant = request.context().tenant();
        boolean autoconfirm = tenant.auth().phone().autoconfirm();
        NewUser user = NewUser.withPhone(
                request.phone(),
                Optional.of(hash(tenant, request.password())),
                request.data(),
                autoconfirm,
                clock.instant());
        Optional<User> known = transactions.run(tenant, db -> new Users(db).byPhone(request.phone()));
        if (known.isEmpty()) {
            hooks.beforeUserCreated(tenant, user.asUser());
        }
        return autoconfirm ? confirmedPhone(request, user) : unconfirmedPhone(request, user, known);
    }

    private AuthResponse confirmedPhone(SignUpRequest.ByPhone request, NewUser user) {
        Tenant tenant = request.context().tenant();
        Granted granted = transactions.run(tenant, db -> {
            requireFree(new Users(db).byPhone(request.phone()));
            return begin(request.context(), db, user, "password");
        });
        return grant.answer(tenant, granted);
    }

    private AuthResponse unconfirmedPhone(SignUpRequest.ByPhone request, NewUser user, Optional<User> known) {
        Tenant tenant = request.context().tenant();
        PhoneMessages.requireSender(tenant);
        if (known.filter(User::phoneConfirmed).isPresent()) {
            // The answer must not reveal whether the number has an account.
            return AuthResponse.ok(UserJson.of(user.asUser()));
        }
        return unconfirmedAccounts.wanting(
                request.context(), users -> users.byPhone(request.phone()), () -> attemptByPhone(request, user));
    }

    private AuthResponse attemptByPhone(SignUpRequest.ByPhone request, NewUser user) {
        Tenant tenant = request.context().tenant();
        Message message = transactions.runAgainIfTaken(tenant, db -> {
            Optional<User> found = new Users(db).byPhone(request.phone());
            User unconfirmed = unconfirmedAccounts.begin(request.context(), db, found, user);
            if (found.isEmpty()) {
                new AuditLog(db).record(AuditLog.Action.USER_SIGNED_UP, unconfirmed);
            }
            return codes.issue(tenant, db, unconfirmed, request.phone(), PhoneCodes.Use.SIGN_IN);
        });
        codes.send(tenant, message);
        return AuthResponse.ok(repeated(message.user(), user));
    }

    private AuthResponse anonymous(SignUpRequest.Anonymous request) {
        limits.anonymous(request.context());
        Tenant tenant = request.context().tenant();
        NewUser user = NewUser.withoutIdentity(request.data(), clock.instant());
        hooks.beforeUserCreated(tenant, user.asUser());
        Granted granted = transactions.run(tenant, db -> begin(request.context(), db, user, "anonymous"));
        return grant.answer(tenant, granted);
    }

    private static Optional<User> requireFree(Optional<User> found) {
        if (found.isPresent()) {
            throw AuthErrorCode.USER_ALREADY_EXISTS.error();
        }
        return found;
    }

    private static User create(AuthSession db, NewUser user) {
        User created = new Users(db).create(user);
        new AuditLog(db).record(AuditLog.Action.USER_SIGNED_UP, created);
        return created;
    }

    private Granted begin(CallContext context, AuthSession db, NewUser user, String method) {
        return grant.begin(context, db, create(db, user).id(), method);
    }
}
