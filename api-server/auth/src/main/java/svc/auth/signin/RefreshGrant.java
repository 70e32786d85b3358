package svc.auth.signin;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.limit.AuthLimits;
import svc.auth.model.UserJson;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthQuery;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.RefreshQuery;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.auth.token.ProjectTokens;
import svc.auth.token.RefreshTokens;
import svc.crds.project.auth.SessionSpec;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionSteps.Outcome;

/**
 * The next tokens of a session for its refresh token. Where nothing speaks against it that is one network write, and nobody
 * waits; whoever comes late with a token, or too late, is judged in a transaction of several.
 */
public final class RefreshGrant {
    private final AuthTransactions transactions;
    private final SessionGrant grant;
    private final ProjectTokens tokens;
    private final AuthLimits limits;
    private final Clock clock;

    public RefreshGrant(
            AuthTransactions transactions, SessionGrant grant, ProjectTokens tokens, AuthLimits limits, Clock clock) {
        this.transactions = transactions;
        this.grant = grant;
        this.tokens = tokens;
        this.limits = limits;
        this.clock = clock;
    }

    /** Does not wait. Fails with {@link AuthError} for what the caller did wrong. */
    public CompletableFuture<AuthAnswer> answer(AuthRequest request) {
        String text = request.text("refresh_token").orElseThrow(() -> AuthError.invalid("refresh_token required"));
        RefreshTokens.Claim claim = tokens.refresh(request.tenant())
                .read(text)
                .orElseThrow(() -> AuthError.invalid("Refresh token is not valid"));
        return limits.refresh(request)
                .thenCompose(counted -> transactions.askSoon(request.tenant(), move(request.tenant(), claim)))
                .thenCompose(moved -> moved.map(rows -> moved(request.tenant(), claim, rows))
                        .orElseGet(() -> AuthTransactions.onThread(() -> otherwise(request, claim))));
    }

    private AuthQuery move(Tenant tenant, RefreshTokens.Claim claim) {
        SessionSpec life = tenant.auth().sessions();
        return RefreshQuery.move(tenant, claim.session(), claim.counter(), life, clock.instant());
    }

    private CompletableFuture<AuthAnswer> moved(Tenant tenant, RefreshTokens.Claim claim, JsonNode rows) {
        var granted = new Granted(rows.path("user"), rows.path("session"), claim.counter() + 1, "token_refresh");
        return grant.mayWait(tenant)
                ? AuthTransactions.onThread(() -> grant.answer(tenant, granted))
                : CompletableFuture.completedFuture(grant.answer(tenant, granted));
    }

    /** Something speaks against the move. */
    private AuthAnswer otherwise(AuthRequest request, RefreshTokens.Claim claim) {
        Refreshed refreshed =
                transactions.run(request.tenant(), rows -> new Outcome<>(refreshed(request, rows, claim), true));
        return switch (refreshed) {
            case Refreshed.Moved next -> grant.answer(request.tenant(), next.granted());
            case Refreshed.Reused reused ->
                grant.answer(request.tenant(), reused.granted()).with("sb-auth-refresh-token-reuse", "true");
            case Refreshed.Revoked revoked -> throw AuthErrorCode.REFRESH_TOKEN_ALREADY_USED.error();
        };
    }

    /** What a refresh token came to. */
    private sealed interface Refreshed {
        record Moved(Granted granted) implements Refreshed {}

        record Reused(Granted granted) implements Refreshed {}

        /** An old token was used again: the session is ended, for it may be in a thief's hands. */
        record Revoked() implements Refreshed {}
    }

    private Refreshed refreshed(AuthRequest request, AuthSession rows, RefreshTokens.Claim claim) {
        var sessions = new Sessions(rows);
        JsonNode session = sessions.locked(claim.session()).orElseThrow(AuthErrorCode.REFRESH_TOKEN_NOT_FOUND::error);
        UUID userId = UUID.fromString(session.path("user_id").asText());
        JsonNode user = new Users(rows).byId(userId).orElseThrow(AuthErrorCode.REFRESH_TOKEN_NOT_FOUND::error);
        if (Bearer.isBanned(user, clock)) {
            throw AuthErrorCode.GRANT_OF_BANNED_USER.error();
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
            throw AuthErrorCode.SESSION_EXPIRED.error();
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
        return Optional.of(UserJson.text(row, name))
                .filter(text -> !text.isEmpty())
                .map(text -> OffsetDateTime.parse(text).toInstant());
    }
}
