package svc.auth.otp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.model.Metadata;
import svc.auth.model.User;
import svc.auth.model.UserTime;
import svc.auth.phone.PhoneMessages;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Identities;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Sent;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.token.OneTimeSecrets.Issued;
import svc.auth.token.ProjectTokens;
import svc.platform.tenancy.Tenant;

/** One-time codes by SMS: issues, sends and verifies them, and confirms numbers. */
public final class PhoneCodes {
    private final AuthTransactions transactions;
    private final ProjectTokens tokens;
    private final PhoneMessages messages;
    private final Clock clock;

    public PhoneCodes(AuthTransactions transactions, ProjectTokens tokens, PhoneMessages messages, Clock clock) {
        this.transactions = transactions;
        this.tokens = tokens;
        this.messages = messages;
        this.clock = clock;
    }

    /** The uses of a code. */
    public enum Use {
        SIGN_IN(Type.CONFIRMATION, UserTime.CONFIRMATION_SENT),
        CHANGE(Type.PHONE_CHANGE, UserTime.PHONE_CHANGE_SENT);

        private final Type type;
        private final UserTime sentAt;

        Use(Type type, UserTime sentAt) {
            this.type = type;
            this.sentAt = sentAt;
        }
    }

    /** A message whose code is in the database, and that is to be sent after the commit. */
    public record Message(Use use, User user, String phone, String code) {
        /** Without number and code. */
        @Override
        public String toString() {
            return "Message[" + use + "]";
        }
    }

    /** @throws AuthError within the minimum interval */
    public Message issue(Tenant tenant, AuthSession db, User user, String phone, Use use) {
        messages.requireInterval(tenant, user.time(use.sentAt));
        Issued issued = tokens.oneTime(tenant).issue(tenant.auth().phone().otpLength(), false);
        Instant now = clock.instant();
        new OneTimeTokens(db).put(user.id(), use.type, issued.kept(), phone, now);
        var users = new Users(db);
        users.update(user.id(), new UserUpdate().time(use.sentAt, now));
        return new Message(use, users.byId(user.id()).orElseThrow(), phone, issued.code());
    }

    /** @throws AuthError when the message is not sent; the user may then request another one at once */
    public void send(Tenant tenant, Message message) {
        try {
            messages.send(tenant, message.user(), message.phone(), message.code());
        } catch (AuthError e) {
            transactions.run(tenant, db -> {
                new Users(db).update(message.user().id(), new UserUpdate().without(message.use().sentAt));
                return message;
            });
            throw e;
        }
    }

    /** Finds the token of a code and uses it; empty for a wrong or expired code. */
    Optional<Sent> use(Tenant tenant, AuthSession db, Use use, String phone, String code) {
        var sent = new OneTimeTokens(db);
        var spec = tenant.auth().phone();
        return sent.byAddress(phone, List.of(use.type)).stream()
                .filter(one -> one.at().plusSeconds(spec.otpExpirySeconds()).isAfter(clock.instant()))
                .filter(one -> tokens.oneTime(tenant).isCode(one.hash(), spec.otpLength(), code))
                .filter(one -> sent.use(one.id()))
                .findFirst();
    }

    /** The user who is changing to a number, if a code was sent there. */
    static Optional<User> changingTo(AuthSession db, String phone) {
        return new OneTimeTokens(db)
                .byAddress(phone, List.of(Type.PHONE_CHANGE)).stream()
                        .findFirst()
                        .flatMap(sent -> new Users(db).byId(sent.user()))
                        .filter(user ->
                                user.pending().phone().filter(phone::equals).isPresent());
    }

    /**
     * Changes a user's number, at once or when its code is verified. To be called last in a transaction, which waits for the
     * hook: the transaction is rolled back when the message is not sent.
     */
    public void change(Tenant tenant, AuthSession db, UUID id, String phone) {
        var users = new Users(db);
        users.lock(id);
        User user = users.byId(id).orElseThrow(AuthErrorCode.USER_OF_TOKEN_NOT_FOUND::error);
        if (users.byPhone(phone).isPresent()) {
            throw AuthErrorCode.PHONE_EXISTS.error();
        }
        if (tenant.auth().phone().autoconfirm()) {
            confirm(db, user, phone);
            return;
        }
        PhoneMessages.requireSender(tenant);
        users.update(id, new UserUpdate().phoneChange(phone));
        Message message = issue(tenant, db, user, phone, Use.CHANGE);
        messages.send(tenant, message.user(), phone, message.code());
    }

    /** Confirms a number of a user; an anonymous user becomes a permanent one. */
    void confirm(AuthSession db, User user, String phone) {
        UserUpdate update = new UserUpdate()
                .phone(phone)
                .time(UserTime.PHONE_CONFIRMED, clock.instant())
                .withoutPhoneChange()
                .anonymous(false);
        ObjectNode identity = JsonNodeFactory.instance.objectNode();
        identity.put("sub", user.id().toString()).put("phone", phone).put("phone_verified", true);
        if (user.hasIdentity("phone")) {
            new Identities(db).update(user.id(), "phone", identity);
        } else {
            new Identities(db).insert(user.id(), "phone", user.id().toString(), identity);
            update.appMetadata(Metadata.withProvider(user.appMetadata(), "phone"));
        }
        new Users(db).update(user.id(), update);
    }
}
