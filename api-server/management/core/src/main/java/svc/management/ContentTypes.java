package svc.management;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The Content-Type of a request: at most one, and a media type (RFC 9110 sections 5.3 and 8.3). */
final class ContentTypes {
    static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";

    private ContentTypes() {}

    /** Why no resource may get a request with these headers; the framework fails for what is no media type. */
    static Optional<Problem> refusal(List<String> contentTypes) {
        if (contentTypes.size() > 1) {
            return Optional.of(Problem.of(ProblemCode.BAD_REQUEST, "The request has more than one Content-Type.")
                    .withHint("Send one Content-Type, that of the body."));
        }
        return contentTypes.isEmpty() || contentTypes.getFirst().isBlank() || isMediaType(contentTypes.getFirst())
                ? Optional.empty()
                : Optional.of(Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "The Content-Type is no media type.")
                        .withHint("Send the type of the body, such as application/json."));
    }

    private static boolean isMediaType(String text) {
        try {
            MediaType type = MediaType.valueOf(text);
            return !type.getType().isBlank() && !type.getSubtype().isBlank();
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Whether there is none, or an empty one. */
    static boolean isAbsent(HttpServerRequest request) {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        return type == null || type.isBlank();
    }

    /** A plain {@code curl -d} sends the content type of a form with a JSON body; no call takes a form. */
    static void assumeJson(HttpServerRequest request) {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        String bare = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (bare.isEmpty() || bare.equals(FORM) || bare.equals("text/plain")) {
            request.headers().set(HttpHeaders.CONTENT_TYPE, JSON);
        }
    }
}
