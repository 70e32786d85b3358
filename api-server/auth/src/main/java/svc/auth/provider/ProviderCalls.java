package svc.auth.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.re2j.Pattern;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import svc.auth.redirect.Query;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressCall;
import svc.platform.egress.EgressClient;
import svc.platform.egress.EgressFailedException;
import svc.platform.egress.EgressResponse;
import svc.platform.json.ForeignJson;

/** HTTP calls to a provider, bounded in size and time. */
final class ProviderCalls {
    private static final Pattern WORD = Pattern.compile("[a-z_]{1,64}");

    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final int MAX_BYTES = 256 * 1024;

    private final EgressClient egress;
    private final CallOwner owner;
    private final Duration limit;

    /**
     * @param owner whose provider it is
     * @param limit timeout of each call
     */
    ProviderCalls(EgressClient egress, CallOwner owner, Duration limit) {
        this.egress = egress;
        this.owner = owner;
        this.limit = limit;
    }

    /** The project whose provider is called. */
    CallOwner owner() {
        return owner;
    }

    /**
     * The answer of a token endpoint.
     *
     * @param refresh empty without one
     * @param id the ID token; empty without one
     */
    record Tokens(String access, String refresh, String id) {
        /** Without the tokens. */
        @Override
        public String toString() {
            return "Tokens";
        }
    }

    /**
     * Exchanges a code for tokens (RFC 6749, 4.1.3).
     *
     * @param secretInBody whether the secret is sent in the form, else in a header
     * @param more such as the verifier of a challenge
     * @throws ProviderFault when the provider refuses the code
     */
    Tokens exchange(URI address, Client client, boolean secretInBody, String code, Map<String, String> more) {
        Map<String, String> form = new HashMap<>(more);
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", client.callback());
        Map<String, String> headers = headers();
        headers.put("Content-Type", "application/x-www-form-urlencoded");
        if (secretInBody) {
            form.put("client_id", client.id());
            form.put("client_secret", client.secret());
        } else {
            headers.put("Authorization", basic(client));
        }
        JsonNode answer = answered(new EgressCall(
                HttpMethod.POST, address, headers, Buffer.buffer(Query.encoded(form)), MAX_BYTES, limit));
        String access = answer.path("access_token").asText("");
        if (access.isEmpty()) {
            // GitHub answers a refusal with 200.
            throw new ProviderFault("it did not take the code: " + word(answer));
        }
        return new Tokens(
                access,
                answer.path("refresh_token").asText(""),
                answer.path("id_token").asText(""));
    }

    /**
     * The project as a client of its provider.
     *
     * @param callback the redirect URI
     */
    record Client(String id, String secret, String callback) {
        /** Without the secret. */
        @Override
        public String toString() {
            return "Client[" + id + "]";
        }
    }

    /** @throws ProviderFault without an answer in JSON */
    JsonNode get(URI address, String accessToken) {
        Map<String, String> headers = headers();
        headers.put("Authorization", "Bearer " + accessToken);
        return answered(new EgressCall(HttpMethod.GET, address, headers, Buffer.buffer(), MAX_BYTES, limit));
    }

    private static Map<String, String> headers() {
        // GitHub requires a User-Agent.
        return new HashMap<>(Map.of("Accept", "application/json", "User-Agent", "svc"));
    }

    /** HTTP Basic with form-encoded parts (RFC 6749, 2.3.1). */
    private static String basic(Client client) {
        String joined = URLEncoder.encode(client.id(), StandardCharsets.UTF_8)
                + ":"
                + URLEncoder.encode(client.secret(), StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(joined.getBytes(StandardCharsets.UTF_8));
    }

    private JsonNode answered(EgressCall call) {
        EgressResponse answer = awaited(egress.call(owner, call), call.address());
        JsonNode body = json(answer.body());
        if (answer.status() != 200) {
            throw new ProviderFault(call.address().getHost() + " answered " + answer.status() + word(body));
        }
        if (body == null || body.isMissingNode()) {
            throw ProviderFault.away(call.address().getHost() + " did not answer with JSON");
        }
        return body;
    }

    private static JsonNode json(Buffer body) {
        try {
            return JSON.readTree(body.toString(StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /** The provider's error code of RFC 6749; never its free text, which may repeat secrets of the request. */
    private static String word(JsonNode body) {
        String word = body == null ? "" : body.path("error").asText("");
        return WORD.matches(word) ? " " + word : "";
    }

    private static EgressResponse awaited(Future<EgressResponse> call, URI address) {
        try {
            return call.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            String reason = e.getCause() instanceof EgressFailedException failed ? failed.getMessage() : "no answer";
            throw ProviderFault.away(address.getHost() + ": " + reason);
        }
    }
}
