package svc.management.storage;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import svc.management.audit.Actor;
import svc.management.audit.CallResult;
import svc.management.audit.SqlAudit;
import svc.management.audit.SqlCall;
import svc.management.token.Principal;
import svc.platform.dataplane.RequestId;
import svc.platform.tenancy.Tenant;
import svc.sqlgate.ScriptSummary;

/** Records which token created and deleted which access key: it reaches all files, and stands in the audit of SQL. */
@ApplicationScoped
class S3KeyAudit {
    private final SqlAudit audit;
    private final CurrentVertxRequest request;

    S3KeyAudit(SqlAudit audit, CurrentVertxRequest request) {
        this.audit = audit;
        this.request = request;
    }

    void created(Principal by, Tenant tenant, String id) {
        note(by, tenant, "create s3 key " + id);
    }

    void deleted(Principal by, Tenant tenant, String id) {
        note(by, tenant, "delete s3 key " + id);
    }

    private void note(Principal by, Tenant tenant, String what) {
        var call = new SqlCall(
                tenant.projectId(),
                tenant.ref(),
                by.organization(),
                new Actor.Token(by.tokenId()),
                RequestId.of(request.getCurrent()),
                Optional.empty(),
                what,
                Optional.empty());
        audit.note(
                call,
                new ScriptSummary(List.of(what), Optional.empty()),
                new CallResult(CallResult.Kind.COMMITTED, Optional.empty(), Optional.empty()));
    }
}
