package svc.operator.observe;

import java.time.Duration;
import java.util.Optional;

/**
 * A fact about the operator's work, for logs and metrics. Values contain no secret and no tenant data. The project is in the
 * log context, never in a metric's tag, because a tag per project would be a time series per project.
 */
public sealed interface Observation {
    /** A reconciliation completed. */
    record Reconciled(Duration took) implements Observation {}

    /**
     * The state of a project after a reconciliation.
     *
     * @param project namespace/name; identifies the project in the count of states; not a metric tag
     */
    record StateObserved(String project, ProjectState state) implements Observation {}

    /** A project's first provisioning was committed. */
    record Provisioned(String database, int steps) implements Observation {}

    /** Manual changes to a converged project were repaired. */
    record DriftRepaired(int steps) implements Observation {}

    /**
     * A step failed.
     *
     * @param sqlState PostgreSQL's code when a statement failed
     * @param cause logged with its stack trace only for a bug of the operator
     */
    record Failed(String reason, String message, boolean retried, Optional<String> sqlState, Throwable cause)
            implements Observation {}

    /** A ref or project id is held by another resource. */
    record Conflicted() implements Observation {}

    /** A deletion waits, because the database cannot be reached or refuses. */
    record DeletionBlocked(String reason, String message) implements Observation {}

    /** A Project was removed; {@code act} says what happened to its data. */
    record Removed(String project, Removal act) implements Observation {}

    /** An Event could not be written; the reconciliation continued. */
    record EventNotWritten(String event, String message) implements Observation {}

    /** A shared database was prepared; {@code changes} is 0 when it already was. */
    record DatabasePrepared(String database, int changes) implements Observation {}

    /** A version of a function became ready. */
    record FunctionDeployed(long version) implements Observation {}

    /**
     * The watch on a server acted on a process of a project.
     *
     * @param rule what was beyond its limit
     * @param step what was done about it
     */
    record WatchActed(String database, String rule, String step, String message) implements Observation {}

    /** What happened to the data of a deleted project. */
    enum Removal {
        RETAINED,
        DELETED,
        NOT_HELD,
        FORCED
    }

    /** The states that the gauge {@code svc_projects} counts. */
    enum ProjectState {
        READY,
        FAILING,
        CONFLICT,
        PAUSED,
        DELETING
    }
}
