package svc.postgres.flush;

import java.util.Map;
import java.util.Optional;
import org.jboss.logging.MDC;
import svc.platform.dataplane.RequestId;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLog;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;

/** Receives each error with which PostgreSQL answers a statement of a project. Must not block. */
@FunctionalInterface
public interface StatementErrors {
    /** For callers that keep no log. */
    StatementErrors NONE = (tenant, requestId, error) -> {};

    /** @param requestId of the request at work; empty if it is not known */
    void failed(Tenant tenant, String requestId, SqlError error);

    /**
     * Writes them into the projects' logs: the message in the project's names and the code, never the statement, its values,
     * or the detail, which quotes rows.
     */
    static StatementErrors into(ProjectLog log) {
        return (tenant, requestId, error) -> log.add(
                tenant.projectId(),
                LogSource.POSTGRES,
                LogSeverity.ERROR,
                Optional.of(requestId),
                DisplayedNames.of(tenant).in(error.getMessage()),
                Map.of("sqlstate", error.sqlState()));
    }

    /** The id of the request that this thread works for, or an empty text. */
    static String requestId() {
        return MDC.get(RequestId.LOG_KEY) instanceof String id ? id : "";
    }
}
