package svc.management.branch;

import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import svc.crds.project.Project;
import svc.management.audit.Actor;
import svc.management.audit.CallResult;
import svc.management.audit.SqlAudit;
import svc.management.audit.SqlCall;
import svc.management.token.Principal;
import svc.platform.dataplane.RequestId;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.TenantDirectory;
import svc.sqlgate.ScriptSummary;

/** Records what was done with branches, in the audit of the project that they branched from. */
@ApplicationScoped
class BranchAudit {
    private final SqlAudit audit;
    private final TenantDirectory tenants;

    BranchAudit(SqlAudit audit, TenantDirectory tenants) {
        this.audit = audit;
        this.tenants = tenants;
    }

    void note(Principal by, Project branch, String what, RoutingContext context) {
        String text = what + " " + ProjectWatch.refOf(branch);
        tenants.find(branch.getSpec().branchOf())
                .filter(parent -> parent.organization().equals(by.organization()))
                .ifPresent(parent -> audit.note(
                        new SqlCall(
                                parent.projectId(),
                                parent.ref(),
                                by.organization(),
                                new Actor.Token(by.tokenId()),
                                RequestId.of(context),
                                Optional.empty(),
                                text,
                                Optional.empty()),
                        new ScriptSummary(List.of(text), Optional.empty()),
                        new CallResult(CallResult.Kind.COMMITTED, Optional.empty(), Optional.empty())));
    }
}
