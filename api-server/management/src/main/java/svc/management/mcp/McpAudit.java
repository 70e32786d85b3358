package svc.management.mcp;

import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import svc.management.query.audit.Actor;
import svc.management.query.audit.CallResult;
import svc.management.query.audit.CallResult.Kind;
import svc.management.query.audit.SqlAudit;
import svc.management.query.audit.SqlCall;
import svc.management.token.Principal;
import svc.platform.dataplane.RequestId;
import svc.platform.problem.Problem;
import svc.platform.tenancy.TenantDirectory;
import svc.sqlgate.ScriptSummary;

/**
 * Records which tool a client called in which project, in the audit of the project: the statement's kind names the tool. SQL
 * that a tool runs has its own row, as over {@code /v1}, with the same request id.
 */
@ApplicationScoped
class McpAudit {
    private final SqlAudit audit;
    private final TenantDirectory tenants;

    McpAudit(SqlAudit audit, TenantDirectory tenants) {
        this.audit = audit;
        this.tenants = tenants;
    }

    void done(Principal by, String project, String tool, RoutingContext context) {
        note(by, project, tool, context, new CallResult(Kind.COMMITTED, Optional.empty(), Optional.empty()));
    }

    void failed(Principal by, String project, String tool, RoutingContext context, Problem problem) {
        Kind kind = problem.code().status() == 403 ? Kind.DENIED : Kind.FAILED;
        note(by, project, tool, context, CallResult.of(kind, problem.code().wire()));
    }

    private void note(Principal by, String project, String tool, RoutingContext context, CallResult result) {
        tenants.find(project)
                .or(() -> tenants.suspended(project))
                .filter(tenant -> tenant.organization().equals(by.organization()))
                .ifPresent(tenant -> audit.note(
                        new SqlCall(
                                tenant.projectId(),
                                tenant.ref(),
                                tenant.organization(),
                                new Actor.Token(by.tokenId()),
                                RequestId.of(context),
                                Optional.empty(),
                                tool,
                                Optional.empty()),
                        new ScriptSummary(List.of("mcp " + tool), Optional.empty()),
                        result));
    }
}
