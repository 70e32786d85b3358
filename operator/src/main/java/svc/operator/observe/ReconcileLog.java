package svc.operator.observe;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import svc.operator.observe.Observation.Conflicted;
import svc.operator.observe.Observation.DatabasePrepared;
import svc.operator.observe.Observation.DeletionBlocked;
import svc.operator.observe.Observation.DriftRepaired;
import svc.operator.observe.Observation.EventNotWritten;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.FunctionDeployed;
import svc.operator.observe.Observation.Provisioned;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.Observation.Removed;
import svc.operator.observe.Observation.StateObserved;
import svc.operator.observe.Observation.WatchActed;

/** Writes observations as log lines. The log context has the project: {@code ref}, {@code project}. */
public final class ReconcileLog implements Observer {
    private static final Logger LOG = LoggerFactory.getLogger("svc.operator");
    private static final int MAX_CAUSES = 32;
    private static final int MAX_CAUSE_CHARS = 500;

    @Override
    public void observed(Observation observation) {
        switch (observation) {
            case Reconciled(var took) -> LOG.debug("Reconciled in {} ms", took.toMillis());
            case StateObserved(var project, var state) -> LOG.debug("{} is {}", project, state);
            case Provisioned(var database, var steps) ->
                LOG.info("Provisioned in database {} with {} steps", database, steps);
            case DriftRepaired(var steps) -> LOG.warn("Repaired drift with {} steps", steps);
            case Failed failed -> failed(failed);
            case Conflicted() -> LOG.warn("Another Project holds the ref or the project id");
            case DeletionBlocked(var reason, var message) -> LOG.warn("Deletion blocked: {}: {}", reason, message);
            case Removed(var project, var act) -> LOG.info("Removed {}, its data: {}", project, act);
            case EventNotWritten(var event, var message) -> LOG.info("Could not write event {}: {}", event, message);
            case WatchActed(var database, var rule, var step, var message) ->
                LOG.warn("Watch on database {}: {} by {}: {}", database, step, rule, message);
            case FunctionDeployed(var version) -> LOG.info("Version {} is ready", version);
            case DatabasePrepared(var database, var changes) ->
                LOG.info("Prepared database {} with {} changes", database, changes);
        }
    }

    /** Adds the project to the log context until the scope is closed. */
    public static Scope scope(String namespace, String name, String ref) {
        return new Scope(MDC.putCloseable("project", namespace + "/" + name), MDC.putCloseable("ref", ref));
    }

    private static void failed(Failed failed) {
        String next = failed.retried() ? "retrying" : "next attempt after a change or at the next drift check";
        if (failed.sqlState().isPresent()) {
            LOG.warn(
                    "{}: {} (SQLSTATE {}), {}. The server's error: {}",
                    failed.reason(),
                    failed.message(),
                    failed.sqlState().get(),
                    next,
                    innermostText(failed.cause()));
        } else {
            LOG.warn("{}: {}, {}", failed.reason(), failed.message(), next, failed.cause());
        }
    }

    /** On one line: it comes from a server that may be a user's own. */
    private static String innermostText(Throwable thrown) {
        Throwable innermost = thrown;
        for (int depth = 0; depth < MAX_CAUSES && innermost.getCause() != null; depth++) {
            innermost = innermost.getCause();
        }
        String text = String.valueOf(innermost.getMessage());
        var line = new StringBuilder(text.substring(0, Math.min(text.length(), MAX_CAUSE_CHARS)));
        for (int i = 0; i < line.length(); i++) {
            if (Character.isISOControl(line.charAt(i))) {
                line.setCharAt(i, ' ');
            }
        }
        return line.toString();
    }

    /** The log context of one project. */
    public record Scope(MDC.MDCCloseable project, MDC.MDCCloseable ref) implements AutoCloseable {
        @Override
        public void close() {
            ref.close();
            project.close();
        }
    }
}
