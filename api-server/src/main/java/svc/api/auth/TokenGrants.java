package svc.api.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.api.auth.SessionGrant.Granted;
import svc.api.auth.captcha.Captcha;
import svc.api.auth.hook.AuthHooks;
import svc.api.auth.hook.AuthHooks.Verdict;
import svc.api.auth.http.AuthAnswer;
import svc.api.auth.http.AuthError;
import svc.api.auth.http.AuthRequest;
import svc.api.auth.http.AuthRoutes.Endpoint;
import svc.api.auth.limit.AuthLimits;
import svc.api.auth.password.PasswordHashes;
import svc.api.auth.password.PasswordRules;
import svc.api.auth.rows.AuditLog;
import svc.api.auth.rows.AuthRows;
import svc.api.auth.rows.Refresh;
import svc.api.auth.rows.Sessions;
import svc.api.auth.rows.Users;
import svc.api.auth.token.ProjectTokens;
import svc.api.auth.token.RefreshTokens;
import svc.api.db.TransactionSteps.Outcome;
import svc.crds.project.auth.SessionSpec;

/** {@code POST /token}: a session for a password, for what other grants take, or the next tokens of a session. */
final class TokenGrants {
    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final SessionGrant grant;
    private final ProjectTokens tokens;
    private final AuthLimits limits;
    private final Captcha captcha;
    private final AuthHooks hooks;
    private final Clock clock;
    private final Map<String, Endpoint> more;

    /** @param more further grants, by their types */
    TokenGrants(
            AuthTransactions transactions,
            PasswordHashes hashes,
            PasswordRules rules,
            SessionGrant grant,
            ProjectTokens tokens,
            AuthLimits limits,
            Captcha captcha,
            AuthHooks hooks,
            Clock clock,
            Map<String, Endpoint> more) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.grant = grant;
        this.tokens = tokens;
        this.limits = limits;
        this.captcha = captcha;
        this.hooks = hooks;
        this.clock = clock;
        this.more = Map.copyOf(more);
    }

    AuthAnswer answer(AuthRequest request) {
        String type = request.parameter("grant_type").orElse("");
        return switch (type) {
            case "password" -> byPassword(request);
            case "refresh_token" -> byRefreshToken(request);
            default -> {
                if (!more.containsKey(type)) {
                    throw new AuthError(400, "invalid_credentials", "unsupported_grant_type");
                }
                yield more.get(type).answer(request);
            }
        };
    }

    private AuthAnswer byPassword(AuthRequest request) {
        boolean byEmail = request.text("email").isPresent();
        String account = account(request);
        String password = request.text("password").orElseThrow(AuthError::credentials);
        limits.password(request, account);
        captcha.require(request);
        // Not in a transaction: hashing takes a hundred times as long as all statements together.
        Optional<JsonNode> found = transactions.run(
                request.tenant(),
                rows -> new Outcome<>(
                        byEmail ? new Users(rows).byEmail(account) : new Users(rows).byPhone(account), true));
        Optional<String> hash =
                found.map(row -> UserView.text(row, "encrypted_password")).filter(text -> !text.isEmpty());
        boolean valid = hashes.matches(password, hash);
        found.ifPresent(user -> judged(request, user, valid));
        if (!valid) {
            throw AuthError.credentials();
        }
        limits.signedIn(request, account);
        JsonNode user = found.orElseThrow();
        if (Bearer.isBanned(user, clock)) {
            throw AuthError.banned();
        }
        if (byEmail && UserView.text(user, "email_confirmed_at").isEmpty()) {
            throw new AuthError(400, "email_not_confirmed", "Email not confirmed");
        }
        if (!byEmail && UserView.text(user, "phone_confirmed_at").isEmpty()) {
            throw new AuthError(400, "phone_not_confirmed", "Phone not confirmed");
        }
        Optional<String> renewed = hash.filter(PasswordHashes::isOld).map(old -> hashes.hash(password));
        Granted granted = transactions.run(request.tenant(), rows -> signedIn(request, rows, user, hash, renewed));
        AuthAnswer answer = grant.answer(request.tenant(), granted);
        // Rules that came later lock nobody out: an application may ask for a better one.
        rules.weakness(request.tenant().auth().password(), password)
                .ifPresent(weak -> weak.describe((ObjectNode) answer.body().orElseThrow()));
        return answer;
    }

    /** The address or the number that a call names, as it is kept. */
    private static String account(AuthRequest request) {
        Optional<String> email = request.text("email");
        if (email.isPresent()) {
            if (!request.tenant().auth().email().enabled()) {
                throw new AuthError(422, "email_provider_disabled", "Email logins are disabled");
            }
            return EmailAddress.of(email.get());
        }
        if (request.text("phone").isEmpty()) {
            throw AuthError.invalid("missing email or phone");
        }
        return PhoneSignIn.number(request, 422, "Phone logins are disabled");
    }

    /** Lets the project decide on a try. */
    private void judged(AuthRequest request, JsonNode user, boolean valid) {
        UUID id = UUID.fromString(user.path("id").asText());
        if (hooks.passwordVerification(request.tenant(), id, valid) instanceof Verdict.Reject refused) {
            if (refused.endSessions()) {
                transactions.run(request.tenant(), rows -> {
                    new Sessions(rows).deleteOf(id, Optional.empty());
                    return new Outcome<>(true, true);
                });
            }
            throw new AuthError(400, "invalid_credentials", refused.message());
        }
    }

    private Outcome<Granted> signedIn(
            AuthRequest request, AuthRows rows, JsonNode user, Optional<String> hash, Optional<String> renewed) {
        UUID id = UUID.fromString(user.path("id").asText());
        var users = new Users(rows);
        // It may have been changed, or the user deleted, while the password was being checked.
        boolean unchanged = users.byId(id)
                .map(now -> UserView.text(now, "encrypted_password"))
                .equals(hash);
        if (!unchanged) {
            throw AuthError.credentials();
        }
        renewed.ifPresent(
                text -> users.update(id, JsonNodeFactory.instance.objectNode().put("encrypted_password", text)));
        new AuditLog(rows).record(AuditLog.Action.LOGIN, user);
        return new Outcome<>(grant.begin(request, rows, id, "password"), true);
    }

    private AuthAnswer byRefreshToken(AuthRequest request) {
        String text = request.text("refresh_token").orElseThrow(() -> AuthError.invalid("refresh_token required"));
        RefreshTokens.Claim claim = tokens.refresh(request.tenant())
                .read(text)
                .orElseThrow(() -> AuthError.invalid("Refresh token is not valid"));
        limits.refresh(request);
        Optional<JsonNode> moved = transactions.ask(
                request.tenant(),
                Refresh.move(
                        request.tenant(),
                        claim.session(),
                        claim.counter(),
                        request.tenant().auth().sessions(),
                        clock.instant()));
        if (moved.isPresent()) {
            return grant.answer(
                    request.tenant(),
                    new Granted(
                            moved.get().path("user"),
                            moved.get().path("session"),
                            claim.counter() + 1,
                            "token_refresh"));
        }
        Refreshed refreshed =
                transactions.run(request.tenant(), rows -> new Outcome<>(refreshed(request, rows, claim), true));
        return switch (refreshed) {
            case Refreshed.Moved next -> grant.answer(request.tenant(), next.granted());
            case Refreshed.Reused reused ->
                grant.answer(request.tenant(), reused.granted()).with("sb-auth-refresh-token-reuse", "true");
            case Refreshed.Revoked revoked ->
                throw new AuthError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
        };
    }

    /** What a refresh token came to. */
    private sealed interface Refreshed {
        record Moved(Granted granted) implements Refreshed {}

        record Reused(Granted granted) implements Refreshed {}

        /** An old token was used again: the session is ended, for it may be in a thief's hands. */
        record Revoked() implements Refreshed {}
    }

    private Refreshed refreshed(AuthRequest request, AuthRows rows, RefreshTokens.Claim claim) {
        var sessions = new Sessions(rows);
        JsonNode session = sessions.locked(claim.session()).orElseThrow(AuthError::refreshTokenNotFound);
        UUID userId = UUID.fromString(session.path("user_id").asText());
        JsonNode user = new Users(rows).byId(userId).orElseThrow(AuthError::refreshTokenNotFound);
        if (Bearer.isBanned(user, clock)) {
            throw AuthError.banned();
        }
        SessionSpec life = request.tenant().auth().sessions();
        requireAlive(life, session);
        long counter = session.path("refresh_token_counter").longValue();
        if (claim.counter() > counter) {
            throw AuthError.invalid("Refresh token is not valid");
        }
        if (claim.counter() == counter) {
            long next = sessions.count(claim.session());
            new AuditLog(rows).record(AuditLog.Action.TOKEN_REFRESHED, user);
            return new Refreshed.Moved(new Granted(user, session, next, "token_refresh"));
        }
        // A client that could not save its new token comes with the one before; tabs come with it at the same moment.
        boolean parent = claim.counter() == counter - 1;
        if (parent || withinReuse(life, session)) {
            return new Refreshed.Reused(new Granted(user, session, counter, "token_refresh"));
        }
        sessions.delete(claim.session());
        new AuditLog(rows).record(AuditLog.Action.TOKEN_REVOKED, user);
        return new Refreshed.Revoked();
    }

    private void requireAlive(SessionSpec life, JsonNode session) {
        Instant created = time(session, "created_at").orElse(Instant.MIN);
        Instant used = time(session, "refreshed_at").orElse(created);
        if (isOver(created, life.timeboxSeconds()) || isOver(used, life.inactivityTimeoutSeconds())) {
            throw new AuthError(400, "session_expired", "Invalid Refresh Token: Session Expired");
        }
    }

    private boolean isOver(Instant since, Integer seconds) {
        return seconds != null && since.plusSeconds(seconds).isBefore(clock.instant());
    }

    private boolean withinReuse(SessionSpec life, JsonNode session) {
        return time(session, "refreshed_at")
                .filter(last -> last.getEpochSecond() > raised(session))
                .filter(last -> Duration.between(last, clock.instant()).getSeconds() < life.refreshReuseSeconds())
                .isPresent();
    }

    /** When a second factor was proved, in seconds: a token of before does not become one of the higher level. */
    private static long raised(JsonNode session) {
        long latest = -1;
        for (JsonNode claim : session.path("amr")) {
            String method = claim.path("method").asText();
            if (method.equals("totp") || method.startsWith("mfa/")) {
                latest = Math.max(latest, claim.path("timestamp").asLong());
            }
        }
        return latest;
    }

    private static Optional<Instant> time(JsonNode row, String name) {
        return Optional.of(UserView.text(row, name))
                .filter(text -> !text.isEmpty())
                .map(text -> OffsetDateTime.parse(text).toInstant());
    }
}
