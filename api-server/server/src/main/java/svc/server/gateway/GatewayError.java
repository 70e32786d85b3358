package svc.server.gateway;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import svc.platform.dataplane.DataPlanePrefixes;

/**
 * An answer that the gateway gives in place of a service. Its words are those that the client libraries look for, service
 * by service; the request id is added when it is sent.
 *
 * @param body members in the order in which they are sent
 */
record GatewayError(int status, JsonObject body, Map<String, String> headers) {
    private static final String DOUBLE_CHECK = "Double check your Supabase `anon` or `service_role` API key.";
    private static final Map<String, String> RELAY = Map.of("x-relay-error", "true");

    static GatewayError unknownHost() {
        return of(404, "unknown_host", "No project and no API is at this host.");
    }

    static GatewayError unknownProject() {
        return of(404, "project_not_found", "No live project is at this host.");
    }

    static GatewayError unknownPath() {
        return of(
                404,
                "not_found",
                "A project serves " + String.join(", ", DataPlanePrefixes.all()) + " and no other path.");
    }

    static GatewayError unreadableAddress() {
        return of(
                400,
                "bad_request",
                "The address cannot be read: a % must be followed by two hexadecimal digits, and stands for itself as %25.");
    }

    static GatewayError notBuilt(String service) {
        return of(501, "not_implemented", "The service " + service + " is not available on this platform yet.");
    }

    static GatewayError bodyTooLarge(long limit) {
        return of(413, "body_too_large", "The body is larger than " + limit + " bytes.");
    }

    static GatewayError upstreamFailed() {
        return of(502, "upstream_failed", "Something behind the gateway failed or could not be reached.");
    }

    static GatewayError internal() {
        return of(500, "internal_error", "The service failed while it worked on this request.");
    }

    /** What a refused credential is answered with; {@code Accepted} is none. */
    static GatewayError refused(Decision decision, String service) {
        return switch (decision) {
            case Decision.NoKey ignored -> noKey(service);
            case Decision.InvalidKey ignored -> invalidKey(service);
            case Decision.InvalidToken invalid -> invalidToken(service, invalid.fault());
            case Decision.Accepted accepted -> throw new IllegalArgumentException("accepted: " + accepted.caller());
        };
    }

    private static GatewayError noKey(String service) {
        if (service.equals("storage")) {
            // The storage client's own tests call without a key and expect storage's words, not a gateway's.
            return storage("Invalid Compact JWS");
        }
        return keyError(service, "No API key found in request", "No `apikey` request header or url param was found.");
    }

    private static GatewayError invalidKey(String service) {
        return keyError(service, "Invalid API key", DOUBLE_CHECK);
    }

    private static GatewayError keyError(String service, String message, String hint) {
        JsonObject body = new JsonObject()
                .put("code", "invalid_api_key")
                .put("message", message)
                .put("hint", hint);
        return new GatewayError(401, body, service.equals("functions") ? RELAY : Map.of());
    }

    private static GatewayError invalidToken(String service, TokenFault fault) {
        return switch (service) {
            case "auth" ->
                new GatewayError(
                        403,
                        new JsonObject()
                                .put("code", "bad_jwt")
                                .put("error_code", "bad_jwt")
                                .put("message", "invalid JWT: " + fault.message())
                                .put("msg", "invalid JWT: " + fault.message()),
                        Map.of("x-supabase-api-version", "2024-01-01"));
            case "storage" ->
                storage(fault.equals(TokenFault.EXPIRED) ? "jwt expired" : "invalid JWT: " + fault.message());
            case "functions" ->
                new GatewayError(
                        401,
                        new JsonObject()
                                .put("code", "UNAUTHORIZED_INVALID_JWT_FORMAT")
                                .put("message", "Invalid JWT: " + fault.message()),
                        Map.of("x-relay-error", "true", "sb-error-code", "UNAUTHORIZED_INVALID_JWT_FORMAT"));
            case "realtime" ->
                new GatewayError(
                        401,
                        new JsonObject()
                                .put("code", "InvalidJWTToken")
                                .put("message", "InvalidJWTToken: " + fault.message()),
                        Map.of());
            default ->
                new GatewayError(
                        401,
                        new JsonObject()
                                .put("code", fault.code())
                                .put("message", fault.message())
                                .put("details", fault.details().orElse(null))
                                .putNull("hint"),
                        Map.of(
                                "www-authenticate",
                                "Bearer error=\"invalid_token\", error_description=\"" + fault.message() + "\"",
                                "proxy-status",
                                "PostgREST; error=" + fault.code()));
        };
    }

    /** Storage answers 400 and says the status that it means in the body. */
    private static GatewayError storage(String message) {
        return new GatewayError(
                400,
                new JsonObject()
                        .put("statusCode", "403")
                        .put("error", "Unauthorized")
                        .put("message", message),
                Map.of());
    }

    private static GatewayError of(int status, String code, String message) {
        return new GatewayError(status, new JsonObject().put("code", code).put("message", message), Map.of());
    }
}
