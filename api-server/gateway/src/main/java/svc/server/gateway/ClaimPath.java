package svc.server.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The path of the role in a token's claims: PostgREST's {@code jwt-role-claim-key} of names and indexes, such as {@code
 * .role}, {@code .app_metadata."https://x/role"} or {@code .roles[0]}.
 */
final class ClaimPath {
    private static final Pattern STEP =
            Pattern.compile("(?:\\.([A-Za-z0-9_$@-]+)|\\.\"([^\"]+)\"|\\[(0|[1-9][0-9]{0,5})])");

    /** The path in a token that this platform issues. */
    static final ClaimPath ROLE = new ClaimPath(List.of("role"));

    private final List<Object> steps;

    private ClaimPath(List<Object> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Empty for an invalid path. */
    static Optional<ClaimPath> of(String text) {
        List<Object> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(text);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            end = matcher.end();
            if (matcher.group(3) != null) {
                steps.add(Integer.valueOf(matcher.group(3)));
            } else {
                steps.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
            }
        }
        return steps.isEmpty() || end < text.length() ? Optional.empty() : Optional.of(new ClaimPath(steps));
    }

    /** The string at the path; empty if there is none. */
    Optional<String> in(JsonNode claims) {
        JsonNode at = claims;
        for (Object step : steps) {
            at = step instanceof Integer index ? at.path(index) : at.path((String) step);
        }
        return at.isTextual() ? Optional.of(at.asText()) : Optional.empty();
    }
}
