package svc.auth.otp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.limit.AuthLimits;
import svc.auth.model.Metadata;
import svc.auth.model.UserJson;
import svc.auth.phone.PhoneMessages;
import svc.auth.phone.PhoneNumber;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Identities;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Sent;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.auth.session.NewUser;
import svc.auth.session.NewUser.Confirmed;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.auth.token.OneTimeSecrets.Issued;
import svc.auth.token.ProjectTokens;
import svc.postgres.flush.TransactionSteps.Outcome;

/** Users who are known by a number: sign-up, sign-in by a code, its proof, and the change to another number. */
public final class PhoneSignIn {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final AuthTransactions transactions;
    private final SessionGrant grant;
    private final ProjectTokens tokens;
    private final OneTimeChecks checks;
    private final PhoneMessages messages;
    private final AuthHooks hooks;
    private final AuthLimits limits;
    private final Clock clock;

    public PhoneSignIn(
            AuthTransactions transactions,
            SessionGrant grant,
            ProjectTokens tokens,
            OneTimeChecks checks,
            PhoneMessages messages,
            AuthHooks hooks,
            AuthLimits limits,
            Clock clock) {
        this.transactions = transactions;
        this.grant = grant;
        this.tokens = tokens;
        this.checks = checks;
        this.messages = messages;
        this.hooks = hooks;
        this.limits = limits;
        this.clock = clock;
    }

    /** What a number is to be proved for. */
    private enum Use {
        SIGN_IN(Type.CONFIRMATION, "confirmation_sent_at"),
        CHANGE(Type.PHONE_CHANGE, "phone_change_sent_at");

        private final Type type;
        private final String sentAt;

        Use(Type type, String sentAt) {
            this.type = type;
            this.sentAt = sentAt;
        }
    }

    /** A message that is written down and not yet sent. */
    private record Message(Use use, JsonNode user, String phone, String code) {}

    /** The number that a call names, where the project knows users by numbers. */
    public static String number(AuthRequest request, AuthErrorCode disabled) {
        if (!request.tenant().auth().phone().enabled()) {
            throw disabled.error();
        }
        return PhoneNumber.of(request.text("phone").orElse(""));
    }

    /** @param hash of the password, for a number */
    public AuthAnswer signUp(AuthRequest request, String phone, String hash) {
        boolean confirmed = request.tenant().auth().phone().autoconfirm();
        NewUser user = user(request, phone, Optional.of(hash), confirmed);
        Optional<JsonNode> known = find(request, phone);
        if (known.isEmpty()) {
            hooks.beforeUserCreated(request, user.view());
        }
        if (confirmed) {
            Granted granted = transactions.run(request.tenant(), rows -> {
                if (new Users(rows).byPhone(phone).isPresent()) {
                    throw AuthErrorCode.USER_ALREADY_EXISTS.error();
                }
                made(rows, user);
                return new Outcome<>(grant.begin(request, rows, user.id(), "password"), true);
            });
            return grant.answer(request.tenant(), granted);
        }
        PhoneMessages.requireSender(request.tenant());
        if (known.filter(PhoneSignIn::isConfirmed).isPresent()) {
            // Nobody learns by signing up whose number is known.
            return AuthAnswer.ok(user.view());
        }
        Message message = transactions.runAgainIfTaken(request.tenant(), rows -> {
            JsonNode row = new Users(rows).byPhone(phone).orElseGet(() -> made(rows, user));
            return new Outcome<>(written(request, rows, row, phone, Use.SIGN_IN), true);
        });
        send(request, message);
        return AuthAnswer.ok(UserJson.of(message.user()));
    }

    /** {@code POST /otp}: a code, for who has an account and, unless the call or the project says otherwise, who has none. */
    public AuthAnswer signIn(AuthRequest request) {
        String phone = number(request, AuthErrorCode.PHONE_OTP_DISABLED);
        limits.signUpOrIn(request);
        PhoneMessages.requireSender(request.tenant());
        NewUser user = user(request, phone, Optional.empty(), false);
        if (find(request, phone).isEmpty()) {
            if (!request.flag("create_user").orElse(true)
                    || !request.tenant().auth().signUp()) {
                throw AuthErrorCode.OTP_SIGNUP_DISABLED.error();
            }
            hooks.beforeUserCreated(request, user.view());
        }
        Message message = transactions.runAgainIfTaken(request.tenant(), rows -> {
            JsonNode row = new Users(rows).byPhone(phone).orElseGet(() -> made(rows, user));
            return new Outcome<>(written(request, rows, row, phone, Use.SIGN_IN), true);
        });
        send(request, message);
        return AuthAnswer.ok(JSON.objectNode());
    }

    /** {@code POST /resend}: nothing tells whether a message was due. */
    public AuthAnswer resend(AuthRequest request) {
        String type = request.text("type").orElse("");
        if (!type.equals("sms") && !type.equals("phone_change")) {
            throw AuthError.invalid("Type provided requires an email address");
        }
        String phone = number(request, AuthErrorCode.PHONE_OTP_DISABLED);
        limits.signUpOrIn(request);
        Optional<Message> message = transactions.run(request.tenant(), rows -> {
            Optional<Message> due = type.equals("sms")
                    ? new Users(rows)
                            .byPhone(phone)
                            .filter(found -> !isConfirmed(found))
                            .map(found -> written(request, rows, found, phone, Use.SIGN_IN))
                    : moving(rows, phone).map(found -> written(request, rows, found, phone, Use.CHANGE));
            return new Outcome<>(due, true);
        });
        message.ifPresent(due -> send(request, due));
        return AuthAnswer.ok(JSON.objectNode());
    }

    /** The user who wants to have a number, as far as a message went there. */
    private static Optional<JsonNode> moving(AuthSession rows, String phone) {
        return new OneTimeTokens(rows)
                .byAddress(phone, List.of(Type.PHONE_CHANGE)).stream()
                        .findFirst()
                        .flatMap(sent -> new Users(rows).byId(sent.user()))
                        .filter(user -> UserJson.text(user, "phone_change").equals(phone));
    }

    /** {@code POST /verify} of a code that was sent to a number. */
    public AuthAnswer verify(AuthRequest request) {
        Use use = switch (request.text("type").orElse("")) {
            case "sms" -> Use.SIGN_IN;
            case "phone_change" -> Use.CHANGE;
            default -> throw AuthError.invalid("Only sms and phone_change are verified by a phone number");
        };
        String phone = number(request, AuthErrorCode.PHONE_OTP_DISABLED);
        String code =
                request.text("token").orElseThrow(() -> AuthError.invalid("Verify requires a token or a token hash"));
        limits.verification(request);
        checks.count(request, phone);
        Granted granted = transactions.run(request.tenant(), rows -> {
            Sent sent = proved(request, rows, use, phone, code).orElseThrow(() -> AuthErrorCode.OTP_EXPIRED.error());
            JsonNode user = new Users(rows).byId(sent.user()).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
            if (Bearer.isBanned(user, clock)) {
                throw AuthErrorCode.USER_BANNED.error();
            }
            confirm(rows, user, phone);
            new AuditLog(rows).record(AuditLog.Action.LOGIN, user);
            return new Outcome<>(grant.begin(request, rows, sent.user(), "otp"), true);
        });
        return grant.answer(request.tenant(), granted);
    }

    private Optional<Sent> proved(AuthRequest request, AuthSession rows, Use use, String phone, String code) {
        var sent = new OneTimeTokens(rows);
        var spec = request.tenant().auth().phone();
        return sent.byAddress(phone, List.of(use.type)).stream()
                .filter(one -> one.at().plusSeconds(spec.otpExpirySeconds()).isAfter(clock.instant()))
                .filter(one -> tokens.oneTime(request.tenant()).isCode(one.hash(), spec.otpLength(), code))
                .filter(one -> sent.use(one.id()))
                .findFirst();
    }

    /**
     * Moves a signed-in user to another number, at once or when the code that goes there was shown. To be called last in a
     * transaction, which waits for the sender: when no message goes out, nothing else that the call asks for is done.
     */
    public void change(AuthRequest request, AuthSession rows, UUID user, String phone) {
        var users = new Users(rows);
        users.lock(user);
        JsonNode row = users.byId(user).orElseThrow(AuthErrorCode.USER_OF_TOKEN_NOT_FOUND::error);
        if (users.byPhone(phone).isPresent()) {
            throw AuthErrorCode.PHONE_EXISTS.error();
        }
        if (request.tenant().auth().phone().autoconfirm()) {
            confirm(rows, row, phone);
            return;
        }
        PhoneMessages.requireSender(request.tenant());
        users.update(user, JSON.objectNode().put("phone_change", phone));
        Message message = written(request, rows, row, phone, Use.CHANGE);
        messages.send(request.tenant(), UserJson.of(message.user()), phone, message.code());
    }

    /** The number counts as the user's; somebody unknown becomes somebody. */
    private void confirm(AuthSession rows, JsonNode user, String phone) {
        UUID id = UUID.fromString(user.path("id").asText());
        ObjectNode columns = JSON.objectNode();
        columns.put("phone", phone).put("phone_confirmed_at", clock.instant().toString());
        columns.put("phone_change", "").put("is_anonymous", false);
        ObjectNode identity = JSON.objectNode();
        identity.put("sub", id.toString()).put("phone", phone).put("phone_verified", true);
        if (UserJson.hasIdentity(user, "phone")) {
            new Identities(rows).update(id, "phone", identity);
        } else {
            new Identities(rows).insert(id, "phone", id.toString(), identity);
            ObjectNode known = Metadata.merged(user.path("raw_app_meta_data"), JSON.objectNode());
            if (known.withArray("providers").add("phone").size() == 1) {
                known.put("provider", "phone");
            }
            columns.set("raw_app_meta_data", known);
        }
        new Users(rows).update(id, columns);
    }

    private Message written(AuthRequest request, AuthSession rows, JsonNode row, String phone, Use use) {
        messages.requireSpacing(request.tenant(), time(row, use.sentAt));
        UUID id = UUID.fromString(row.path("id").asText());
        Issued issued = tokens.oneTime(request.tenant())
                .issue(request.tenant().auth().phone().otpLength(), false);
        Instant now = clock.instant();
        new OneTimeTokens(rows).put(id, use.type, issued.kept(), phone, now);
        new Users(rows).update(id, JSON.objectNode().put(use.sentAt, now.toString()));
        return new Message(use, new Users(rows).byId(id).orElseThrow(), phone, issued.code());
    }

    private void send(AuthRequest request, Message message) {
        try {
            messages.send(request.tenant(), UserJson.of(message.user()), message.phone(), message.code());
        } catch (AuthError e) {
            // The user may ask for another at once.
            UUID id = UUID.fromString(message.user().path("id").asText());
            transactions.run(request.tenant(), rows -> {
                ObjectNode columns = JSON.objectNode();
                columns.putNull(message.use().sentAt);
                new Users(rows).update(id, columns);
                return new Outcome<>(true, true);
            });
            throw e;
        }
    }

    private Optional<JsonNode> find(AuthRequest request, String phone) {
        return transactions.run(request.tenant(), rows -> new Outcome<>(new Users(rows).byPhone(phone), true));
    }

    private static JsonNode made(AuthSession rows, NewUser user) {
        JsonNode row = user.insert(rows, "authenticated");
        new AuditLog(rows).record(AuditLog.Action.USER_SIGNED_UP, row);
        return row;
    }

    private NewUser user(AuthRequest request, String phone, Optional<String> hash, boolean confirmed) {
        return new NewUser(
                UUID.randomUUID(),
                Optional.empty(),
                Optional.of(phone),
                hash,
                request.object("data").orElseGet(JSON::objectNode),
                JSON.objectNode(),
                new Confirmed(false, confirmed),
                false,
                clock.instant());
    }

    private static boolean isConfirmed(JsonNode user) {
        return !UserJson.text(user, "phone_confirmed_at").isEmpty();
    }

    private static Optional<Instant> time(JsonNode row, String name) {
        return Optional.of(UserJson.text(row, name))
                .filter(text -> !text.isEmpty())
                .map(text -> OffsetDateTime.parse(text).toInstant());
    }
}
