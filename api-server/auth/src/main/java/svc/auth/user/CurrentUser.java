package svc.auth.user;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.Mailer;
import svc.auth.model.Metadata;
import svc.auth.model.User;
import svc.auth.model.UserJson;
import svc.auth.model.UserTime;
import svc.auth.otp.EmailConfirmation;
import svc.auth.otp.OneTimeMails;
import svc.auth.otp.PhoneCodes;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.Sessions;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.crds.project.auth.PasswordSpec;
import svc.platform.tenancy.Tenant;

/** {@code GET} and {@code PUT /user}, {@code POST /logout}: the user of the access token. */
public final class CurrentUser {
    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final OneTimeMails mails;
    private final PhoneCodes codes;
    private final Reauthentication reauthentication;
    private final AuthLimits limits;
    private final RedirectTargets redirects;
    private final Clock clock;

    public CurrentUser(
            AuthTransactions transactions,
            PasswordHashes hashes,
            PasswordRules rules,
            OneTimeMails mails,
            PhoneCodes codes,
            Reauthentication reauthentication,
            AuthLimits limits,
            RedirectTargets redirects,
            Clock clock) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.mails = mails;
        this.codes = codes;
        this.reauthentication = reauthentication;
        this.limits = limits;
        this.redirects = redirects;
        this.clock = clock;
    }

    /** Does not block. */
    public CompletableFuture<AuthResponse> get(AuthRequest request) {
        return Bearer.async(request.context(), transactions, clock)
                .thenApply(bearer -> AuthResponse.ok(UserJson.of(bearer.user())));
    }

    /**
     * A change that may be written.
     *
     * @param email if it is another one
     * @param mailed whether mails have to confirm the address
     * @param phone if it is another one
     * @param nonce to be used up; empty where none is required
     */
    private record Decided(
            UserChange change,
            Optional<String> email,
            boolean mailed,
            Optional<String> phone,
            Optional<String> passwordHash,
            Optional<String> nonce) {
        CallContext context() {
            return change.context();
        }

        /** Whether the transaction waits for a mail server or a hook. */
        boolean sends() {
            return mailed || phone.isPresent();
        }
    }

    public AuthResponse update(AuthRequest call) {
        Decided decided = decide(UserChange.parse(call, redirects));
        if (!decided.sends()) {
            return transactions.run(call.tenant(), db -> write(decided, db));
        }
        try (Mailer.Permit permit = mails.permit(call.tenant())) {
            return transactions.run(call.tenant(), db -> write(decided, db));
        }
    }

    private Decided decide(UserChange change) {
        Tenant tenant = change.context().tenant();
        Bearer bearer = Bearer.of(change.context(), transactions, clock);
        if (change.isSensitive()) {
            bearer.requireSecondFactor();
        }
        if (change.password().isPresent() && bearer.user().anonymous() && !change.names()) {
            throw AuthErrorCode.ANONYMOUS_PASSWORD.error();
        }
        User user = bearer.user();
        Optional<String> email = change.email().filter(to -> !user.email().equals(Optional.of(to)));
        Optional<String> hash = change.password().map(password -> newHash(change, user, password));
        return new Decided(
                change,
                email,
                email.isPresent() && !tenant.auth().email().autoconfirm(),
                change.phone().filter(to -> !user.phone().equals(Optional.of(to))),
                hash,
                hash.flatMap(password -> nonce(change, bearer)));
    }

    private AuthResponse write(Decided decided, AuthSession db) {
        CallContext context = decided.context();
        Bearer bearer = Bearer.of(context, db, clock);
        User user = bearer.user();
        decided.nonce().ifPresent(code -> reauthentication.require(context.tenant(), db, user, code));
        Instant now = clock.instant();
        UserUpdate update = new UserUpdate();
        Optional<ObjectNode> own =
                decided.change().data().map(data -> Metadata.changed("user_metadata", user.userMetadata(), data));
        own.ifPresent(update::userMetadata);
        decided.passwordHash().ifPresent(hash -> {
            // An attacker with the old password loses the other sessions and the mails that are under way.
            new Sessions(db).deleteOf(user.id(), Optional.of(bearer.sessionId()));
            new OneTimeTokens(db).deleteOf(user.id());
            update.passwordHash(hash);
            new AuditLog(db).record(AuditLog.Action.USER_UPDATED_PASSWORD, user);
        });
        new AuditLog(db).record(AuditLog.Action.USER_MODIFIED, user);
        User changed = own.map(user::withUserMetadata).orElse(user);
        decided.email().ifPresent(to -> update.and(changeEmail(decided, db, changed, to)));
        var users = new Users(db);
        users.update(user.id(), update.time(UserTime.UPDATED, now));
        decided.phone().ifPresent(to -> codes.change(context.tenant(), db, user.id(), to));
        return AuthResponse.ok(UserJson.of(users.byId(user.id()).orElseThrow()));
    }

    private UserUpdate changeEmail(Decided decided, AuthSession db, User user, String to) {
        if (!decided.mailed()) {
            return EmailConfirmation.move(db, user, to, clock.instant());
        }
        EmailConfirmation.requireFree(db, user.id(), to);
        return mails.sendChange(
                decided.context(), db, user, to, decided.change().target());
    }

    /** The code that a change of password requires; empty where it requires none. */
    private Optional<String> nonce(UserChange change, Bearer bearer) {
        PasswordSpec spec = change.context().tenant().auth().password();
        if (!spec.requireReauthentication() || !reauthentication.isDue(bearer)) {
            return Optional.empty();
        }
        String nonce = change.nonce().orElseThrow(AuthErrorCode.REAUTHENTICATION_NEEDED::error);
        limits.code(change.context(), bearer.user().email().orElse(""));
        return Optional.of(nonce);
    }

    /** @throws AuthError for a password that the project or the user's present one forbids */
    private String newHash(UserChange change, User user, String password) {
        PasswordSpec spec = change.context().tenant().auth().password();
        UUID project = change.context().projectId();
        Optional<String> present = user.passwordHash();
        if (spec.requireCurrent() && present.isPresent()) {
            String current = change.currentPassword().orElseThrow(AuthErrorCode.CURRENT_PASSWORD_REQUIRED::error);
            if (!hashes.matches(project, current, present)) {
                throw AuthErrorCode.CURRENT_PASSWORD_INVALID.error();
            }
        }
        rules.require(change.context().tenant(), password);
        if (present.isPresent() && hashes.matches(project, password, present)) {
            throw AuthErrorCode.SAME_PASSWORD.error();
        }
        return hashes.hash(project, password);
    }

    private enum Scope {
        GLOBAL,
        LOCAL,
        OTHERS;

        static Scope parse(AuthRequest request) {
            String text = request.parameter("scope").orElse("global");
            return switch (text) {
                case "global" -> GLOBAL;
                case "local" -> LOCAL;
                case "others" -> OTHERS;
                default ->
                    throw AuthError.invalid("Unsupported logout scope \"" + text + "\"; use global, local or others");
            };
        }
    }

    public AuthResponse logout(AuthRequest request) {
        Scope scope = Scope.parse(request);
        CallContext context = request.context();
        return transactions.run(context.tenant(), db -> {
            Bearer bearer = Bearer.of(context, db, clock);
            var sessions = new Sessions(db);
            switch (scope) {
                case GLOBAL -> sessions.deleteOf(bearer.userId(), Optional.empty());
                case LOCAL -> sessions.delete(bearer.sessionId());
                case OTHERS -> sessions.deleteOf(bearer.userId(), Optional.of(bearer.sessionId()));
            }
            new AuditLog(db).record(AuditLog.Action.LOGOUT, bearer.user());
            return AuthResponse.noContent();
        });
    }
}
