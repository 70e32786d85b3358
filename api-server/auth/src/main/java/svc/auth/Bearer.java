package svc.auth;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.rows.AuthQuestion;
import svc.auth.rows.AuthRows;
import svc.auth.rows.Bearers;
import svc.database.name.DatabaseRole;

/**
 * The user on whose behalf a call is made. The gateway has checked the token; here it counts only as long as its user and
 * its session are there.
 *
 * @param row of the user
 * @param session its row, of the session that the token belongs to
 */
record Bearer(JsonNode row, JsonNode session) {
    /** @throws AuthError for a token that is none of a user's, and for one whose user or session is gone */
    static Bearer of(AuthRequest request, AuthRows rows, Clock clock) {
        if (request.caller().token().isEmpty()) {
            throw AuthErrorCode.NO_AUTHORIZATION.error();
        }
        return found(rows.ask(question(request)), clock);
    }

    /** The same in a transaction of its own, in one network write. */
    static Bearer of(AuthRequest request, AuthTransactions transactions, Clock clock) {
        return AuthTransactions.await(soon(request, transactions, clock));
    }

    /** The same for a caller that must not wait. */
    static CompletableFuture<Bearer> soon(AuthRequest request, AuthTransactions transactions, Clock clock) {
        if (request.caller().token().isEmpty()) {
            throw AuthErrorCode.NO_AUTHORIZATION.error();
        }
        return transactions.askSoon(request.tenant(), question(request)).thenApply(there -> found(there, clock));
    }

    private static AuthQuestion question(AuthRequest request) {
        JsonNode claims = request.claims();
        UUID user = AuthRequest.uuid(claims.path("sub").asText())
                .orElseThrow(() -> AuthErrorCode.BAD_JWT.error("invalid claim: missing sub claim"));
        UUID session = AuthRequest.uuid(claims.path("session_id").asText())
                .orElseThrow(() -> AuthErrorCode.BAD_JWT.error("invalid claim: missing session_id claim"));
        return Bearers.find(request.tenant(), user, session);
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
    static void requireAdmin(AuthRequest request) {
        if (request.caller().role() != DatabaseRole.SERVICE) {
            boolean nobody = request.caller().token().isEmpty();
            throw nobody ? AuthErrorCode.NO_AUTHORIZATION.error() : AuthErrorCode.NOT_ADMIN.error();
        }
    }

    /** Whether the session rests on a second factor. */
    boolean isStrong() {
        return session.path("aal").asText().equals("aal2");
    }

    boolean hasVerifiedFactor() {
        for (JsonNode factor : row.path("factors")) {
            if (factor.path("status").asText().equals("verified")) {
                return true;
            }
        }
        return false;
    }

    /** @throws AuthError when the user has a second factor and the session does not rest on it */
    void requireStrongEnough() {
        if (hasVerifiedFactor() && !isStrong()) {
            throw AuthErrorCode.AAL2_REQUIRED_TO_UPDATE.error();
        }
    }

    /** @throws AuthError for a user of whom nothing is known */
    void requireSomebody() {
        if (row.path("is_anonymous").asBoolean()) {
            throw AuthErrorCode.ANONYMOUS_USER.error();
        }
    }

    static boolean isBanned(JsonNode row, Clock clock) {
        String until = UserView.text(row, "banned_until");
        return !until.isEmpty() && OffsetDateTime.parse(until).toInstant().isAfter(clock.instant());
    }

    UUID id() {
        return UUID.fromString(row.path("id").asText());
    }

    UUID sessionId() {
        return UUID.fromString(session.path("id").asText());
    }
}
