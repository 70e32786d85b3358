package svc.e2e.mutated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What holds for every answer, whatever was asked. Pure. */
final class Promises {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Beginnings of names in traces of the platform's own code. */
    private static final List<String> INSIDE =
            List.of("java.lang.", "io.vertx.", "io.netty.", "com.fasterxml", "at svc.");

    /**
     * Statuses from 500 on that are no failure, by their codes: a service that is not built, memory or connections that
     * others use for the moment. The last two come with the time to wait.
     */
    private static final Map<Integer, Set<String>> NO_FAILURES =
            Map.of(501, Set.of("not_implemented"), 503, Set.of("overloaded"), 504, Set.of("PGRST003"));

    private Promises() {}

    /** Which promise an answer breaks; empty if it keeps all. */
    static Optional<String> brokenBy(Draft draft, Received answer) {
        boolean bodiless = draft.method.equals("HEAD");
        if (answer.status() >= 500 && !(bodiless ? NO_FAILURES.containsKey(answer.status()) : isExpected(answer))) {
            return Optional.of("a failure of the platform's");
        }
        if (answer.header("x-request-id").filter(id -> !id.isBlank()).isEmpty()) {
            return Optional.of("no request id");
        }
        if (answer.header("access-control-allow-origin").isEmpty()) {
            return Optional.of("no CORS header");
        }
        if (answer.headers().containsKey("x-injected")) {
            return Optional.of("a header of the caller's making");
        }
        boolean error = answer.status() >= 400;
        if (error && answer.mentions(INSIDE)) {
            return Optional.of("names of the platform's code");
        }
        if (bodiless) {
            return Optional.empty();
        }
        if (error && answer.body().length == 0) {
            return Optional.of("no body");
        }
        return error || isJson(answer) ? unreadable(answer, error) : Optional.empty();
    }

    private static boolean isExpected(Received answer) {
        // S3's form of the same.
        if (answer.status() == 501 && answer.mentions(List.of("<Code>NotImplemented</Code>"))) {
            return true;
        }
        boolean known = NO_FAILURES.getOrDefault(answer.status(), Set.of()).stream()
                .anyMatch(code -> answer.mentions(List.of("\"code\":\"" + code + "\"")));
        return known && (answer.status() == 501 || answer.headers().containsKey("retry-after"));
    }

    private static boolean isJson(Received answer) {
        // A file has the type that its uploader has claimed.
        boolean file = answer.headers().containsKey("accept-ranges");
        return answer.body().length > 0
                && !file
                && !answer.headers().containsKey("content-encoding")
                && answer.header("content-type")
                        .filter(type -> type.contains("json"))
                        .isPresent();
    }

    private static Optional<String> unreadable(Received answer, boolean error) {
        if (answer.header("content-type").filter("application/xml"::equals).isPresent()) {
            return answer.mentions(List.of("<Message>")) ? Optional.empty() : Optional.of("an error without a message");
        }
        try {
            var body = JSON.readTree(answer.body());
            // The last is the form of GraphQL's errors.
            boolean says = !error
                    || body.has("message")
                    || body.has("msg")
                    || body.has("error")
                    || body.path("errors").path(0).has("message");
            return says ? Optional.empty() : Optional.of("an error without a message");
        } catch (JsonProcessingException e) {
            return Optional.of("no JSON: " + e.getOriginalMessage());
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }
}
