package svc.auth.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.model.Metadata;
import svc.auth.model.NewUser;
import svc.auth.model.Session;
import svc.auth.model.User;
import svc.auth.model.UserJson;
import svc.auth.model.UserTime;
import svc.auth.rows.AuthSession;
import svc.auth.rows.Sessions;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.token.ProjectTokens;
import svc.platform.tenancy.Tenant;

/** Starts sessions, and issues their tokens: an access token with GoTrue's claims, a refresh token, and the user. */
public final class SessionGrant {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Those that the gateway takes for the project's service-role key. */
    private static final Set<String> SERVER_ROLES = Set.of("service_role", "supabase_admin");

    /** Servers refuse requests whose headers exceed 64 KB, with 431: the token's holder could neither read nor repair anything. */
    public static final int MAX_TOKEN_CHARACTERS = 48 * 1024;

    private final ProjectTokens tokens;
    private final AuthHooks hooks;
    private final Clock clock;

    public SessionGrant(ProjectTokens tokens, AuthHooks hooks, Clock clock) {
        this.tokens = tokens;
        this.hooks = hooks;
        this.clock = clock;
    }

    /**
     * A session whose transaction is committed.
     *
     * @param counter of the refresh token that is issued
     * @param method the method of the sign-in, or {@code token_refresh}
     */
    public record Granted(User user, Session session, long counter, String method) {}

    /**
     * Starts a session of an authenticated user. Its tokens are issued by {@link #answer} after the commit.
     *
     * @param method as the claim {@code amr} names it
     */
    public Granted begin(CallContext context, AuthSession db, UUID user, String method) {
        UUID session = UUID.randomUUID();
        var sessions = new Sessions(db);
        if (context.tenant().auth().sessions().singlePerUser()) {
            sessions.deleteOf(user, Optional.empty());
        }
        sessions.insert(session, user, context.userAgent(), method);
        var users = new Users(db);
        Instant now = clock.instant();
        users.update(user, new UserUpdate().time(UserTime.LAST_SIGN_IN, now).time(UserTime.UPDATED, now));
        return new Granted(
                users.byId(user).orElseThrow(), sessions.byId(session).orElseThrow(), 0, method);
    }

    /** Whether {@link #answer} may block: a hook of the project decides on claims. */
    public boolean mayBlock(Tenant tenant) {
        return hooks.decidesOnTokens(tenant);
    }

    /** Issues the tokens. Not inside of a transaction: it may wait for a hook of the project. */
    public AuthResponse answer(Tenant tenant, Granted granted) {
        Session session = granted.session();
        long now = clock.instant().getEpochSecond();
        int seconds = tenant.auth().jwt().expirySeconds();
        ObjectNode user = UserJson.of(granted.user());
        ObjectNode claims =
                hooks.customAccessToken(tenant, claims(tenant, user, session, now, seconds), granted.method());
        ObjectNode body = JSON.objectNode();
        body.put("access_token", signed(tenant, claims));
        body.put("token_type", "bearer");
        body.put("expires_in", seconds);
        body.put("expires_at", now + seconds);
        body.put("refresh_token", tokens.refresh(tenant).of(session.id(), granted.counter()));
        body.set("user", user);
        return AuthResponse.ok(body)
                .with("sb-auth-user-id", granted.user().id().toString())
                .with("sb-auth-session-id", session.id().toString())
                .with("sb-auth-refresh-token-counter", Long.toString(granted.counter()))
                .with("Cache-Control", "no-store");
    }

    private String signed(Tenant tenant, ObjectNode claims) {
        String token = tokens.sign(tenant, claims.toString());
        if (token.length() > MAX_TOKEN_CHARACTERS) {
            throw AuthErrorCode.UNPROCESSABLE.error("The access token would have " + token.length()
                    + " characters, more than the " + MAX_TOKEN_CHARACTERS
                    + " that a request can carry: shorten the user's app_metadata, or the claims that a hook adds");
        }
        return token;
    }

    private static ObjectNode claims(Tenant tenant, ObjectNode user, Session session, long now, int seconds) {
        ObjectNode claims = JSON.objectNode();
        claims.put("iss", tenant.authUrl());
        claims.set("sub", user.get("id"));
        claims.put("aud", audience(tenant).orElseGet(() -> user.get("aud").asText()));
        claims.put("exp", now + seconds);
        claims.put("iat", now);
        claims.set("email", user.get("email"));
        claims.set("phone", user.get("phone"));
        claims.set("app_metadata", user.get("app_metadata"));
        JsonNode own = user.get("user_metadata");
        claims.set("user_metadata", Metadata.fitsToken(own) ? own : JSON.objectNode());
        claims.put("role", role(user.path("role").asText()));
        claims.put("aal", session.level());
        ArrayNode methods = claims.putArray("amr");
        session.methods()
                .forEach(method ->
                        methods.addObject().put("method", method.name()).put("timestamp", method.seconds()));
        claims.put("session_id", session.id().toString());
        claims.set("is_anonymous", user.get("is_anonymous"));
        return claims;
    }

    /**
     * A row of a user never acts as the project's server: the owner, a trigger of it, and an administrator may write any role.
     * Hooks, which need a right of their own, may.
     */
    private static String role(String kept) {
        return kept.isEmpty() || SERVER_ROLES.contains(kept) ? NewUser.AUTHENTICATED : kept;
    }

    /** The audience that the project has configured; the gateway accepts no other. */
    private static Optional<String> audience(Tenant tenant) {
        return Optional.ofNullable(tenant.auth().jwt().audience());
    }
}
