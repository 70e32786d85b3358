package svc.functions;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * An error response in place of a function's. {@code x-relay-error} tells Supabase's client that it is not the
 * function's; {@code sb-error-code} and {@code code} are Supabase's codes where there are any.
 *
 * @param hint how to fix it
 */
record FunctionError(int status, String code, String message, Optional<String> hint) {
    static FunctionError notFound() {
        return answer(
                404,
                "NOT_FOUND",
                "Requested function was not found",
                "Deploy a function with this name, or check its spelling: names are case-sensitive.");
    }

    /** It is not known yet which functions exist. */
    static FunctionError starting() {
        return answer(
                503,
                "starting",
                "This instance starts and does not know its functions yet",
                "Retry the request after the seconds in Retry-After.");
    }

    static FunctionError disabled() {
        return answer(
                403,
                "FUNCTIONS_DISABLED",
                "Functions are disabled for this project",
                "Set spec.functions.enabled of the Project to true.");
    }

    static FunctionError notDeployed(String why) {
        return answer(
                503,
                "BOOT_ERROR",
                "The function is not deployed: " + why,
                "Read the conditions of the EdgeFunction, or its logs, and deploy it again.");
    }

    static FunctionError methodNotAllowed(String method) {
        return answer(
                405,
                "METHOD_NOT_ALLOWED",
                "The method " + method + " is not supported for functions",
                "Use GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.");
    }

    static FunctionError requestTooLarge(long limit) {
        return answer(
                413,
                "REQUEST_TOO_LARGE",
                "The body is larger than " + limit + " bytes",
                "Send a smaller body, or raise spec.functions.requestSizeLimitMB of the Project.");
    }

    static FunctionError responseTooLarge(long limit) {
        return answer(
                502,
                "RESPONSE_TOO_LARGE",
                "The response of the function is larger than " + limit + " bytes",
                "Return a smaller response, or raise spec.functions.responseSizeLimitMB of the Project.");
    }

    static FunctionError bodyTimeout() {
        return answer(408, "REQUEST_TIMEOUT", "The request body timed out", "Send the body without pauses.");
    }

    static FunctionError overloaded() {
        return answer(
                503,
                "OVERLOADED",
                "Too many calls of this function are queued",
                "Retry the request, or raise spec.scale.max of the function.");
    }

    static FunctionError didNotStart(long seconds) {
        return answer(
                504,
                "BOOT_TIMEOUT",
                "No process of the function was ready within " + seconds + " s",
                "Read the function's logs: it may fail at startup.");
    }

    static FunctionError timedOut(long seconds) {
        return answer(
                504,
                "IDLE_TIMEOUT",
                "The function did not respond within " + seconds + " s",
                "Respond earlier, or raise spec.functions.wallClockSeconds of the Project.");
    }

    static FunctionError broken() {
        return answer(
                502,
                "WORKER_ERROR",
                "The process of the function ended before it responded, or is unreachable",
                "Read the function's logs: it may have run out of memory.");
    }

    /** For the runtime's own endpoints: the runtime token is invalid. */
    static FunctionError badRuntimeToken() {
        return answer(401, "INVALID_RUNTIME_TOKEN", "The token is invalid for this function");
    }

    static FunctionError noArchive() {
        return answer(404, "ARCHIVE_NOT_FOUND", "This function has no such archive");
    }

    static FunctionError invalidLines(String why) {
        return answer(400, "INVALID_LOG_LINES", why);
    }

    static FunctionError tooManyLines() {
        return answer(429, "TOO_MANY_LOG_LINES", "Log lines exceed the rate limit and were dropped");
    }

    static FunctionError storeUnavailable(String what) {
        return answer(503, "STORE_UNAVAILABLE", what);
    }

    private static FunctionError answer(int status, String code, String message, String hint) {
        return new FunctionError(status, code, message, Optional.of(hint));
    }

    private static FunctionError answer(int status, String code, String message) {
        return new FunctionError(status, code, message, Optional.empty());
    }

    /**
     * Sends the error unless a response has begun: then only a broken connection tells the client that it is
     * incomplete.
     */
    void send(HttpServerResponse response, String requestId) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        JsonObject body = new JsonObject().put("code", code).put("message", message);
        hint.ifPresent(text -> body.put("hint", text));
        response.headers().remove("content-length").remove("transfer-encoding").remove("content-encoding");
        response.setStatusCode(status)
                .putHeader("content-type", "application/json; charset=utf-8")
                .putHeader("x-relay-error", "true")
                .putHeader("sb-error-code", code);
        if (status == 429 || status == 503) {
            response.putHeader("retry-after", "1");
        }
        response.end(body.put("request_id", requestId).toBuffer()).onFailure(gone -> response.close());
    }
}
