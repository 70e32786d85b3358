package svc.auth.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthRequest;
import svc.auth.model.UserJson;
import svc.auth.rows.AuthSession;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.token.ProjectTokens;
import svc.platform.tenancy.Tenant;

/** Sessions as clients get them: an access token with the claims of GoTrue, a refresh token, and the user. */
public final class SessionGrant {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ProjectTokens tokens;
    private final AuthHooks hooks;
    private final Clock clock;

    public SessionGrant(ProjectTokens tokens, AuthHooks hooks, Clock clock) {
        this.tokens = tokens;
        this.hooks = hooks;
        this.clock = clock;
    }

    /**
     * A session that is there, once its transaction is committed.
     *
     * @param user its row
     * @param session its row
     * @param counter of the refresh token that goes out
     * @param method by which it was begun, or {@code token_refresh}
     */
    public record Granted(JsonNode user, JsonNode session, long counter, String method) {}

    /**
     * Begins a session of a user who has just proved to be one. What goes out is {@link #answer}, when the transaction is
     * committed.
     *
     * @param method how, in the words of the claim {@code amr}
     */
    public Granted begin(AuthRequest request, AuthSession rows, UUID user, String method) {
        UUID session = UUID.randomUUID();
        var sessions = new Sessions(rows);
        if (request.tenant().auth().sessions().singlePerUser()) {
            sessions.deleteOf(user, Optional.empty());
        }
        sessions.insert(session, user, Optional.ofNullable(request.header("User-Agent")), method);
        var users = new Users(rows);
        ObjectNode signedIn = JSON.objectNode();
        String now = clock.instant().toString();
        users.update(user, signedIn.put("last_sign_in_at", now).put("updated_at", now));
        return new Granted(
                users.byId(user).orElseThrow(), sessions.byId(session).orElseThrow(), 0, method);
    }

    /** Whether {@link #answer} may have to wait: the project has a say in it. */
    public boolean mayWait(Tenant tenant) {
        return hooks.decidesOnTokens(tenant);
    }

    /** What goes out for a session. Not inside of a transaction: a hook of the project may change the claims. */
    public AuthAnswer answer(Tenant tenant, Granted granted) {
        JsonNode user = granted.user();
        JsonNode session = granted.session();
        long now = clock.instant().getEpochSecond();
        int seconds = tenant.auth().jwt().expirySeconds();
        UUID id = UUID.fromString(session.path("id").asText());
        ObjectNode claims =
                hooks.customAccessToken(tenant, claims(tenant, user, session, now, seconds), granted.method());
        ObjectNode body = JSON.objectNode();
        body.put("access_token", tokens.sign(tenant, claims.toString()));
        body.put("token_type", "bearer");
        body.put("expires_in", seconds);
        body.put("expires_at", now + seconds);
        body.put("refresh_token", tokens.refresh(tenant).of(id, granted.counter()));
        body.set("user", UserJson.of(user));
        return AuthAnswer.ok(body)
                .with("sb-auth-user-id", user.path("id").asText())
                .with("sb-auth-session-id", id.toString())
                .with("sb-auth-refresh-token-counter", Long.toString(granted.counter()))
                .with("Cache-Control", "no-store");
    }

    private static ObjectNode claims(Tenant tenant, JsonNode user, JsonNode session, long now, int seconds) {
        ObjectNode view = UserJson.of(user);
        ObjectNode claims = JSON.objectNode();
        claims.put("iss", tenant.authUrl());
        claims.set("sub", view.get("id"));
        claims.put("aud", audience(tenant).orElseGet(() -> view.get("aud").asText()));
        claims.put("exp", now + seconds);
        claims.put("iat", now);
        claims.set("email", view.get("email"));
        claims.set("phone", view.get("phone"));
        claims.set("app_metadata", view.get("app_metadata"));
        claims.set("user_metadata", view.get("user_metadata"));
        claims.set("role", view.get("role"));
        claims.put("aal", session.path("aal").asText("aal1"));
        ArrayNode methods = claims.putArray("amr");
        session.path("amr").forEach(methods::add);
        claims.set("session_id", session.path("id"));
        claims.set("is_anonymous", view.get("is_anonymous"));
        return claims;
    }

    /** What the project wants its tokens to name: it takes no others. */
    private static Optional<String> audience(Tenant tenant) {
        return Optional.ofNullable(tenant.auth().jwt().audience());
    }
}
