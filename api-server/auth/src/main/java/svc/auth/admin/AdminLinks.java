package svc.auth.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.mail.Mailer;
import svc.auth.mail.Mailing;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.model.UserJson;
import svc.auth.otp.EmailConfirmation;
import svc.auth.otp.EmailUse;
import svc.auth.otp.OneTimeMails;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.auth.session.NewUser;
import svc.auth.session.NewUser.Confirmed;
import svc.postgres.flush.TransactionSteps.Outcome;

/**
 * {@code POST /invite} and {@code POST /admin/generate_link}: links that the project's own servers have mailed, or mail
 * themselves.
 */
public final class AdminLinks {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final AuthTransactions transactions;
    private final OneTimeMails mails;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final Clock clock;

    public AdminLinks(
            AuthTransactions transactions,
            OneTimeMails mails,
            PasswordHashes hashes,
            PasswordRules rules,
            Clock clock) {
        this.transactions = transactions;
        this.mails = mails;
        this.hashes = hashes;
        this.rules = rules;
        this.clock = clock;
    }

    public AuthAnswer invite(AuthRequest request) {
        Bearer.requireAdmin(request);
        String address = address(request, "email");
        NewUser user = user(request, address, Optional.empty());
        try (Mailer.Turn turn = mails.turn(request)) {
            return transactions.runAgainIfTaken(request.tenant(), rows -> {
                JsonNode row = invited(rows, address, user);
                mails.send(request, rows, row, EmailUse.INVITE);
                return new Outcome<>(AuthAnswer.ok(UserJson.of(again(rows, row))), true);
            });
        }
    }

    /** A new user, or one who has not come yet. */
    private static JsonNode invited(AuthSession rows, String address, NewUser user) {
        Optional<JsonNode> found = new Users(rows).byEmail(address);
        if (found.filter(EmailConfirmation::isConfirmed).isPresent()) {
            throw AuthErrorCode.EMAIL_EXISTS.error();
        }
        JsonNode row = found.orElseGet(() -> user.insert(rows, "authenticated"));
        new AuditLog(rows).record(AuditLog.Action.USER_INVITED, row);
        return row;
    }

    public AuthAnswer generate(AuthRequest request) {
        String type = request.text("type").orElse("");
        String address = address(request, "email");
        Optional<String> hash = type.equals("signup") ? Optional.of(passwordHash(request)) : Optional.empty();
        Optional<String> to =
                type.startsWith("email_change_") ? Optional.of(address(request, "new_email")) : Optional.empty();
        NewUser user = user(request, address, hash);
        return transactions.runAgainIfTaken(request.tenant(), rows -> {
            Optional<JsonNode> found = new Users(rows).byEmail(address);
            return switch (type) {
                case "magiclink" ->
                    found.isPresent()
                            ? linked(request, rows, found.get(), EmailUse.MAGIC_LINK, type)
                            : linked(request, rows, signedUp(rows, user), EmailUse.SIGN_UP, "signup");
                case "recovery" ->
                    linked(
                            request,
                            rows,
                            found.orElseThrow(AuthErrorCode.USER_NOT_FOUND::error),
                            EmailUse.RECOVERY,
                            type);
                case "invite" -> linked(request, rows, invited(rows, address, user), EmailUse.INVITE, type);
                case "signup" -> linked(request, rows, signingUp(request, rows, found, user), EmailUse.SIGN_UP, type);
                case "email_change_current", "email_change_new" ->
                    changing(
                            request,
                            rows,
                            found.orElseThrow(AuthErrorCode.USER_NOT_FOUND::error),
                            type,
                            to.orElseThrow());
                default ->
                    throw AuthError.invalid("Invalid email action link type requested: use signup, invite, magiclink,"
                            + " recovery, email_change_current or email_change_new");
            };
        });
    }

    private static JsonNode signedUp(AuthSession rows, NewUser user) {
        JsonNode row = user.insert(rows, "authenticated");
        new AuditLog(rows).record(AuditLog.Action.USER_SIGNED_UP, row);
        return row;
    }

    /** A new user; or one who has not come yet, with this password and these data. */
    private static JsonNode signingUp(AuthRequest request, AuthSession rows, Optional<JsonNode> found, NewUser user) {
        if (found.isEmpty()) {
            return signedUp(rows, user);
        }
        if (EmailConfirmation.isConfirmed(found.get())) {
            throw AuthErrorCode.EMAIL_EXISTS.error();
        }
        ObjectNode columns =
                JSON.objectNode().put("encrypted_password", user.hash().orElseThrow());
        request.object("data")
                .ifPresent(data -> columns.set(
                        "raw_user_meta_data", Metadata.merged(found.get().path("raw_user_meta_data"), data)));
        new Users(rows).update(id(found.get()), columns);
        return again(rows, found.get());
    }

    private Outcome<AuthAnswer> linked(
            AuthRequest request, AuthSession rows, JsonNode user, EmailUse use, String type) {
        return answer(rows, user, mails.link(request, rows, user, use), type);
    }

    private Outcome<AuthAnswer> changing(AuthRequest request, AuthSession rows, JsonNode user, String type, String to) {
        EmailConfirmation.requireFree(rows, id(user), to);
        Type end = type.equals("email_change_new") ? Type.EMAIL_CHANGE_NEW : Type.EMAIL_CHANGE_CURRENT;
        return answer(rows, user, mails.changeLink(request, rows, user, end, to), type);
    }

    private static Outcome<AuthAnswer> answer(AuthSession rows, JsonNode user, Mailing link, String type) {
        ObjectNode body = UserJson.of(again(rows, user));
        body.put("action_link", link.link());
        body.put("email_otp", link.code());
        body.put("hashed_token", link.tokenHash());
        body.put("verification_type", type);
        body.put("redirect_to", link.redirect());
        return new Outcome<>(AuthAnswer.ok(body).with("Cache-Control", "no-store"), true);
    }

    private String passwordHash(AuthRequest request) {
        String password =
                request.text("password").orElseThrow(() -> AuthError.invalid("Signup requires a valid password"));
        rules.require(request.tenant().auth().password(), password);
        return hashes.hash(password);
    }

    private static String address(AuthRequest request, String member) {
        return EmailAddress.of(
                request.text(member).orElseThrow(() -> AuthError.invalid("An email address is required: " + member)));
    }

    private NewUser user(AuthRequest request, String address, Optional<String> hash) {
        return new NewUser(
                UUID.randomUUID(),
                Optional.of(address),
                Optional.empty(),
                hash,
                request.object("data").orElseGet(JSON::objectNode),
                JSON.objectNode(),
                Confirmed.NOTHING,
                false,
                clock.instant());
    }

    private static JsonNode again(AuthSession rows, JsonNode user) {
        return new Users(rows).byId(id(user)).orElseThrow();
    }

    private static UUID id(JsonNode user) {
        return UUID.fromString(user.path("id").asText());
    }
}
