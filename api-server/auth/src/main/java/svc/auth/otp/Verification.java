package svc.auth.otp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.model.EmailAddress;
import svc.auth.model.UserJson;
import svc.auth.redirect.RedirectTargets;
import svc.auth.redirect.RedirectUrl;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Sent;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.SqlErrorMapping;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.auth.session.SessionGrant;
import svc.auth.token.OneTimeSecrets;
import svc.postgres.SqlError;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code /verify}: who shows what was mailed to an address has it. A token is used once, and only by what succeeds. */
public final class Verification {
    private static final String HALF =
            "Confirmation link accepted. Please proceed to confirm link sent to the other email";

    /** What links call themselves, and which tokens they may carry. */
    private static final Map<String, List<Type>> TYPES = Map.of(
            "signup", List.of(Type.CONFIRMATION),
            "invite", List.of(Type.CONFIRMATION),
            "magiclink", List.of(Type.RECOVERY),
            "recovery", List.of(Type.RECOVERY),
            "email", List.of(Type.CONFIRMATION, Type.RECOVERY),
            "email_change", List.of(Type.EMAIL_CHANGE_NEW, Type.EMAIL_CHANGE_CURRENT));

    /** How the claim {@code amr} calls a flow that was begun with a challenge. */
    private static final Map<String, String> METHODS = Map.of("signup", "email/signup", "email", "magiclink");

    private final AuthTransactions transactions;
    private final SessionGrant grant;
    private final OneTimeChecks checks;
    private final FlowStates flows;
    private final RedirectTargets redirects;
    private final Clock clock;

    public Verification(
            AuthTransactions transactions,
            SessionGrant grant,
            OneTimeChecks checks,
            FlowStates flows,
            RedirectTargets redirects,
            Clock clock) {
        this.transactions = transactions;
        this.grant = grant;
        this.checks = checks;
        this.flows = flows;
        this.redirects = redirects;
        this.clock = clock;
    }

    /** What a token came to. */
    private sealed interface Verified {
        /** A session has begun. */
        record Begun(SessionGrant.Granted granted) implements Verified {}

        /** A flow that was begun with a challenge has its code. */
        record Coded(String code) implements Verified {}

        /** One of two addresses has confirmed a change. */
        record Half() implements Verified {}
    }

    /** Finds the token within the transaction that uses it. */
    @FunctionalInterface
    private interface Search {
        Optional<Sent> in(AuthSession rows, List<Type> types);
    }

    /** What a client calls: it shows a code, or a link's secret. */
    public AuthAnswer post(AuthRequest request) {
        checks.count(request);
        String type = request.text("type").orElseThrow(Verification::noType);
        Optional<String> tokenHash = request.text("token_hash");
        Optional<String> code = request.text("token");
        Verified verified;
        if (tokenHash.isPresent()) {
            if (code.isPresent() || request.text("email").isPresent()) {
                throw AuthError.invalid("Only the token_hash and type should be provided");
            }
            verified = verify(request, type, "", byLink(request, tokenHash.get()));
        } else {
            String given = code.orElseThrow(() -> AuthError.invalid("Verify requires a token or a token hash"));
            String email = request.text("email")
                    .orElseThrow(() ->
                            AuthError.invalid("Only an email address or phone number should be provided on verify"));
            verified = verify(request, type, "", byCode(request, EmailAddress.of(email), given));
        }
        return switch (verified) {
            case Verified.Begun begun -> grant.answer(request.tenant(), begun.granted());
            case Verified.Coded coded ->
                AuthAnswer.ok(JsonNodeFactory.instance.objectNode().put("code", coded.code()));
            case Verified.Half half ->
                AuthAnswer.ok(
                        JsonNodeFactory.instance.objectNode().put("msg", HALF).put("code", "200"));
        };
    }

    /** What a link in a mail leads to: the user is sent on, with tokens, a code, or the reason why there are none. */
    public AuthAnswer link(AuthRequest request) {
        if (isPrefetch(request)) {
            // A browser that only looks ahead comes again when it is meant.
            return new AuthAnswer(503, Map.of("Cache-Control", "no-store"), Optional.empty());
        }
        String target = redirects.of(request);
        try {
            return sentTo(landing(request, target));
        } catch (AuthError e) {
            return sentTo(RedirectUrl.withError(target, e));
        } catch (SqlError e) {
            return sentTo(RedirectUrl.withError(target, SqlErrorMapping.of(e, request.tenant())));
        }
    }

    /** Programs that look through mails ask so what a link leads to. It uses nothing up. */
    public AuthAnswer look(AuthRequest request) {
        return new AuthAnswer(200, Map.of("Cache-Control", "no-store"), Optional.empty());
    }

    private String landing(AuthRequest request, String target) {
        checks.count(request);
        String type = request.parameter("type").orElseThrow(Verification::noType);
        String token = request.parameter("token")
                .or(() -> request.parameter("token_hash"))
                .orElseThrow(() -> AuthError.invalid("Verify requires a token or a token hash"));
        Optional<String> email = request.parameter("email");
        Verified verified = email.isPresent()
                ? verify(request, type, "", byCode(request, EmailAddress.of(email.get()), token))
                : verify(request, type, token, byLink(request, token));
        return switch (verified) {
            case Verified.Begun begun ->
                RedirectUrl.withSession(
                        target,
                        grant.answer(request.tenant(), begun.granted()).body().orElseThrow(),
                        Map.of("type", type));
            case Verified.Coded coded -> RedirectUrl.withCode(target, coded.code());
            case Verified.Half half -> RedirectUrl.withMessage(target, HALF);
        };
    }

    private static AuthAnswer sentTo(String address) {
        return new AuthAnswer(
                303,
                Map.of("Location", address, "Cache-Control", "no-store", "Referrer-Policy", "no-referrer"),
                Optional.empty());
    }

    private static boolean isPrefetch(AuthRequest request) {
        for (String header : List.of("Sec-Purpose", "Purpose", "X-Moz", "X-Purpose")) {
            String value = request.header(header);
            if (value != null && (value.contains("prefetch") || value.contains("preview"))) {
                return true;
            }
        }
        return false;
    }

    private Search byLink(AuthRequest request, String tokenHash) {
        return (rows, types) -> checks.byLink(request.tenant(), rows, tokenHash, types);
    }

    private Search byCode(AuthRequest request, String address, String code) {
        checks.count(request, address);
        return (rows, types) -> checks.byCode(request.tenant(), rows, address, code, types);
    }

    /** @param link the secret of a link that may have been begun with a challenge; empty where a session is due */
    private Verified verify(AuthRequest request, String type, String link, Search search) {
        List<Type> types = TYPES.get(type);
        if (types == null) {
            throw noType();
        }
        return transactions.run(request.tenant(), rows -> {
            Sent sent = search.in(rows, types).orElseThrow(Verification::expired);
            JsonNode user = new Users(rows).byId(sent.user()).orElseThrow(Verification::expired);
            if (Bearer.isBanned(user, clock)) {
                throw AuthErrorCode.USER_BANNED.error();
            }
            if (!isOf(sent, user)) {
                throw expired();
            }
            if (!new OneTimeTokens(rows).use(sent.id())) {
                throw expired();
            }
            if (!isWhole(request, rows, user, sent)) {
                return new Outcome<>(new Verified.Half(), true);
            }
            if (OneTimeSecrets.isPkce(link)) {
                String code = flows.issue(rows, sent.user(), METHODS.getOrDefault(type, type))
                        .orElseThrow(Verification::expired);
                return new Outcome<>(new Verified.Coded(code), true);
            }
            return new Outcome<>(new Verified.Begun(grant.begin(request, rows, sent.user(), "otp")), true);
        });
    }

    /** What was sent to an address that is not the user's any more proves nothing. */
    private static boolean isOf(Sent sent, JsonNode user) {
        String column = sent.type() == Type.EMAIL_CHANGE_NEW ? "email_change" : "email";
        return sent.address().equals(UserJson.text(user, column));
    }

    /** Does what the token is for; false when another one has to follow. */
    private boolean isWhole(AuthRequest request, AuthSession rows, JsonNode user, Sent sent) {
        return switch (sent.type()) {
            case EMAIL_CHANGE_NEW, EMAIL_CHANGE_CURRENT -> changed(request, rows, user);
            default -> {
                if (!EmailConfirmation.isConfirmed(user)) {
                    EmailConfirmation.confirm(rows, user, clock.instant());
                    boolean invited = !UserJson.text(user, "invited_at").isEmpty();
                    new AuditLog(rows)
                            .record(invited ? AuditLog.Action.INVITE_ACCEPTED : AuditLog.Action.USER_SIGNED_UP, user);
                } else {
                    new AuditLog(rows).record(AuditLog.Action.LOGIN, user);
                }
                yield true;
            }
        };
    }

    private boolean changed(AuthRequest request, AuthSession rows, JsonNode user) {
        UUID id = UUID.fromString(user.path("id").asText());
        var users = new Users(rows);
        boolean first = user.path("email_change_confirm_status").asInt() == 0;
        boolean both = request.tenant().auth().email().doubleConfirmChanges()
                && !UserJson.text(user, "email").isEmpty();
        if (first && both) {
            users.update(id, JsonNodeFactory.instance.objectNode().put("email_change_confirm_status", 1));
            return false;
        }
        String to = UserJson.text(user, "email_change");
        if (to.isEmpty()) {
            throw expired();
        }
        ObjectNode columns = EmailConfirmation.move(rows, user, to, clock.instant());
        users.update(id, columns.put("updated_at", clock.instant().toString()));
        new AuditLog(rows).record(AuditLog.Action.USER_MODIFIED, user);
        return true;
    }

    private static AuthError noType() {
        return AuthError.invalid(
                "Verify requires a verification type: signup, invite, magiclink, recovery, email_change or email");
    }

    private static AuthError expired() {
        return AuthErrorCode.OTP_EXPIRED.error();
    }
}
