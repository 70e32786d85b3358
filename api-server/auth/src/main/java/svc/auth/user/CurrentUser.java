package svc.auth.user;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.mail.Mailer;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.model.UserJson;
import svc.auth.otp.EmailConfirmation;
import svc.auth.otp.OneTimeChecks;
import svc.auth.otp.OneTimeMails;
import svc.auth.otp.PhoneSignIn;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.AuthTransactions.Work;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.crds.project.auth.PasswordSpec;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code GET} and {@code PUT /user}, {@code POST /logout}: what a signed-in user does with the own account. */
public final class CurrentUser {
    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final OneTimeMails mails;
    private final PhoneSignIn phones;
    private final OneTimeChecks checks;
    private final Reauthentication reauthentication;
    private final Clock clock;

    public CurrentUser(
            AuthTransactions transactions,
            PasswordHashes hashes,
            PasswordRules rules,
            OneTimeMails mails,
            PhoneSignIn phones,
            OneTimeChecks checks,
            Reauthentication reauthentication,
            Clock clock) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.mails = mails;
        this.phones = phones;
        this.checks = checks;
        this.reauthentication = reauthentication;
        this.clock = clock;
    }

    /** Does not wait. */
    public CompletableFuture<AuthAnswer> get(AuthRequest request) {
        return Bearer.soon(request, transactions, clock).thenApply(bearer -> AuthAnswer.ok(UserJson.of(bearer.row())));
    }

    public AuthAnswer update(AuthRequest request) {
        Optional<String> email = request.text("email").map(EmailAddress::of);
        Optional<String> password = request.text("password");
        Optional<ObjectNode> data = request.object("data");
        Optional<String> phone =
                request.text("phone").map(text -> PhoneSignIn.number(request, AuthErrorCode.PHONE_SIGNUP_DISABLED));
        if (request.body().has("app_metadata")) {
            throw AuthErrorCode.NOT_ADMIN.error();
        }
        Bearer bearer = bearer(request);
        if (email.isPresent() || password.isPresent() || phone.isPresent()) {
            bearer.requireStrongEnough();
        }
        boolean moves = email.filter(to -> !to.equals(UserJson.text(bearer.row(), "email")))
                .isPresent();
        boolean mailed = moves && !request.tenant().auth().email().autoconfirm();
        Optional<String> number = phone.filter(to -> !to.equals(UserJson.text(bearer.row(), "phone")));
        Optional<String> hash = password.map(text -> checked(request, bearer, text));
        Optional<String> nonce = password.flatMap(text -> nonce(request, bearer));
        Work<AuthAnswer> work = rows -> {
            Bearer now = Bearer.of(request, rows, clock);
            nonce.ifPresent(code -> reauthentication.require(request, rows, now, code));
            ObjectNode columns = JsonNodeFactory.instance.objectNode();
            data.ifPresent(change ->
                    columns.set("raw_user_meta_data", Metadata.merged(now.row().path("raw_user_meta_data"), change)));
            if (hash.isPresent()) {
                // Whoever knew the old password is out, and so are mails that were sent under it.
                new Sessions(rows).deleteOf(now.id(), Optional.of(now.sessionId()));
                new OneTimeTokens(rows).deleteOf(now.id());
                columns.put("encrypted_password", hash.get());
                new AuditLog(rows).record(AuditLog.Action.USER_UPDATED_PASSWORD, now.row());
            }
            new AuditLog(rows).record(AuditLog.Action.USER_MODIFIED, now.row());
            if (mailed) {
                EmailConfirmation.requireFree(rows, now.id(), email.orElseThrow());
                columns.setAll(mails.sendChange(request, rows, now.row(), email.orElseThrow()));
            } else if (moves) {
                columns.setAll(EmailConfirmation.move(rows, now.row(), email.orElseThrow(), clock.instant()));
            }
            var users = new Users(rows);
            users.update(now.id(), columns.put("updated_at", clock.instant().toString()));
            number.ifPresent(to -> phones.change(request, rows, now.id(), to));
            return new Outcome<>(AuthAnswer.ok(UserJson.of(users.byId(now.id()).orElseThrow())), true);
        };
        return updated(request, mailed || number.isPresent(), work);
    }

    /** @param sends whether the transaction waits for a mail or a message */
    private AuthAnswer updated(AuthRequest request, boolean sends, Work<AuthAnswer> work) {
        if (!sends) {
            return transactions.run(request.tenant(), work);
        }
        try (Mailer.Turn turn = mails.turn(request)) {
            return transactions.run(request.tenant(), work);
        }
    }

    /** The code that a change of password needs; empty where it needs none. */
    private Optional<String> nonce(AuthRequest request, Bearer bearer) {
        if (!request.tenant().auth().password().requireReauthentication() || !reauthentication.isDue(bearer)) {
            return Optional.empty();
        }
        String nonce = request.text("nonce").orElseThrow(() -> AuthErrorCode.REAUTHENTICATION_NEEDED.error());
        checks.count(request, UserJson.text(bearer.row(), "email"));
        return Optional.of(nonce);
    }

    /** The hash of a new password that may be set. */
    private String checked(AuthRequest request, Bearer bearer, String password) {
        PasswordSpec spec = request.tenant().auth().password();
        Optional<String> present =
                Optional.of(UserJson.text(bearer.row(), "encrypted_password")).filter(text -> !text.isEmpty());
        if (spec.requireCurrent() && present.isPresent()) {
            String current =
                    request.text("current_password").orElseThrow(() -> AuthErrorCode.CURRENT_PASSWORD_REQUIRED.error());
            if (!hashes.matches(current, present)) {
                throw AuthErrorCode.CURRENT_PASSWORD_INVALID.error();
            }
        }
        rules.require(spec, password);
        if (present.isPresent() && hashes.matches(password, present)) {
            throw AuthErrorCode.SAME_PASSWORD.error();
        }
        return hashes.hash(password);
    }

    public AuthAnswer logout(AuthRequest request) {
        String scope = request.parameter("scope").orElse("global");
        return transactions.run(request.tenant(), rows -> {
            Bearer bearer = Bearer.of(request, rows, clock);
            var sessions = new Sessions(rows);
            switch (scope) {
                case "global" -> sessions.deleteOf(bearer.id(), Optional.empty());
                case "local" -> sessions.delete(bearer.sessionId());
                case "others" -> sessions.deleteOf(bearer.id(), Optional.of(bearer.sessionId()));
                default ->
                    throw AuthError.invalid("Unsupported logout scope \"" + scope + "\"; use global, local or others");
            }
            new AuditLog(rows).record(AuditLog.Action.LOGOUT, bearer.row());
            return new Outcome<>(AuthAnswer.nothing(), true);
        });
    }

    private Bearer bearer(AuthRequest request) {
        return Bearer.of(request, transactions, clock);
    }
}
