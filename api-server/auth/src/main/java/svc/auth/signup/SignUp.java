package svc.auth.signup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
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
import svc.auth.model.UserJson;
import svc.auth.otp.EmailConfirmation;
import svc.auth.otp.EmailUse;
import svc.auth.otp.OneTimeMails;
import svc.auth.otp.PhoneSignIn;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Users;
import svc.auth.session.NewUser;
import svc.auth.session.NewUser.Confirmed;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.crds.project.auth.AuthSpec;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code POST /signup}: a user with an address and a password, or one without either. */
public final class SignUp {
    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final SessionGrant grant;
    private final OneTimeMails mails;
    private final PhoneSignIn phones;
    private final AuthHooks hooks;
    private final AuthLimits limits;
    private final Clock clock;

    public SignUp(
            AuthTransactions transactions,
            PasswordHashes hashes,
            PasswordRules rules,
            SessionGrant grant,
            OneTimeMails mails,
            PhoneSignIn phones,
            AuthHooks hooks,
            AuthLimits limits,
            Clock clock) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.grant = grant;
        this.mails = mails;
        this.phones = phones;
        this.hooks = hooks;
        this.limits = limits;
        this.clock = clock;
    }

    public AuthAnswer answer(AuthRequest request) {
        AuthSpec spec = request.tenant().auth();
        Optional<String> email = request.text("email");
        if (email.isEmpty() && request.text("phone").isEmpty()) {
            return anonymous(request, spec);
        }
        if (!spec.signUp()) {
            throw AuthErrorCode.SIGNUP_DISABLED.error();
        }
        if (email.isEmpty()) {
            return byPhone(request, spec);
        }
        if (!spec.email().enabled()) {
            throw AuthErrorCode.EMAIL_SIGNUP_DISABLED.error();
        }
        String address = EmailAddress.of(email.get());
        limits.signUpOrIn(request);
        String password =
                request.text("password").orElseThrow(() -> AuthError.invalid("Signup requires a valid password"));
        rules.require(spec.password(), password);
        boolean autoconfirm = spec.email().autoconfirm();
        var user = new NewUser(
                UUID.randomUUID(),
                Optional.of(address),
                Optional.empty(),
                Optional.of(hashes.hash(password)),
                request.object("data").orElseGet(JsonNodeFactory.instance::objectNode),
                JsonNodeFactory.instance.objectNode(),
                new Confirmed(autoconfirm, false),
                false,
                clock.instant());
        return autoconfirm ? atOnce(request, address, user) : byMail(request, address, user);
    }

    private AuthAnswer byPhone(AuthRequest request, AuthSpec spec) {
        String phone = PhoneSignIn.number(request, AuthErrorCode.PHONE_SIGNUP_DISABLED);
        limits.signUpOrIn(request);
        String password =
                request.text("password").orElseThrow(() -> AuthError.invalid("Signup requires a valid password"));
        rules.require(spec.password(), password);
        return phones.signUp(request, phone, hashes.hash(password));
    }

    private AuthAnswer atOnce(AuthRequest request, String address, NewUser user) {
        if (hooks.decidesOnUsers(request.tenant())) {
            transactions.run(request.tenant(), rows -> new Outcome<>(requireFree(rows, address), true));
            hooks.beforeUserCreated(request, user.view());
        }
        Granted granted = transactions.run(request.tenant(), rows -> {
            requireFree(rows, address);
            return begun(request, rows, user, "password");
        });
        return grant.answer(request.tenant(), granted);
    }

    /**
     * The user counts when a mail has been answered. Who has the address already gets no other answer than who has not, but for
     * the identities, by which applications tell; as in Supabase.
     */
    private AuthAnswer byMail(AuthRequest request, String address, NewUser user) {
        if (hooks.decidesOnUsers(request.tenant()) && isUnknown(request, address)) {
            hooks.beforeUserCreated(request, user.view());
        }
        try (Mailer.Turn turn = mails.turn(request)) {
            return transactions.runAgainIfTaken(request.tenant(), rows -> {
                Optional<JsonNode> found = new Users(rows).byEmail(address);
                if (found.filter(EmailConfirmation::isConfirmed).isPresent()) {
                    new AuditLog(rows).record(AuditLog.Action.USER_REPEATED_SIGN_UP, found.get());
                    mails.pretend(request, EmailUse.SIGN_UP, address);
                    return new Outcome<>(AuthAnswer.ok(pretended(user)), true);
                }
                JsonNode row = found.orElseGet(() -> user.insert(rows, "authenticated"));
                new AuditLog(rows).record(AuditLog.Action.USER_CONFIRMATION_REQUESTED, row);
                mails.send(request, rows, row, EmailUse.SIGN_UP);
                JsonNode waiting = new Users(rows)
                        .byId(UUID.fromString(row.path("id").asText()))
                        .orElseThrow();
                ObjectNode view = UserJson.of(waiting);
                repeat(view, (ObjectNode) user.view().get("user_metadata"));
                return new Outcome<>(AuthAnswer.ok(view), true);
            });
        }
    }

    /** Whoever asked for the address before has not proved to have it, nor has who asks now: each hears the own words. */
    private static void repeat(ObjectNode view, ObjectNode said) {
        said.put("sub", view.path("id").asText());
        view.set("user_metadata", said);
        view.path("identities").forEach(identity -> ((ObjectNode) identity).set("identity_data", said));
    }

    private boolean isUnknown(AuthRequest request, String address) {
        return transactions.run(
                request.tenant(),
                rows -> new Outcome<>(new Users(rows).byEmail(address).isEmpty(), true));
    }

    private ObjectNode pretended(NewUser user) {
        ObjectNode view = user.view();
        view.put(
                "confirmation_sent_at",
                clock.instant().truncatedTo(ChronoUnit.MICROS).toString());
        return view;
    }

    private AuthAnswer anonymous(AuthRequest request, AuthSpec spec) {
        if (!spec.anonymousSignIn()) {
            throw AuthErrorCode.ANONYMOUS_SIGN_IN_DISABLED.error();
        }
        if (!spec.signUp()) {
            throw AuthErrorCode.SIGNUP_DISABLED.error();
        }
        limits.anonymous(request);
        var user = new NewUser(
                UUID.randomUUID(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                request.object("data").orElseGet(JsonNodeFactory.instance::objectNode),
                JsonNodeFactory.instance.objectNode(),
                Confirmed.NOTHING,
                true,
                clock.instant());
        hooks.beforeUserCreated(request, user.view());
        Granted granted = transactions.run(request.tenant(), rows -> begun(request, rows, user, "anonymous"));
        return grant.answer(request.tenant(), granted);
    }

    /** @throws AuthError when somebody has the address; true, so that it can be what a transaction comes to */
    private static boolean requireFree(AuthSession rows, String address) {
        if (new Users(rows).byEmail(address).isPresent()) {
            throw AuthErrorCode.USER_ALREADY_EXISTS.error();
        }
        return true;
    }

    private Outcome<Granted> begun(AuthRequest request, AuthSession rows, NewUser user, String method) {
        JsonNode row = user.insert(rows, "authenticated");
        new AuditLog(rows).record(AuditLog.Action.USER_SIGNED_UP, row);
        return new Outcome<>(grant.begin(request, rows, user.id(), method), true);
    }
}
