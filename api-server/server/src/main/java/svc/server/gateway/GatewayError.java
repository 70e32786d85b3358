package svc.server.gateway;

import java.util.List;
import svc.platform.dataplane.ErrorAnswer;

/** The errors of the gateway itself, which are the same for every service. */
final class GatewayError {
    private GatewayError() {}

    static ErrorAnswer unknownHost() {
        return ErrorAnswer.of(404, "unknown_host", "No project and no API is served at this host.");
    }

    static ErrorAnswer unknownProject() {
        return ErrorAnswer.of(404, "project_not_found", "No active project is served at this host.");
    }

    static ErrorAnswer unknownPath(List<String> prefixes) {
        return ErrorAnswer.of(
                404, "not_found", "A project serves " + String.join(", ", prefixes) + " and no other path.");
    }

    static ErrorAnswer malformedUri() {
        return ErrorAnswer.of(
                400,
                "bad_request",
                "The URL is malformed: two hexadecimal digits must follow each %. Write a literal % as %25.");
    }

    static ErrorAnswer notBuilt(String service) {
        return ErrorAnswer.of(
                501, "not_implemented", "The service " + service + " is not available on this platform yet.");
    }

    static ErrorAnswer bodyTooLarge(long limit) {
        return ErrorAnswer.of(413, "body_too_large", "The body is larger than " + limit + " bytes.");
    }

    static ErrorAnswer upstreamFailed() {
        return ErrorAnswer.of(
                502, "upstream_failed", "A system behind the gateway failed or is unreachable. Retry the request.");
    }

    static ErrorAnswer internal() {
        return ErrorAnswer.of(500, "internal_error", "The service failed while it processed this request.");
    }
}
