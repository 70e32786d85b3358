package svc.auth.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.mail.Mailer;
import svc.auth.mail.Mailing;
import svc.auth.model.Metadata;
import svc.auth.model.NewUser;
import svc.auth.model.User;
import svc.auth.model.UserJson;
import svc.auth.otp.EmailConfirmation;
import svc.auth.otp.EmailUse;
import svc.auth.otp.LinkTarget;
import svc.auth.otp.OneTimeMails;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.auth.unconfirmed.UnconfirmedAccounts;
import svc.platform.tenancy.Tenant;

/** {@code POST /invite}, which mails a link, and {@code POST /admin/generate_link}, whose link the caller delivers. */
public final class AdminLinks {
    private final AuthTransactions transactions;
    private final OneTimeMails mails;
    private final UnconfirmedAccounts unconfirmedAccounts;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final RedirectTargets redirects;
    private final Clock clock;

    public AdminLinks(
            AuthTransactions transactions,
            OneTimeMails mails,
            UnconfirmedAccounts unconfirmedAccounts,
            PasswordHashes hashes,
            PasswordRules rules,
            RedirectTargets redirects,
            Clock clock) {
        this.transactions = transactions;
        this.mails = mails;
        this.unconfirmedAccounts = unconfirmedAccounts;
        this.hashes = hashes;
        this.rules = rules;
        this.redirects = redirects;
        this.clock = clock;
    }

    private record InviteRequest(CallContext context, String email, ObjectNode data, LinkTarget target) {
        static InviteRequest parse(AuthRequest request, RedirectTargets redirects) {
            return new InviteRequest(
                    request.context(),
                    LinkRequest.email(request, "email"),
                    Metadata.of(request, "data").orElseGet(JsonNodeFactory.instance::objectNode),
                    LinkTarget.of(request, redirects));
        }
    }

    public AuthResponse invite(AuthRequest call) {
        Bearer.requireAdmin(call.context());
        InviteRequest request = InviteRequest.parse(call, redirects);
        NewUser user = newUser(request.email(), Optional.empty(), request.data());
        try (Mailer.Permit permit = mails.permit(call.tenant())) {
            return transactions.runAgainIfTaken(call.tenant(), db -> {
                User invited = invited(db, new Users(db).byEmail(request.email()), user);
                mails.send(request.context(), db, invited, EmailUse.INVITE, request.target());
                return AuthResponse.ok(UserJson.of(again(db, invited)));
            });
        }
    }

    private NewUser newUser(String email, Optional<String> hash, ObjectNode data) {
        return NewUser.withPlainData(email, hash, data, false, clock.instant());
    }

    /** A new user, or an unconfirmed one. */
    private User invited(AuthSession db, Optional<User> found, NewUser user) {
        requireUnconfirmed(found);
        User invited = found.map(waiting -> unconfirmedAccounts.beginByServer(db, waiting, user))
                .orElseGet(() -> new Users(db).create(user));
        new AuditLog(db).record(AuditLog.Action.USER_INVITED, invited);
        return invited;
    }

    private static void requireUnconfirmed(Optional<User> found) {
        if (found.filter(User::emailConfirmed).isPresent()) {
            throw AuthErrorCode.EMAIL_EXISTS.error();
        }
    }

    public AuthResponse generate(AuthRequest call) {
        LinkRequest request = LinkRequest.parse(call, redirects);
        Optional<String> hash = request.password().map(password -> {
            rules.require(call.tenant(), password);
            return hashes.hash(call.tenant().projectId(), password);
        });
        NewUser user = newUser(request.email(), hash, request.metadata());
        return transactions.runAgainIfTaken(call.tenant(), db -> write(call.tenant(), db, request, user));
    }

    private AuthResponse write(Tenant tenant, AuthSession db, LinkRequest request, NewUser user) {
        Optional<User> found = new Users(db).byEmail(request.email());
        return switch (request.type()) {
            case MAGIC_LINK ->
                found.isPresent()
                        ? linked(tenant, db, request, found.get(), EmailUse.MAGIC_LINK, request.type())
                        : linked(tenant, db, request, signedUp(db, user), EmailUse.SIGN_UP, LinkRequest.Type.SIGN_UP);
            case RECOVERY -> linked(tenant, db, request, require(found), EmailUse.RECOVERY, request.type());
            case INVITE -> linked(tenant, db, request, invited(db, found, user), EmailUse.INVITE, request.type());
            case SIGN_UP ->
                linked(tenant, db, request, signingUp(db, request, found, user), EmailUse.SIGN_UP, request.type());
            case EMAIL_CHANGE_CURRENT ->
                changing(tenant, db, request, require(found), OneTimeTokens.Type.EMAIL_CHANGE_CURRENT);
            case EMAIL_CHANGE_NEW -> changing(tenant, db, request, require(found), OneTimeTokens.Type.EMAIL_CHANGE_NEW);
        };
    }

    private static User require(Optional<User> found) {
        return found.orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
    }

    private static User signedUp(AuthSession db, NewUser user) {
        User created = new Users(db).create(user);
        new AuditLog(db).record(AuditLog.Action.USER_SIGNED_UP, created);
        return created;
    }

    /** A new user; or an unconfirmed one, who gets this password and these data. */
    private User signingUp(AuthSession db, LinkRequest request, Optional<User> there, NewUser user) {
        requireUnconfirmed(there);
        if (there.isEmpty()) {
            return signedUp(db, user);
        }
        Optional<User> found = Optional.of(unconfirmedAccounts.beginByServer(db, there.get(), user));
        UserUpdate update = new UserUpdate().passwordHash(user.passwordHash().orElseThrow());
        request.data()
                .ifPresent(data -> update.userMetadata(
                        Metadata.changed("user_metadata", found.get().userMetadata(), data)));
        new Users(db).update(found.get().id(), update);
        return again(db, found.get());
    }

    /** @param type for the answer: the magic link of a new user is one of a sign-up */
    private AuthResponse linked(
            Tenant tenant, AuthSession db, LinkRequest request, User user, EmailUse use, LinkRequest.Type type) {
        return answer(db, user, mails.link(tenant, db, user, use, request.redirect()), type);
    }

    private AuthResponse changing(
            Tenant tenant, AuthSession db, LinkRequest request, User user, OneTimeTokens.Type end) {
        String to = request.newEmail().orElseThrow();
        EmailConfirmation.requireFree(db, user.id(), to);
        Mailing link = mails.changeLink(tenant, db, user, end, to, request.redirect());
        return answer(db, user, link, request.type());
    }

    private static AuthResponse answer(AuthSession db, User user, Mailing link, LinkRequest.Type type) {
        ObjectNode body = UserJson.of(again(db, user));
        body.put("action_link", link.link());
        body.put("email_otp", link.code());
        body.put("hashed_token", link.tokenHash());
        body.put("verification_type", type.word());
        body.put("redirect_to", link.redirect());
        return AuthResponse.ok(body).with("Cache-Control", "no-store");
    }

    private static User again(AuthSession db, User user) {
        return new Users(db).byId(user.id()).orElseThrow();
    }
}
