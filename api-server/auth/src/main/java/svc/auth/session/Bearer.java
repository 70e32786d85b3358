package svc.auth.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.CallContext;
import svc.auth.model.Session;
import svc.auth.model.User;
import svc.auth.rows.AuthQuery;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.BearerQuery;

/**
 * The user and the session of an access token. The gateway has verified the token; here it is valid only while its user and
 * its session exist.
 */
public record Bearer(User user, Session session) {
    /** @throws AuthError for a token without a user, and for one whose user or session is gone */
    public static Bearer of(CallContext context, AuthSession db, Clock clock) {
        return found(db.ask(query(context)), clock);
    }

    /** The same in a transaction of its own, in one network write. */
    public static Bearer of(CallContext context, AuthTransactions transactions, Clock clock) {
        return AuthTransactions.await(async(context, transactions, clock));
    }

    /** The same without blocking. */
    public static CompletableFuture<Bearer> async(CallContext context, AuthTransactions transactions, Clock clock) {
        return transactions.askAsync(context.tenant(), query(context)).thenApply(there -> found(there, clock));
    }

    private static AuthQuery<BearerQuery.Found> query(CallContext context) {
        requireToken(context);
        JsonNode claims = context.claims();
        return BearerQuery.find(context.tenant(), id(claims, "sub"), id(claims, "session_id"));
    }

    private static UUID id(JsonNode claims, String name) {
        return AuthRequest.uuid(claims.path(name).asText())
                .orElseThrow(() -> AuthErrorCode.BAD_JWT.error("invalid claim: missing " + name + " claim"));
    }

    private static Bearer found(Optional<BearerQuery.Found> there, Clock clock) {
        BearerQuery.Found found = there.orElseThrow(AuthErrorCode.USER_OF_TOKEN_NOT_FOUND::error);
        if (found.user().isBanned(clock.instant())) {
            throw AuthErrorCode.USER_BANNED.error();
        }
        return new Bearer(found.user(), found.session().orElseThrow(AuthErrorCode.SESSION_NOT_FOUND::error));
    }

    /** @throws AuthError of 401 for a call without the token of a user */
    public static void requireToken(CallContext context) {
        if (context.caller().token().isEmpty()) {
            throw AuthErrorCode.NO_AUTHORIZATION.error();
        }
    }

    /** @throws AuthError unless the call is made with the project's service-role key, or a token of that role */
    public static void requireAdmin(CallContext context) {
        if (!context.isService()) {
            boolean anonymous = context.caller().token().isEmpty();
            throw (anonymous ? AuthErrorCode.NO_AUTHORIZATION : AuthErrorCode.NOT_ADMIN).error();
        }
    }

    /** @throws AuthError when the user has a verified second factor and the session is not of aal2 */
    public void requireSecondFactor() {
        if (user.hasVerifiedFactor() && !session.isAal2()) {
            throw AuthErrorCode.AAL2_REQUIRED_TO_UPDATE.error();
        }
    }

    /** @throws AuthError for an anonymous user */
    public void requireIdentified() {
        if (user.anonymous()) {
            throw AuthErrorCode.ANONYMOUS_USER.error();
        }
    }

    public UUID userId() {
        return user.id();
    }

    public UUID sessionId() {
        return session.id();
    }
}
