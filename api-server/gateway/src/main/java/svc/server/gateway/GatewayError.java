package svc.server.gateway;

import java.util.List;
import java.util.Map;
import svc.platform.dataplane.ErrorResponse;
import svc.platform.dataplane.RequestBody;

/** The errors of the gateway itself, which are the same for every service. */
final class GatewayError {
    private static final Map<String, String> RETRY_SOON = Map.of("retry-after", "1");

    private GatewayError() {}

    static ErrorResponse unknownHost() {
        return ErrorResponse.of(404, "unknown_host", "No project and no API is served at this host.");
    }

    static ErrorResponse unknownProject() {
        return ErrorResponse.of(404, "project_not_found", "No active project is served at this host.");
    }

    /** A project with {@code spec.suspend}. Waiting does not help, so no Retry-After. */
    static ErrorResponse paused() {
        return ErrorResponse.of(
                503, "project_paused", "The project is paused: its owner can restore it with the Management API.");
    }

    /** A project whose logins the operator has closed. Waiting does not help, so no Retry-After. */
    static ErrorResponse quarantined() {
        return ErrorResponse.of(
                503,
                "project_quarantined",
                "The project used more of the database server than it may and is closed: its owner finds the reason in its"
                        + " log, and opens it by pausing and restoring it with the Management API.");
    }

    static ErrorResponse unknownPath(List<String> prefixes) {
        return ErrorResponse.of(
                404, "not_found", "A project serves " + String.join(", ", prefixes) + " and no other path.");
    }

    static ErrorResponse malformedUri() {
        return ErrorResponse.of(
                400,
                "bad_request",
                "The URL is malformed: two hexadecimal digits must follow each %. Write a literal % as %25.");
    }

    /** No field of HTTP is without a name (RFC 9110, section 5.1). Other servers, to which the gateway passes headers on, refuse it. */
    static ErrorResponse namelessHeader() {
        return ErrorResponse.of(400, "bad_request", "A header has no name: remove the line that begins with a colon.");
    }

    /** Of a probe, which needs none. */
    static ErrorResponse unexpectedBody() {
        return ErrorResponse.of(413, "body_too_large", "This path takes no body. Send the request without one.")
                .withHeaders(Map.of("connection", "close"));
    }

    static ErrorResponse notBuilt(String service) {
        return ErrorResponse.of(
                501, "not_implemented", "The service " + service + " is not available on this platform yet.");
    }

    static ErrorResponse bodyRefused(RequestBody.Refusal why, long limit) {
        return switch (why) {
            case TOO_LARGE -> ErrorResponse.of(413, "body_too_large", "The body is larger than " + limit + " bytes.");
            case TOO_COSTLY ->
                ErrorResponse.of(
                        413,
                        "body_too_complex",
                        "The body takes more memory than one request may have. Send it in several requests.");
            case BUSY -> overloaded();
            case TOO_SLOW ->
                ErrorResponse.of(408, "body_timeout", "The body arrived too slowly.")
                        .withHeaders(Map.of("connection", "close"));
        };
    }

    /** The project's share of the memory is in use. */
    static ErrorResponse overloaded() {
        return ErrorResponse.of(
                        503,
                        "overloaded",
                        "The project's requests and answers use all memory that they may have. Retry the request.")
                .withHeaders(RETRY_SOON);
    }

    /** It is not known yet which projects exist. */
    static ErrorResponse starting() {
        return ErrorResponse.of(
                        503, "starting", "This instance starts and does not know its projects yet. Retry the request.")
                .withHeaders(RETRY_SOON);
    }

    static ErrorResponse upstreamFailed() {
        return ErrorResponse.of(
                502, "upstream_failed", "A system behind the gateway failed or is unreachable. Retry the request.");
    }

    static ErrorResponse internal() {
        return ErrorResponse.of(500, "internal_error", "The service failed while it processed this request.");
    }
}
