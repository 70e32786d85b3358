package svc.platform.dataplane;

import io.vertx.core.json.JsonObject;
import java.util.Map;

/** The reason why the gateway rejects the credentials of a request. */
public sealed interface CredentialRefusal {
    /** The request carries no API key, and its path needs one. */
    record NoKey() implements CredentialRefusal {}

    /** The API key, or a bearer in the form of one, does not belong to the project. */
    record InvalidKey() implements CredentialRefusal {}

    /** The bearer is a user's token that is rejected. */
    record InvalidToken(TokenFault fault) implements CredentialRefusal {}

    /**
     * The answer of a service that has no words of its own: Supabase's API gateway for keys, PostgREST for tokens, as
     * supabase-js parses them.
     */
    default ErrorResponse standardAnswer() {
        return switch (this) {
            case NoKey unused ->
                key("No API key found in request", "No `apikey` request header or url param was found.");
            case InvalidKey unused ->
                key("Invalid API key", "Double check your Supabase `anon` or `service_role` API key.");
            case InvalidToken(TokenFault fault) -> token(fault.amongKeys());
        };
    }

    private static ErrorResponse token(TokenFault fault) {
        return new ErrorResponse(
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
    }

    private static ErrorResponse key(String message, String hint) {
        return new ErrorResponse(
                401,
                new JsonObject()
                        .put("code", "invalid_api_key")
                        .put("message", message)
                        .put("hint", hint),
                Map.of());
    }
}
