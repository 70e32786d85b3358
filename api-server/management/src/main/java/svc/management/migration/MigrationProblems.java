package svc.management.migration;

import java.time.Duration;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** Why a migration could not begin. Pure. */
final class MigrationProblems {
    private static final Duration SOON = Duration.ofSeconds(1);

    private MigrationProblems() {}

    static Problem exists(String version) {
        return Problem.of(ProblemCode.MIGRATION_EXISTS, "The version " + version + " was applied before.")
                .withHint(
                        "Give another version, or leave it out. A call that may be repeated carries an Idempotency-Key.")
                .with("version", version);
    }

    static Problem running(String version) {
        return Problem.of(ProblemCode.MIGRATION_RUNNING, "The version " + version + " is being applied now.")
                .withHint("Send the same call again; with the same Idempotency-Key it gets the answer of the first.")
                .with("version", version)
                .retryAfter(SOON);
    }

    static Problem unknown(String version) {
        return Problem.of(
                        ProblemCode.MIGRATION_STATE_UNKNOWN,
                        "The version " + version + " was begun, and the database does not say what became of it.")
                .withHint(
                        "Send the same call again later. If this stays, look with SELECT whether its changes are there;"
                                + " if they are not, send it under another version.")
                .with("version", version)
                .retryAfter(SOON);
    }

    static Problem keyReused() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEY_REUSED,
                        "This idempotency key belongs to a migration with another query, name or version.")
                .withHint("Send a new key with a new migration.");
    }

    static Problem notFound(String version) {
        return Problem.of(
                        ProblemCode.MIGRATION_NOT_FOUND, "The project has no migration of the version " + version + ".")
                .withHint("GET /v1/projects/{ref}/database/migrations lists them.");
    }
}
