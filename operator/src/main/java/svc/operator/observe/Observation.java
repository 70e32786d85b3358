package svc.operator.observe;

import java.time.Duration;
import java.util.Optional;

/**
 * Something worth telling about the operator's work. Values carry no secret and no tenant data; which project is meant
 * is in the log context, never in a metric's tag, because a tag per project would be a time series per project.
 */
public sealed interface Observation {
    /** A reconciliation came to its end. */
    record Reconciled(Duration took) implements Observation {}

    /**
     * A project was seen in a state.
     *
     * @param project namespace/name; lets the census of states follow one project and is no metric tag
     */
    record Seen(String project, ProjectState state) implements Observation {}

    /** A project's first provisioning was committed. */
    record Provisioned(String database, int steps) implements Observation {}

    /** Something of a settled project was missing or changed and was put right. */
    record DriftRepaired(int steps) implements Observation {}

    /**
     * A step failed.
     *
     * @param sqlState PostgreSQL's code when a statement failed
     * @param cause logged with its stack trace only when it is a fault of ours
     */
    record Failed(String reason, String message, boolean retried, Optional<String> sqlState, Throwable cause)
            implements Observation {}

    /** A ref or project id is held by another resource. */
    record Conflicted() implements Observation {}

    /** A deletion waits, because the database cannot be reached or refuses. */
    record DeletionBlocked(String reason, String message) implements Observation {}

    /** A project's resource is gone; {@code act} says what became of its data. */
    record Removed(String project, Removal act) implements Observation {}

    /** An Event could not be written; the work itself went on. */
    record EventNotWritten(String event, String message) implements Observation {}

    /** A shared database was checked and, where needed, hardened; {@code changes} is 0 when it already was. */
    record DatabasePrepared(String database, int changes) implements Observation {}

    /** A version of a function began to serve. */
    record FunctionDeployed(long version) implements Observation {}

    /** What became of a deleted project's data. */
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
