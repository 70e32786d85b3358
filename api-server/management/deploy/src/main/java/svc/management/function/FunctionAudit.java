package svc.management.function;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.management.audit.Actor;
import svc.management.audit.CallResult;
import svc.management.audit.SqlAudit;
import svc.management.audit.SqlCall;
import svc.management.token.Principal;
import svc.platform.dataplane.RequestId;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLog;
import svc.sqlgate.ScriptSummary;

/**
 * Records which token activated which code of which function. Deployed code holds the service-role key, so it reaches what
 * SQL reaches, and stands in the same audit: the kind names the function, the text's hash is that of the code's hash.
 */
@ApplicationScoped
class FunctionAudit {
    private final SqlAudit audit;
    private final CurrentVertxRequest request;
    private final ProjectLog log;

    FunctionAudit(SqlAudit audit, CurrentVertxRequest request, ProjectLog log) {
        this.audit = audit;
        this.request = request;
        this.log = log;
    }

    /** @param contentHash of the code's archive */
    void deployed(Principal by, ClaimedProject project, String name, String contentHash) {
        var call = new SqlCall(
                project.projectId(),
                project.ref(),
                by.organization(),
                new Actor.Token(by.tokenId()),
                RequestId.of(request.getCurrent()),
                Optional.empty(),
                contentHash,
                Optional.empty());
        audit.note(
                call,
                new ScriptSummary(List.of("deploy function " + name), Optional.empty()),
                new CallResult(CallResult.Kind.COMMITTED, Optional.empty(), Optional.empty()));
        log.add(
                project.projectId(),
                LogSource.FUNCTION,
                LogSeverity.INFO,
                Optional.of(call.requestId()),
                "deployed function " + name,
                Map.of("function", name, "event", "deploy"));
    }
}
