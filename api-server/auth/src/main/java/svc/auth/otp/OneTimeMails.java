package svc.auth.otp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.flow.Challenge;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.mail.MailKind;
import svc.auth.mail.MailLimits;
import svc.auth.mail.Mailer;
import svc.auth.mail.Mailing;
import svc.auth.model.UserJson;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthSession;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.Users;
import svc.auth.token.OneTimeSecrets;
import svc.auth.token.ProjectTokens;
import svc.platform.tenancy.Tenant;

/**
 * Makes one-time tokens of users and mails them, spaced for each user and use. To be called last in a transaction, which
 * waits for the mail server; the user's row is changed after that, so that nothing else of the user waits meanwhile.
 */
public final class OneTimeMails {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
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
     * @throws AuthError for a challenge that cannot be, whoever it is for, and when too many mails are on their way
     */
    public Mailer.Turn turn(AuthRequest request) {
        Challenge.of(request);
        return turn(request.tenant());
    }

    /** The same for what has no challenge. */
    public Mailer.Turn turn(Tenant tenant) {
        return mailer.turn(tenant);
    }

    /**
     * Mails a token to a user's address.
     *
     * @param user its row
     * @throws AuthError when the last one was sent a moment ago, and when the mail does not go out
     */
    public void send(AuthRequest request, AuthSession rows, JsonNode user, EmailUse use) {
        boolean pkce = use != EmailUse.REAUTHENTICATION
                && flows.begin(rows, request, id(user), use.method()).isPresent();
        send(request, rows, user, use, pkce, redirects.of(request));
    }

    /**
     * Mails a confirmation of an address that a user came with from elsewhere. Its link ends with a session in the fragment,
     * as with GoTrue: it may be opened in another browser than the one that went there.
     *
     * @param redirect where the link leads in the end, a place that users may be sent to
     * @throws AuthError as the other
     */
    public void confirm(AuthRequest request, AuthSession rows, JsonNode user, String redirect) {
        send(request, rows, user, EmailUse.SIGN_UP, false, redirect);
    }

    private void send(
            AuthRequest request, AuthSession rows, JsonNode user, EmailUse use, boolean pkce, String redirect) {
        UUID id = id(user);
        OneTimeSecrets.Issued issued =
                issue(request.tenant(), rows, user, use.type(), UserJson.text(user, "email"), pkce);
        JsonNode now = new Users(rows).byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
        if (use != EmailUse.INVITE) {
            requireSpaced(request.tenant(), now, use.sentAt());
        }
        Mailing mailing = mailing(request, use.kind(), UserJson.text(user, "email"), now, issued, "", redirect);
        mailer.send(request, List.of(mailing));
        new Users(rows).update(id, sent(use));
    }

    private ObjectNode sent(EmailUse use) {
        String now = clock.instant().toString();
        ObjectNode columns = JSON.objectNode();
        if (use == EmailUse.INVITE) {
            columns.put("invited_at", now);
        }
        return columns.put(use.sentAt(), now);
    }

    /**
     * Mails tokens for a change of address: to the new one, and to the present one if there is one and the project wants
     * both.
     *
     * @return the columns of the user that change thereby
     */
    public ObjectNode sendChange(AuthRequest request, AuthSession rows, JsonNode user, String to) {
        UUID id = id(user);
        boolean pkce = flows.begin(rows, request, id, CHANGE).isPresent();
        String present = UserJson.text(user, "email");
        var issued = issue(request.tenant(), rows, user, Type.EMAIL_CHANGE_NEW, to, pkce);
        List<Mailing> mailings = new ArrayList<>();
        if (request.tenant().auth().email().doubleConfirmChanges() && !present.isEmpty()) {
            var current = issue(request.tenant(), rows, user, Type.EMAIL_CHANGE_CURRENT, present, pkce);
            mailings.add(mailing(request, MailKind.EMAIL_CHANGE, present, user, current, to));
        }
        mailings.add(mailing(request, MailKind.EMAIL_CHANGE, to, user, issued, to));
        requireSpaced(
                request.tenant(),
                new Users(rows).byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error),
                "email_change_sent_at");
        mailer.send(request, mailings);
        return change(to);
    }

    private ObjectNode change(String to) {
        return JSON.objectNode()
                .put(CHANGE, to)
                .put("email_change_confirm_status", 0)
                .put("email_change_sent_at", clock.instant().toString());
    }

    /**
     * Does for an address without a user what {@link #send} does for a user, as far as the caller can tell: the same limits,
     * the same wait for the mail server, the same failures. Nothing is sent.
     */
    public void pretend(AuthRequest request, EmailUse use, String address) {
        pretend(request, use.kind(), use.sentAt(), address);
    }

    /** The same for a change of address. */
    public void pretendChange(AuthRequest request, String address) {
        pretend(request, MailKind.EMAIL_CHANGE, CHANGE, address);
    }

    private void pretend(AuthRequest request, MailKind kind, String spacing, String address) {
        MailLimits limits = mailer.limits();
        limits.space(request.tenant(), spacing, address);
        try {
            mailer.rehearse(request.tenant(), kind);
        } catch (AuthError e) {
            limits.unspace(request.tenant(), spacing, address);
            throw e;
        }
    }

    /** A token for a user that is not mailed: the caller sends it. */
    public Mailing link(AuthRequest request, AuthSession rows, JsonNode user, EmailUse use) {
        var issued = issue(request.tenant(), rows, user, use.type(), UserJson.text(user, "email"), false);
        new Users(rows).update(id(user), sent(use));
        return mailing(request, use.kind(), UserJson.text(user, "email"), user, issued, "");
    }

    /** The same for one end of a change of address. */
    public Mailing changeLink(AuthRequest request, AuthSession rows, JsonNode user, Type end, String to) {
        String address = end == Type.EMAIL_CHANGE_NEW ? to : UserJson.text(user, "email");
        var issued = issue(request.tenant(), rows, user, end, address, false);
        new Users(rows).update(id(user), change(to));
        return mailing(request, MailKind.EMAIL_CHANGE, address, user, issued, to);
    }

    private OneTimeSecrets.Issued issue(
            Tenant tenant, AuthSession rows, JsonNode user, Type type, String address, boolean pkce) {
        var issued = tokens.oneTime(tenant).issue(tenant.auth().email().otpLength(), pkce);
        new OneTimeTokens(rows).put(id(user), type, issued.kept(), address, clock.instant());
        return issued;
    }

    private Mailing mailing(
            AuthRequest request,
            MailKind kind,
            String to,
            JsonNode user,
            OneTimeSecrets.Issued issued,
            String newEmail) {
        return mailing(request, kind, to, user, issued, newEmail, redirects.of(request));
    }

    private Mailing mailing(
            AuthRequest request,
            MailKind kind,
            String to,
            JsonNode user,
            OneTimeSecrets.Issued issued,
            String newEmail,
            String redirect) {
        String link = request.tenant().authUrl() + "/verify?token=" + issued.tokenHash() + "&type=" + kind.action()
                + "&redirect_to=" + URLEncoder.encode(redirect, StandardCharsets.UTF_8);
        return new Mailing(
                kind,
                to,
                UserJson.of(user),
                issued.code(),
                issued.tokenHash(),
                kind == MailKind.REAUTHENTICATION ? "" : link,
                redirects.resolve(request.tenant(), Optional.empty()),
                redirect,
                newEmail);
    }

    private void requireSpaced(Tenant tenant, JsonNode user, String sentAt) {
        String last = UserJson.text(user, sentAt);
        if (last.isEmpty()) {
            return;
        }
        Instant next = OffsetDateTime.parse(last)
                .toInstant()
                .plusSeconds(tenant.auth().email().minIntervalSeconds());
        Duration left = Duration.between(clock.instant(), next);
        if (left.isPositive()) {
            throw MailLimits.tooSoon(left.plusMillis(999).toSeconds());
        }
    }

    private static UUID id(JsonNode user) {
        return UUID.fromString(user.path("id").asText());
    }
}
