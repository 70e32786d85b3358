package svc.auth;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import svc.auth.flow.Challenge;

/**
 * Fake external providers: an OpenID provider that validates every parameter strictly, and the endpoints of GitHub and
 * GitLab, all on one port. Each sign-in succeeds at once as the user that the test has set.
 */
final class ProviderForTests implements AutoCloseable {
    static final String CLIENT = "client-1";
    static final String SECRET = "s e:cret/%";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Clock clock;
    private final Map<String, Map<String, String>> visits = new ConcurrentHashMap<>();
    private final Map<String, Function<HttpExchange, Reply>> instead = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile RSAKey key = newKey("key-1");
    private volatile Map<String, Object> user = Map.of();
    private volatile UnaryOperator<JWTClaimsSet.Builder> claims = UnaryOperator.identity();
    private volatile Function<JWTClaimsSet, String> signer = this::signed;
    private volatile Map<String, Object> published = Map.of();

    record Reply(int status, String body) {}

    ProviderForTests(Clock clock) {
        this.clock = clock;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        server.createContext("/", this::handle);
        server.start();
    }

    static RSAKey newKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    String home() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String issuer() {
        return home() + "/realm";
    }

    /** Resets all faults, and sets the user. */
    void reset(Map<String, Object> next) {
        user = next;
        claims = UnaryOperator.identity();
        signer = this::signed;
        published = Map.of();
        instead.clear();
        calls.clear();
    }

    void claims(UnaryOperator<JWTClaimsSet.Builder> change) {
        claims = change;
    }

    void signer(Function<JWTClaimsSet, String> other) {
        signer = other;
    }

    /** Replaces a member of the discovery document. */
    void publishes(Map<String, Object> other) {
        published = other;
    }

    void instead(String path, Function<HttpExchange, Reply> answer) {
        instead.put(path, answer);
    }

    void rotate(RSAKey next) {
        key = next;
    }

    RSAKey key() {
        return key;
    }

    /** The requested paths, in order. */
    List<String> calls() {
        return calls;
    }

    /** An ID token of the user, as a native application gets it. */
    String idToken(Map<String, Object> more) {
        return signer.apply(claims(CLIENT, more));
    }

    String signed(JWTClaimsSet set) {
        return signed(set, key);
    }

    static String signed(JWTClaimsSet set, RSAKey by) {
        try {
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(by.getKeyID())
                            .build(),
                    set);
            token.sign(new RSASSASigner(by));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    JWTClaimsSet claims(String audience, Map<String, Object> more) {
        var set = new JWTClaimsSet.Builder()
                .issuer(issuer())
                .audience(audience)
                .issueTime(Date.from(clock.instant()))
                .expirationTime(Date.from(clock.instant().plus(Duration.ofMinutes(5))));
        user.forEach(set::claim);
        more.forEach(set::claim);
        return claims.apply(set).build();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        calls.add(path);
        Reply reply;
        try {
            reply = instead.containsKey(path) ? instead.get(path).apply(exchange) : answer(exchange, path);
        } catch (RuntimeException e) {
            reply = new Reply(599, e.toString());
        }
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        try {
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            // The client has closed the connection.
        }
        exchange.close();
    }

    private Reply answer(HttpExchange exchange, String path) throws IOException {
        return switch (path) {
            case "/realm/.well-known/openid-configuration" -> json(discovery());
            case "/realm/jwks" -> json(new JWKSet(key).toPublicJWKSet().toJSONObject());
            case "/realm/authorize", "/login/oauth/authorize", "/oauth/authorize" -> authorize(exchange);
            case "/realm/token", "/login/oauth/access_token", "/oauth/token" -> token(exchange);
            case "/realm/userinfo" -> bearer(exchange, json(user));
            case "/api/v3/user" -> bearer(exchange, json(without("emails")));
            case "/api/v3/user/emails" -> bearer(exchange, json(user.get("emails")));
            case "/api/v4/user" -> bearer(exchange, json(user));
            default -> new Reply(404, "{}");
        };
    }

    private Map<String, Object> without(String name) {
        Map<String, Object> rest = new HashMap<>(user);
        rest.remove(name);
        return rest;
    }

    private Map<String, Object> discovery() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("issuer", issuer());
        document.put("authorization_endpoint", issuer() + "/authorize");
        document.put("token_endpoint", issuer() + "/token");
        document.put("userinfo_endpoint", issuer() + "/userinfo");
        document.put("jwks_uri", issuer() + "/jwks");
        document.put("code_challenge_methods_supported", List.of("S256"));
        document.putAll(published);
        return document;
    }

    private static Reply json(Object value) {
        try {
            return new Reply(200, JSON.writeValueAsString(value));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Reply authorize(HttpExchange exchange) {
        Map<String, String> query = first(exchange.getRequestURI().getRawQuery());
        require(query.get("client_id").equals(CLIENT), "client");
        require(query.get("response_type").equals("code"), "response type");
        String code = UUID.randomUUID().toString();
        visits.put(code, query);
        exchange.getResponseHeaders()
                .add("Location", query.get("redirect_uri") + "?code=" + code + "&state=" + query.get("state"));
        return new Reply(302, "");
    }

    private Reply token(HttpExchange exchange) throws IOException {
        Map<String, String> form = first(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        requireClient(exchange, form);
        Map<String, String> visit = visits.remove(form.getOrDefault("code", ""));
        if (visit == null) {
            return new Reply(400, "{\"error\":\"invalid_grant\"}");
        }
        require(form.get("grant_type").equals("authorization_code"), "grant type");
        require(form.get("redirect_uri").equals(visit.get("redirect_uri")), "redirect");
        if (visit.containsKey("code_challenge")) {
            require(Challenge.hash(form.get("code_verifier")).equals(visit.get("code_challenge")), "verifier");
        }
        Map<String, Object> answer = new HashMap<>();
        answer.put("access_token", "access-of-provider");
        answer.put("refresh_token", "refresh-of-provider");
        answer.put("token_type", "bearer");
        if (visit.get("scope").contains("openid")) {
            Map<String, Object> more = new HashMap<>();
            more.put("nonce", visit.get("nonce"));
            answer.put("id_token", signer.apply(claims(CLIENT, more)));
        }
        return json(answer);
    }

    private static void requireClient(HttpExchange exchange, Map<String, String> form) {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        if (header == null) {
            require(
                    form.get("client_id").equals(CLIENT)
                            && form.get("client_secret").equals(SECRET),
                    "client");
            return;
        }
        String[] parts = new String(
                        Base64.getDecoder().decode(header.substring("Basic ".length())), StandardCharsets.UTF_8)
                .split(":", 2);
        require(
                decoded(parts[0]).equals(CLIENT)
                        && decoded(parts[1]).equals(SECRET)
                        && !form.containsKey("client_secret"),
                "client");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static Reply bearer(HttpExchange exchange, Reply reply) {
        return "Bearer access-of-provider".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                ? reply
                : new Reply(401, "{}");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    static Map<String, String> first(String query) {
        Map<String, String> all = new HashMap<>();
        new QueryStringDecoder(query == null ? "" : query, false)
                .parameters()
                .forEach((name, values) -> all.put(name, values.getFirst()));
        return all;
    }

    /** The query of an address. */
    static Map<String, String> queryOf(String address) {
        return first(URI.create(address).getRawQuery());
    }

    static Map<String, String> fragmentOf(String address) {
        return first(URI.create(address).getRawFragment());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
