package svc.auth.otp;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.CallContext;
import svc.auth.mail.MailKind;
import svc.auth.mail.MailLimits;
import svc.auth.mail.Mailer;
import svc.auth.mail.Mailing;
import svc.auth.model.User;
import svc.auth.model.UserTime;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthSession;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.token.OneTimeSecrets.Issued;
import svc.auth.token.ProjectTokens;
import svc.platform.tenancy.Tenant;

/**
 * Issues one-time tokens and mails them, with a minimum interval per user and use. To be called last in a transaction, which
 * waits for the mail server; the user's row is updated after that, so that other calls on the user do not wait for its lock.
 */
public final class OneTimeMails {
    private static final String CHANGE = "email_change";

    private final Mailer mailer;
    private final ProjectTokens tokens;
    private final FlowStates flows;
    private final RedirectTargets redirects;
    private final Clock clock;

    public OneTimeMails(Mailer mailer, ProjectTokens tokens, FlowStates flows, RedirectTargets redirects, Clock clock) {
        this.mailer = mailer;
        this.tokens = tokens;
        this.flows = flows;
        this.redirects = redirects;
        this.clock = clock;
    }

    /**
     * To be held while a transaction sends mails.
     *
     * @throws AuthError of 503 when too many transactions of the project are sending
     */
    public Mailer.Permit permit(Tenant tenant) {
        return mailer.permit(tenant);
    }

    /**
     * Mails a token to a user's address.
     *
     * @throws AuthError within the minimum interval, and when the mail is not sent
     */
    public void send(CallContext context, AuthSession db, User user, EmailUse use, LinkTarget target) {
        Tenant tenant = context.tenant();
        boolean pkce = use != EmailUse.REAUTHENTICATION
                && flows.begin(db, target.challenge(), user.id(), use.method()).isPresent();
        String to = user.email().orElse("");
        Issued issued = issue(tenant, db, user, use.type(), to, pkce);
        // Read again: the insert of the token waits for a concurrent mail to the user.
        User now = new Users(db).byId(user.id()).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
        if (use != EmailUse.INVITE) {
            requireInterval(tenant, now, use.sentAt());
        }
        Mailing mailing = mailing(tenant, use.kind(), to, now, issued, "", target.redirect());
        mailer.send(tenant, context.acceptLanguage(), List.of(mailing));
        new Users(db).update(user.id(), sent(use));
    }

    private UserUpdate sent(EmailUse use) {
        Instant now = clock.instant();
        UserUpdate update = new UserUpdate().time(use.sentAt(), now);
        return use == EmailUse.INVITE ? update.time(UserTime.INVITED, now) : update;
    }

    /**
     * Mails the tokens of a change of address: to the new address, and to the present one if there is one and the project
     * requires both.
     *
     * @return the columns of the user to update
     */
    public UserUpdate sendChange(CallContext context, AuthSession db, User user, String to, LinkTarget target) {
        Tenant tenant = context.tenant();
        boolean pkce = flows.begin(db, target.challenge(), user.id(), CHANGE).isPresent();
        Issued issued = issue(tenant, db, user, Type.EMAIL_CHANGE_NEW, to, pkce);
        List<Mailing> mailings = new ArrayList<>();
        if (tenant.auth().email().doubleConfirmChanges() && user.email().isPresent()) {
            String present = user.email().get();
            Issued current = issue(tenant, db, user, Type.EMAIL_CHANGE_CURRENT, present, pkce);
            mailings.add(mailing(tenant, MailKind.EMAIL_CHANGE, present, user, current, to, target.redirect()));
        }
        mailings.add(mailing(tenant, MailKind.EMAIL_CHANGE, to, user, issued, to, target.redirect()));
        User now = new Users(db).byId(user.id()).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
        requireInterval(tenant, now, UserTime.EMAIL_CHANGE_SENT);
        mailer.send(tenant, context.acceptLanguage(), mailings);
        return change(to);
    }

    private UserUpdate change(String to) {
        return new UserUpdate().emailChange(to).time(UserTime.EMAIL_CHANGE_SENT, clock.instant());
    }

    /**
     * Does for an address without a user what {@link #send} does for a user, as far as the caller can tell: the same limits,
     * the same wait for the mail server, the same failures. No mail is sent.
     */
    public void pretend(Tenant tenant, EmailUse use, String address) {
        pretend(tenant, use.kind(), use.sentAt().column(), address);
    }

    /** The same for a change of address. */
    void pretendChange(Tenant tenant, String address) {
        pretend(tenant, MailKind.EMAIL_CHANGE, CHANGE, address);
    }

    private void pretend(Tenant tenant, MailKind kind, String use, String address) {
        MailLimits limits = mailer.limits();
        limits.countInterval(tenant, use, address);
        try {
            mailer.probe(tenant, kind);
        } catch (AuthError e) {
            limits.uncountInterval(tenant, use, address);
            throw e;
        }
    }

    /** Issues a token without a mail: the caller delivers it. */
    public Mailing link(Tenant tenant, AuthSession db, User user, EmailUse use, String redirect) {
        String to = user.email().orElse("");
        Issued issued = issue(tenant, db, user, use.type(), to, false);
        new Users(db).update(user.id(), sent(use));
        return mailing(tenant, use.kind(), to, user, issued, "", redirect);
    }

    /**
     * The same for one of the two tokens of a change of address.
     *
     * @param end {@link Type#EMAIL_CHANGE_NEW} or {@link Type#EMAIL_CHANGE_CURRENT}
     */
    public Mailing changeLink(Tenant tenant, AuthSession db, User user, Type end, String to, String redirect) {
        String address = end == Type.EMAIL_CHANGE_NEW ? to : user.email().orElse("");
        Issued issued = issue(tenant, db, user, end, address, false);
        new Users(db).update(user.id(), change(to));
        return mailing(tenant, MailKind.EMAIL_CHANGE, address, user, issued, to, redirect);
    }

    private Issued issue(Tenant tenant, AuthSession db, User user, Type type, String address, boolean pkce) {
        Issued issued = tokens.oneTime(tenant).issue(tenant.auth().email().otpLength(), pkce);
        new OneTimeTokens(db).put(user.id(), type, issued.kept(), address, clock.instant());
        return issued;
    }

    private Mailing mailing(
            Tenant tenant, MailKind kind, String to, User user, Issued issued, String newEmail, String redirect) {
        String link = tenant.authUrl() + "/verify?token=" + issued.tokenHash() + "&type=" + kind.action()
                + "&redirect_to=" + URLEncoder.encode(redirect, StandardCharsets.UTF_8);
        return new Mailing(
                kind,
                to,
                user,
                issued.code(),
                issued.tokenHash(),
                kind == MailKind.REAUTHENTICATION ? "" : link,
                redirects.resolve(tenant, Optional.empty()),
                redirect,
                newEmail);
    }

    private void requireInterval(Tenant tenant, User user, UserTime last) {
        user.time(last).ifPresent(sent -> {
            Instant now = clock.instant();
            // The owner of the project may have written any time, also one that nothing can be added to.
            Instant before = sent.instant().isAfter(now) ? now : sent.instant();
            Duration left =
                    Duration.between(now.minusSeconds(tenant.auth().email().minIntervalSeconds()), before);
            if (left.isPositive()) {
                throw MailLimits.tooSoon(left.plusMillis(999).toSeconds());
            }
        });
    }
}
