package svc.operator.watch.rule;

import java.util.Optional;
import java.util.UUID;

/** What is to be done, and for whom. Messages are for the project's owner: they name nothing of another project. */
public sealed interface Action {
    /** Empty while the project is not known. */
    Optional<UUID> owner();

    Rule rule();

    /** One sentence or two: what was found, what was done, what to do. */
    String message();

    /** Nothing is ended yet. */
    record Warn(Optional<UUID> owner, Rule rule, String message) implements Action {}

    /** Ends the statement; a session may catch it. */
    record Cancel(Optional<UUID> owner, Rule rule, ProcessId process, String message) implements Action {}

    /** Ends the session or the worker. */
    record Terminate(Optional<UUID> owner, Rule rule, ProcessId process, String message) implements Action {}

    /** Neither ended the process: it is counted against its project until it has ended, and asked again. */
    record ReportStuck(Optional<UUID> owner, Rule rule, ProcessId process, String message) implements Action {}

    /** Autovacuum leaves the table alone from now on. */
    record StopMaintenance(Optional<UUID> owner, Rule rule, long table, String message) implements Action {}

    /** Closes the project's logins and keeps its data. */
    record Quarantine(UUID project, Rule rule, String message) implements Action {
        @Override
        public Optional<UUID> owner() {
            return Optional.of(project);
        }
    }
}
