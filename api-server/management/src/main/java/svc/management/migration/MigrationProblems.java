package svc.management.migration;

import java.time.Duration;
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
