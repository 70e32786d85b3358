package svc.management.mcp;

import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import svc.management.audit.Actor;
import svc.management.audit.CallAudit;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.management.audit.SqlCall;
import svc.management.token.Principal;
import svc.platform.dataplane.RequestId;
import svc.platform.problem.Problem;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.sqlgate.ScriptSummary;

/**
 * Records which tool a client called in which project, in the audit of the project, and in that of the organisation a call without
 * one: the statement's kind names the tool. SQL that a tool runs has its own row, as over {@code /v1}, with the same request id.
 * Failed calls that are alike share a row for a minute: those above the limit are many.
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
        audit.note(
                call(by, project, tool, context),
                summary(tool),
                new CallResult(Kind.COMMITTED, Optional.empty(), Optional.empty()));
    }

    void failed(Principal by, String project, String tool, RoutingContext context, Problem problem) {
        audit.shared(
                call(by, project, tool, context),
                summary(tool),
                CallResult.of(CallAudit.kind(problem.code()), problem.code().wire()));
    }

    private SqlCall call(Principal by, String project, String tool, RoutingContext context) {
        Optional<Tenant> own = tenants.find(project)
                .or(() -> tenants.suspended(project))
                .filter(tenant -> tenant.organization().equals(by.organization()));
        return new SqlCall(
                own.map(Tenant::projectId).orElse(null),
                own.map(Tenant::ref).orElse(null),
                by.organization(),
                new Actor.Token(by.tokenId()),
                RequestId.of(context),
                Optional.empty(),
                tool,
                Optional.empty());
    }

    private static ScriptSummary summary(String tool) {
        return new ScriptSummary(List.of("mcp " + tool), Optional.empty());
    }
}
