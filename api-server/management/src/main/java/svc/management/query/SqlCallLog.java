package svc.management.query;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.management.query.audit.CallResult;
import svc.management.query.audit.SqlCall;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLog;
import svc.postgres.script.ScriptOutcome;
import svc.sqlgate.ScriptSummary;

/** A line in the project's log for each script that ran: the kinds of its statements and PostgreSQL's error, never its text. */
final class SqlCallLog {
    private static final int MAX_KINDS = 20;

    private SqlCallLog() {}

    static void add(ProjectLog log, SqlCall call, ScriptSummary script, CallResult result, ScriptOutcome outcome) {
        String ended = result.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String kinds = String.join(
                ", ", script.kinds().stream().limit(MAX_KINDS).toList());
        if (outcome instanceof ScriptOutcome.Failed failed) {
            log.add(
                    call.projectId(),
                    LogSource.POSTGRES,
                    LogSeverity.ERROR,
                    Optional.of(call.requestId()),
                    failed.error().message(),
                    Map.of("sqlstate", failed.error().sqlState(), "command", "sql endpoint"));
        } else {
            log.add(
                    call.projectId(),
                    LogSource.POSTGRES,
                    outcome instanceof ScriptOutcome.Committed ? LogSeverity.INFO : LogSeverity.WARN,
                    Optional.of(call.requestId()),
                    "SQL endpoint: " + kinds + ": " + ended,
                    Map.of("command", "sql endpoint"));
        }
    }
}
