package svc.management.migration;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The problems of migrations that could not start. Pure. */
final class MigrationProblems {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** Versions that a text names; the member has all. */
    private static final int SHOWN = 5;

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

    static Problem rollingBack(String version) {
        return Problem.of(ProblemCode.MIGRATION_RUNNING, "The version " + version + " is being rolled back.")
                .withHint("Retry the request.")
                .with("version", version)
                .retryAfter(RETRY_AFTER);
    }

    static Problem unknownRollback(String version) {
        return Problem.of(
                        ProblemCode.MIGRATION_STATE_UNKNOWN,
                        "The rollback of the version " + version
                                + " was started, and the database does not report its outcome.")
                .withHint(
                        "Retry the same call later. If the state persists, check with SELECT whether the objects of the"
                                + " migration exist, and repair the history: applied or reverted, by POST"
                                + " /v1/projects/{ref}/database/migrations/repair.")
                .with("version", version)
                .retryAfter(RETRY_AFTER);
    }

    /** The history is no longer what was judged. */
    static Problem historyChanged() {
        return Problem.of(
                        ProblemCode.MIGRATION_RUNNING,
                        "Another call changed the history before this one began. Nothing was run.")
                .withHint("Read the history, and retry the request.")
                .retryAfter(RETRY_AFTER);
    }

    static Problem invalidGte() {
        return Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter gte must be a version, which is digits.")
                .withHint("Send the first version to roll back: ?gte=20300131120000.");
    }

    /** @param versions that have no SQL that undoes them, newest first */
    static Problem withoutRollback(List<String> versions) {
        return Problem.of(
                        ProblemCode.MIGRATION_ROLLBACK_MISSING,
                        "No SQL is kept that undoes the versions " + shown(versions) + ". Nothing was run.")
                .withHint("Send it with PATCH /v1/projects/{ref}/database/migrations/{version} {\"rollback\": \"…\"}.")
                .with("versions", versions);
    }

    /**
     * More than one transaction takes.
     *
     * @param from the lowest version from which on one call takes them; empty if it does not take the newest alone
     */
    static Problem tooMuch(int versions, long bytes, Optional<String> from) {
        return Problem.of(
                        ProblemCode.SQL_TOO_LARGE,
                        "One call rolls back up to " + versions + " versions, and " + bytes
                                + " bytes of SQL. Nothing was run.")
                .withHint(from.map(version -> "Roll back in steps, newest first: ?gte=" + version + ".")
                        .orElse("Shorten the rollback of the newest version with PATCH"
                                + " /v1/projects/{ref}/database/migrations/{version}."));
    }

    /** The problem of one of several rollbacks, none of which was applied. */
    static Problem inRollback(Problem problem, Rollback rollback) {
        Map<String, Object> members = new LinkedHashMap<>(problem.members());
        members.put("version", rollback.version());
        String label = rollback.version()
                + rollback.name().map(name -> " (" + name + ")").orElse("");
        return new Problem(
                problem.code(),
                "In the rollback of " + label + ": " + problem.detail(),
                problem.hint(),
                problem.errors(),
                members,
                problem.retryAfter());
    }

    private static String shown(List<String> versions) {
        return String.join(", ", versions.subList(0, Math.min(SHOWN, versions.size())))
                + (versions.size() > SHOWN ? " and " + (versions.size() - SHOWN) + " more" : "");
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
