package svc.management.migration;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The problems of migrations that could not start. Pure. */
final class MigrationProblems {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private MigrationProblems() {}

    static Problem exists(String version) {
        return Problem.of(ProblemCode.MIGRATION_EXISTS, "The version " + version + " is already applied.")
                .withHint("Use a new version, or omit it. To make retries safe, send an Idempotency-Key.")
                .with("version", version);
    }

    static Problem changed(String version) {
        return Problem.of(ProblemCode.MIGRATION_CHANGED, "The version " + version + " is applied with another text.")
                .withHint("Undo the change of the file and put it into a new one. If the history is wrong, repair it:"
                        + " POST /v1/projects/{ref}/database/migrations/repair.")
                .with("version", version);
    }

    /** The time of a whole folder has passed. */
    static Problem tooLong(Duration limit) {
        return Problem.of(ProblemCode.SQL_TIMEOUT, "The folder ran for longer than " + limit.toSeconds() + " seconds.")
                .withHint("Send it again: what is applied is left out.");
    }

    /**
     * The problem of one file of a folder.
     *
     * @param files what became of each file
     */
    static Problem inFolder(Problem problem, MigrationRequest file, List<MigrationViews.FileView> files) {
        String label = file.version().orElse("")
                + file.name().map(name -> " (" + name + ")").orElse("");
        Map<String, Object> members = new LinkedHashMap<>(problem.members());
        members.put("version", file.version().orElse(""));
        members.put("migrations", files);
        return new Problem(
                problem.code(),
                "In the migration " + label + ": " + problem.detail(),
                problem.hint(),
                problem.errors(),
                members,
                problem.retryAfter());
    }

    static Problem running(String version) {
        return Problem.of(ProblemCode.MIGRATION_RUNNING, "The version " + version + " is being applied.")
                .withHint("Retry the request; with the same Idempotency-Key it returns the first call's response.")
                .with("version", version)
                .retryAfter(RETRY_AFTER);
    }

    static Problem unknown(String version) {
        return Problem.of(
                        ProblemCode.MIGRATION_STATE_UNKNOWN,
                        "The version " + version + " was started, and the database does not report its outcome.")
                .withHint(
                        "Retry the same call later. If the state persists, check with SELECT whether its changes exist;"
                                + " if they do not, send it under another version.")
                .with("version", version)
                .retryAfter(RETRY_AFTER);
    }

    static Problem keyReused() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEY_REUSED,
                        "The idempotency key was used for a migration with a different query, name or version.")
                .withHint("Use a new key for a new migration.");
    }

    static Problem notFound(String version) {
        return Problem.of(
                        ProblemCode.MIGRATION_NOT_FOUND,
                        "The project has no migration with the version " + version + ".")
                .withHint("List them with GET /v1/projects/{ref}/database/migrations.");
    }
}
