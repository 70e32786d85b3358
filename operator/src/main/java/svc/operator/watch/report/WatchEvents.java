package svc.operator.watch.report;

/** Reasons of the watch's Events. Programs may depend on them: part of the API. */
public final class WatchEvents {
    /** A project uses more than half of a limit. */
    public static final String LIMIT_NEAR = "LimitNear";
    /** A statement beyond a limit was cancelled. */
    public static final String STATEMENT_CANCELLED = "StatementCancelled";
    /** A session, or a worker of autovacuum, was ended. */
    public static final String SESSION_TERMINATED = "SessionTerminated";
    /** A session cannot be ended. */
    public static final String SESSION_STUCK = "SessionStuck";
    /** Autovacuum leaves a table alone. */
    public static final String MAINTENANCE_STOPPED = "MaintenanceStopped";

    private WatchEvents() {}
}
