package svc.realtime.channel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.SessionTokens;
import svc.platform.json.ForeignJson;
import svc.platform.tenancy.Tenant;
import svc.realtime.message.JoinRefused;

/** The tokens of joins and of {@code access_token} messages. */
public final class ChannelTokens {
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private final SessionTokens tokens;
    private final Clock clock;

    public ChannelTokens(SessionTokens tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    /** Whether it is an API key, which a signed-out client sends as its token: the connection's credentials count then. */
    static boolean isOpaque(String token) {
        return token.startsWith("svc_") || token.startsWith("sb_");
    }

    /** The caller that a token stands for. Fails with {@link JoinRefused}. */
    Future<Caller> caller(Tenant tenant, Optional<String> token, Caller connection) {
        if (token.isEmpty() || token.get().isBlank() || isOpaque(token.get())) {
            return Future.succeededFuture(connection);
        }
        return tokens.ready(tenant)
                .map(ready ->
                        tokens.caller(tenant, token.get()).orElseThrow(() -> new JoinRefused(reason(token.get()))));
    }

    /** Whether the gateway still admits all of these keys and tokens, such as after a rotation of the project's keys. */
    Future<Boolean> admits(Tenant tenant, List<String> credentials) {
        return tokens.ready(tenant)
                .map(ready -> credentials.stream()
                        .allMatch(text -> tokens.caller(tenant, text).isPresent()));
    }

    /** When the caller's token expires, in seconds since 1970; the greatest value for one that does not. */
    static long expiry(Caller caller) {
        return caller.token().isEmpty()
                ? Long.MAX_VALUE
                : number(caller.claims(), "exp").orElse(Long.MAX_VALUE);
    }

    long now() {
        return clock.instant().getEpochSecond();
    }

    String expired(long expiry) {
        return "Token has expired " + Math.max(0, now() - expiry) + " seconds ago";
    }

    /** Reads what the holder of the token can read, too. */
    private String reason(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return "MalformedJWT: The token provided is not a valid JWT";
        }
        try {
            String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
            JsonNode read = JSON.readTree(claims);
            if (!read.path("exp").isNumber() || !read.path("role").isTextual()) {
                return "InvalidJWTToken: Fields `role` and `exp` are required in JWT";
            }
            long expiry = read.path("exp").asLong();
            return expiry <= now()
                    ? "InvalidJWTToken: " + expired(expiry)
                    : "JwtSignatureError: Failed to validate JWT signature";
        } catch (IllegalArgumentException | JsonProcessingException e) {
            return "MalformedJWT: The token provided is not a valid JWT";
        }
    }

    private static Optional<Long> number(String claims, String name) {
        try {
            JsonNode value = JSON.readTree(claims).path(name);
            return value.isNumber() ? Optional.of(value.asLong()) : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
