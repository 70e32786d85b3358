package svc.platform.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The members of a problem in the order in which they are sent. {@code message} repeats {@code detail} for clients that
 * read nothing else.
 */
public final class ProblemBody {
    /** The media type of a problem. */
    public static final String MEDIA_TYPE = "application/problem+json";

    static final Set<String> RESERVED =
            Set.of("type", "title", "status", "detail", "instance", "message", "code", "hint", "request_id", "errors");

    private ProblemBody() {}

    public static Map<String, Object> of(Problem problem, String requestId) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "urn:svc:problem:" + problem.code().wire());
        body.put("title", problem.code().title());
        body.put("status", problem.code().status());
        body.put("detail", problem.detail());
        body.put("message", problem.detail());
        body.put("code", problem.code().wire());
        problem.hint().ifPresent(hint -> body.put("hint", hint));
        body.put("request_id", requestId);
        if (!problem.errors().isEmpty()) {
            body.put("errors", problem.errors());
        }
        body.putAll(problem.members());
        return body;
    }
}
