package svc.management.query;

import java.util.Map;
import java.util.Optional;
import svc.management.audit.SqlCall;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLog;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.ScriptOutcome;
import svc.sqlgate.ScriptSummary;

/** A line in the project's log for each script that ran: the kinds of its statements and PostgreSQL's error, never its text. */
final class SqlCallLog {
    private static final int MAX_KINDS = 20;

    private SqlCallLog() {}

    static void add(ProjectLog log, Tenant tenant, SqlCall call, ScriptSummary script, ScriptOutcome outcome) {
        String kinds =
                String.join(", ", script.kinds().stream().limit(MAX_KINDS).toList());
        if (outcome instanceof ScriptOutcome.Failed failed) {
            log.add(
                    call.projectId(),
                    LogSource.POSTGRES,
                    LogSeverity.ERROR,
                    Optional.of(call.requestId()),
                    DisplayedNames.of(tenant).in(failed.error().message()),
                    Map.of("sqlstate", failed.error().sqlState(), "command", "sql endpoint"));
        } else {
            boolean ran = outcome instanceof ScriptOutcome.Committed;
            log.add(
                    call.projectId(),
                    LogSource.POSTGRES,
                    ran ? LogSeverity.INFO : LogSeverity.WARN,
                    Optional.of(call.requestId()),
                    "SQL endpoint: " + kinds + (ran ? "" : ": not completed"),
                    Map.of("command", "sql endpoint"));
        }
    }
}
