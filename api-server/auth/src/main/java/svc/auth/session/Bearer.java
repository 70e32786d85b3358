package svc.auth.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.model.UserJson;
import svc.auth.rows.AuthQuery;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.BearerQuery;
import svc.database.name.DatabaseRole;

/**
 * The user on whose behalf a call is made. The gateway has checked the token; here it counts only as long as its user and
 * its session are there.
 *
 * @param row of the user
 * @param session its row, of the session that the token belongs to
 */
public record Bearer(JsonNode row, JsonNode session) {
    /** @throws AuthError for a token that is none of a user's, and for one whose user or session is gone */
    public static Bearer of(AuthRequest request, AuthSession rows, Clock clock) {
        if (request.caller().token().isEmpty()) {
            throw AuthErrorCode.NO_AUTHORIZATION.error();
        }
        return found(rows.ask(question(request)), clock);
    }

    /** The same in a transaction of its own, in one network write. */
    public static Bearer of(AuthRequest request, AuthTransactions transactions, Clock clock) {
        return AuthTransactions.await(soon(request, transactions, clock));
    }

    /** The same for a caller that must not wait. */
    public static CompletableFuture<Bearer> soon(AuthRequest request, AuthTransactions transactions, Clock clock) {
        if (request.caller().token().isEmpty()) {
            throw AuthErrorCode.NO_AUTHORIZATION.error();
        }
        return transactions.askSoon(request.tenant(), question(request)).thenApply(there -> found(there, clock));
    }

    private static AuthQuery question(AuthRequest request) {
        JsonNode claims = request.claims();
        UUID user = AuthRequest.uuid(claims.path("sub").asText())
                .orElseThrow(() -> AuthErrorCode.BAD_JWT.error("invalid claim: missing sub claim"));
        UUID session = AuthRequest.uuid(claims.path("session_id").asText())
                .orElseThrow(() -> AuthErrorCode.BAD_JWT.error("invalid claim: missing session_id claim"));
        return BearerQuery.find(request.tenant(), user, session);
    }

    private static Bearer found(Optional<JsonNode> there, Clock clock) {
        JsonNode found = there.orElseThrow(AuthErrorCode.USER_OF_TOKEN_NOT_FOUND::error);
        if (isBanned(found.path("user"), clock)) {
            throw AuthErrorCode.USER_BANNED.error();
        }
        if (found.path("session").isNull()) {
            throw AuthErrorCode.SESSION_NOT_FOUND.error();
        }
        return new Bearer(found.path("user"), found.path("session"));
    }

    /** @throws AuthError unless the call is made with the project's service-role key, or a token of that role */
    public static void requireAdmin(AuthRequest request) {
        if (request.caller().role() != DatabaseRole.SERVICE) {
            boolean nobody = request.caller().token().isEmpty();
            throw nobody ? AuthErrorCode.NO_AUTHORIZATION.error() : AuthErrorCode.NOT_ADMIN.error();
        }
    }

    /** Whether the session rests on a second factor. */
    public boolean isStrong() {
        return session.path("aal").asText().equals("aal2");
    }

    public boolean hasVerifiedFactor() {
        for (JsonNode factor : row.path("factors")) {
            if (factor.path("status").asText().equals("verified")) {
                return true;
            }
        }
        return false;
    }

    /** @throws AuthError when the user has a second factor and the session does not rest on it */
    public void requireStrongEnough() {
        if (hasVerifiedFactor() && !isStrong()) {
            throw AuthErrorCode.AAL2_REQUIRED_TO_UPDATE.error();
        }
    }

    /** @throws AuthError for a user of whom nothing is known */
    public void requireSomebody() {
        if (row.path("is_anonymous").asBoolean()) {
            throw AuthErrorCode.ANONYMOUS_USER.error();
        }
    }

    public static boolean isBanned(JsonNode row, Clock clock) {
        String until = UserJson.text(row, "banned_until");
        return !until.isEmpty() && OffsetDateTime.parse(until).toInstant().isAfter(clock.instant());
    }

    public UUID id() {
        return UUID.fromString(row.path("id").asText());
    }

    public UUID sessionId() {
        return UUID.fromString(session.path("id").asText());
    }
}
