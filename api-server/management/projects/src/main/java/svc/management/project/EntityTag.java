package svc.management.project;

import java.util.Arrays;
import java.util.List;
import svc.crds.project.Project;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * The versions of a project that a call accepts, from {@code If-Match} or {@code If-None-Match} (RFC 9110). The tag of a
 * project is its resource version, which changes with its settings and with its state.
 *
 * @param tags as sent, with their quotes; empty for any version
 */
record EntityTag(List<String> tags) {
    private static final String ANY = "*";

    static EntityTag any() {
        return new EntityTag(List.of());
    }

    /** @param header null if it was not sent */
    static EntityTag of(String header) {
        if (header == null) {
            return any();
        }
        List<String> tags = Arrays.stream(header.split(","))
                .map(String::strip)
                .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                .toList();
        return tags.contains(ANY) ? any() : new EntityTag(tags);
    }

    static String of(Project project) {
        return '"' + project.getMetadata().getResourceVersion() + '"';
    }

    boolean isAny() {
        return tags.isEmpty();
    }

    /** Whether a version is named; false if none is. */
    boolean names(Project project) {
        return tags.contains(of(project));
    }

    /**
     * The project.
     *
     * @throws ProblemException 412 if it is in another version
     */
    Project required(Project project) {
        if (isAny() || names(project)) {
            return project;
        }
        throw Problem.of(
                        ProblemCode.ETAG_MISMATCH,
                        "The project was changed: its version is " + of(project) + ", not the one in If-Match.")
                .withHint("Get the project again, and repeat the change with its ETag.")
                .asException();
    }
}
