package svc.auth.signin;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.limit.AuthLimits;
import svc.auth.model.Session;
import svc.auth.model.Timestamp;
import svc.auth.model.User;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.RefreshQuery;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.auth.token.ProjectTokens;
import svc.auth.token.RefreshTokens;
import svc.crds.project.auth.SessionSpec;
import svc.platform.tenancy.Tenant;

/**
 * {@code POST /token?grant_type=refresh_token}. A valid refresh is one network write and does not block; a reused, expired or
 * revoked token is judged in a transaction of several statements.
 */
public final class RefreshGrant {
    private static final String METHOD = "token_refresh";

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

    private record Request(CallContext context, RefreshTokens.Claim claim) {
        static Request parse(AuthRequest request, ProjectTokens tokens) {
            String text = request.text("refresh_token").orElseThrow(() -> AuthError.invalid("refresh_token required"));
            return new Request(
                    request.context(),
                    tokens.refresh(request.tenant()).read(text).orElseThrow(RefreshGrant::notValid));
        }

        Tenant tenant() {
            return context.tenant();
        }
    }

    /** The outcomes where the single statement did not move the session. */
    private sealed interface Outcome {
        record Moved(Granted granted) implements Outcome {}

        record Reused(Granted granted) implements Outcome {}

        /** An old token was used again: the session is ended, for the token may be stolen. */
        record Revoked() implements Outcome {}
    }

    /** Does not block. Fails with {@link AuthError} for a token that is not valid. */
    CompletableFuture<AuthResponse> answer(AuthRequest call) {
        Request request = Request.parse(call, tokens);
        RefreshTokens.Claim claim = request.claim();
        return limits.refresh(request.context())
                .thenCompose(counted -> transactions.askAsync(
                        request.tenant(),
                        RefreshQuery.move(
                                request.tenant(),
                                claim.session(),
                                claim.counter(),
                                request.tenant().auth().sessions(),
                                clock.instant())))
                .thenCompose(moved -> moved.map(found -> moved(request, found))
                        .orElseGet(() -> AuthTransactions.onThread(() -> notMoved(request))));
    }

    private CompletableFuture<AuthResponse> moved(Request request, RefreshQuery.Moved moved) {
        var granted = new Granted(moved.user(), moved.session(), request.claim().counter() + 1, METHOD);
        return grant.mayBlock(request.tenant())
                ? AuthTransactions.onThread(() -> grant.answer(request.tenant(), granted))
                : CompletableFuture.completedFuture(grant.answer(request.tenant(), granted));
    }

    private AuthResponse notMoved(Request request) {
        return switch (transactions.run(request.tenant(), db -> decide(request, db))) {
            case Outcome.Moved moved -> grant.answer(request.tenant(), moved.granted());
            case Outcome.Reused reused ->
                grant.answer(request.tenant(), reused.granted()).with("sb-auth-refresh-token-reuse", "true");
            case Outcome.Revoked revoked -> throw AuthErrorCode.REFRESH_TOKEN_ALREADY_USED.error();
        };
    }

    private Outcome decide(Request request, AuthSession db) {
        RefreshTokens.Claim claim = request.claim();
        var sessions = new Sessions(db);
        Session session = sessions.locked(claim.session()).orElseThrow(AuthErrorCode.REFRESH_TOKEN_NOT_FOUND::error);
        User user = new Users(db).byId(session.userId()).orElseThrow(AuthErrorCode.REFRESH_TOKEN_NOT_FOUND::error);
        if (user.isBanned(clock.instant())) {
            throw AuthErrorCode.GRANT_OF_BANNED_USER.error();
        }
        SessionSpec spec = request.tenant().auth().sessions();
        requireAlive(spec, session);
        long counter = session.refreshCounter();
        if (claim.counter() > counter) {
            throw notValid();
        }
        if (claim.counter() == counter) {
            long next = sessions.count(session.id());
            new AuditLog(db).record(AuditLog.Action.TOKEN_REFRESHED, user);
            return new Outcome.Moved(new Granted(user, session, next, METHOD));
        }
        // A client that could not save its new token sends the one before; concurrent tabs send it at the same moment.
        boolean parent = claim.counter() == counter - 1;
        if (parent || isWithinReuse(spec, session)) {
            return new Outcome.Reused(new Granted(user, session, counter, METHOD));
        }
        sessions.delete(session.id());
        new AuditLog(db).record(AuditLog.Action.TOKEN_REVOKED, user);
        return new Outcome.Revoked();
    }

    private void requireAlive(SessionSpec spec, Session session) {
        Instant created = session.created().instant();
        Instant used = session.refreshed().map(Timestamp::instant).orElse(created);
        if (isOver(created, spec.timeboxSeconds()) || isOver(used, spec.inactivityTimeoutSeconds())) {
            throw AuthErrorCode.SESSION_EXPIRED.error();
        }
    }

    private boolean isOver(Instant since, Integer seconds) {
        return seconds != null && since.plusSeconds(seconds).isBefore(clock.instant());
    }

    private boolean isWithinReuse(SessionSpec spec, Session session) {
        return session.refreshed()
                .map(Timestamp::instant)
                .filter(last -> last.getEpochSecond() > lastFactor(session))
                .filter(last -> Duration.between(last, clock.instant()).toSeconds() < spec.refreshReuseSeconds())
                .isPresent();
    }

    /** Seconds since 1970. A token from before a second factor must not become one of aal2. */
    private static long lastFactor(Session session) {
        return session.methods().stream()
                .filter(Session.Method::isFactor)
                .mapToLong(Session.Method::seconds)
                .max()
                .orElse(-1);
    }

    private static AuthError notValid() {
        return AuthError.invalid("Refresh token is not valid");
    }
}
