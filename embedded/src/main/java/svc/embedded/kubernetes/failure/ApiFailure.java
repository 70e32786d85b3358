package svc.embedded.kubernetes.failure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import svc.embedded.kubernetes.json.Json;

/**
 * A request refused the way a Kubernetes API server refuses it: an HTTP code, a machine-readable reason, and the
 * {@code Status} document that clients decide by. Messages follow the wording that kubectl users know.
 */
public final class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final transient Subject subject;
    private final transient List<Cause> causes;

    /** What the request was about; any part may be empty. */
    public record Subject(String group, String resource, String kind, String name) {
        public static final Subject NONE = new Subject("", "", "", "");

        private String qualifiedResource() {
            return group.isEmpty() ? resource : resource + "." + group;
        }

        private String qualifiedKind() {
            return group.isEmpty() ? kind : kind + "." + group;
        }
    }

    /** One fault of a refused object: why, in words, and at which field. */
    public record Cause(String reason, String message, String field) {}

    private ApiFailure(int code, String reason, String message, Subject subject, List<Cause> causes) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.subject = subject;
        this.causes = List.copyOf(causes);
    }

    private static ApiFailure plain(int code, String reason, String message) {
        return new ApiFailure(code, reason, message, Subject.NONE, List.of());
    }

    public static ApiFailure notFound(Subject subject) {
        String message = "%s \"%s\" not found".formatted(subject.qualifiedResource(), subject.name());
        return new ApiFailure(404, "NotFound", message, subject, List.of());
    }

    public static ApiFailure noSuchPath() {
        return plain(404, "NotFound", "the server could not find the requested resource");
    }

    public static ApiFailure alreadyExists(Subject subject) {
        String message = "%s \"%s\" already exists".formatted(subject.qualifiedResource(), subject.name());
        return new ApiFailure(409, "AlreadyExists", message, subject, List.of());
    }

    public static ApiFailure conflict(Subject subject, String why) {
        String message = "Operation cannot be fulfilled on %s \"%s\": %s"
                .formatted(subject.qualifiedResource(), subject.name(), why);
        return new ApiFailure(409, "Conflict", message, subject, List.of());
    }

    public static ApiFailure staleVersion(Subject subject) {
        return conflict(
                subject, "the object has been modified; please apply your changes to the latest version and try again");
    }

    public static ApiFailure ownedByOthers(Subject subject, String message, List<Cause> causes) {
        return new ApiFailure(409, "Conflict", message, subject, causes);
    }

    public static ApiFailure invalid(Subject subject, List<Cause> causes) {
        String faults = causes.stream().map(c -> c.field() + ": " + c.message()).collect(Collectors.joining(", "));
        String message = "%s \"%s\" is invalid: %s"
                .formatted(subject.qualifiedKind(), subject.name(), causes.size() == 1 ? faults : "[" + faults + "]");
        return new ApiFailure(422, "Invalid", message, subject, causes);
    }

    public static ApiFailure badRequest(String message) {
        return plain(400, "BadRequest", message);
    }

    public static ApiFailure unauthorized() {
        return plain(401, "Unauthorized", "Unauthorized");
    }

    public static ApiFailure forbidden(Subject subject, String why) {
        String message = "%s \"%s\" is forbidden: %s".formatted(subject.qualifiedResource(), subject.name(), why);
        return new ApiFailure(403, "Forbidden", message, subject, List.of());
    }

    public static ApiFailure methodNotAllowed() {
        return plain(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
    }

    public static ApiFailure unsupportedMediaType(String sent, List<String> accepted) {
        String message = "the body of the request was in an unknown format (%s) - accepted media types include: %s"
                .formatted(sent, String.join(", ", accepted));
        return plain(415, "UnsupportedMediaType", message);
    }

    public static ApiFailure tooLarge(long limit) {
        return plain(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit);
    }

    public static ApiFailure expired(long version, long oldest) {
        return plain(410, "Expired", "too old resource version: %d (%d)".formatted(version, oldest));
    }

    public static ApiFailure internal(String message) {
        return plain(500, "InternalError", "Internal error occurred: " + message);
    }

    public int code() {
        return code;
    }

    /** The machine-readable reason, such as {@code AlreadyExists}. */
    public String reason() {
        return reason;
    }

    /** The {@code Status} document that answers the request. */
    public ObjectNode status() {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        status.put("status", "Failure").put("message", getMessage()).put("reason", reason);
        if (!subject.equals(Subject.NONE) || !causes.isEmpty()) {
            status.set("details", details());
        }
        return status.put("code", code);
    }

    private ObjectNode details() {
        ObjectNode details = Json.object();
        putUnlessEmpty(details, "name", subject.name());
        putUnlessEmpty(details, "group", subject.group());
        // Kubernetes names the kind in the details of an invalid object and the resource in all others.
        putUnlessEmpty(details, "kind", code == 422 ? subject.kind() : subject.resource());
        for (Cause cause : causes) {
            ObjectNode node = details.withArray("causes").addObject();
            node.put("reason", cause.reason()).put("message", cause.message());
            putUnlessEmpty(node, "field", cause.field());
        }
        return details;
    }

    private static void putUnlessEmpty(ObjectNode node, String field, String value) {
        if (!value.isEmpty()) {
            node.put(field, value);
        }
    }
}
