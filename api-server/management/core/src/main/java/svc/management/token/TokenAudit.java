package svc.management.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import svc.management.audit.CallAudit;
import svc.management.audit.CallAudit.Subject;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.TenantDirectory;

/** Records what tokens did with tokens, and which changes a missing permission prevented. */
@ApplicationScoped
class TokenAudit {
    private final CallAudit audit;
    private final TenantDirectory tenants;

    TokenAudit(CallAudit audit, TenantDirectory tenants) {
        this.audit = audit;
        this.tenants = tenants;
    }

    /**
     * Runs a change of a token and records how it ended.
     *
     * @param what {@code create token}, …
     * @param done the same with the token and what became of it, without its secret
     */
    <T> T recorded(Principal by, String what, Supplier<T> change, Function<T, String> done) {
        return audit.recorded(caller(by), Optional.empty(), what, change, done);
    }

    /**
     * Records a change that was refused before its body was read.
     *
     * @param ref of the project in the call's path, if it has one
     * @param operation the call's id in the OpenAPI document
     */
    void denied(Principal by, Optional<String> ref, String operation, ProblemException refusal) {
        Optional<Subject> project = ref.flatMap(name -> tenants.find(name).or(() -> tenants.suspended(name)))
                .filter(tenant -> tenant.organization().equals(by.organization()))
                .map(tenant -> new Subject(tenant.projectId(), tenant.ref()));
        audit.failed(caller(by), project, "call " + operation, refusal);
    }

    /** As {@code : database_query, edge_functions}; empty for none. */
    static String granted(Collection<Permission> permissions) {
        return permissions.isEmpty()
                ? ""
                : permissions.stream().map(Permission::wire).sorted().collect(Collectors.joining(", ", ": ", ""));
    }

    /** As {@code : database_query on, edge_functions off}; empty for none. */
    static String changed(Map<Permission, Boolean> permissions) {
        return permissions.isEmpty()
                ? ""
                : new TreeMap<>(permissions)
                        .entrySet().stream()
                                .map(entry -> entry.getKey().wire() + (entry.getValue() ? " on" : " off"))
                                .collect(Collectors.joining(", ", ": ", ""));
    }

    private static CallAudit.Caller caller(Principal by) {
        return new CallAudit.Caller(by.tokenId(), by.organization());
    }
}
