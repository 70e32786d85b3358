package svc.api.db;

import java.util.Set;
import svc.api.tenancy.Tenant;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;

/**
 * One login of one project as it stands now. A rotation, another master key or another database makes another one, so a
 * connection of before is never lent for it.
 */
record TenantLogin(
        String ref, String jdbcUrl, String user, Purpose purpose, int masterKeyVersion, ProjectKeyScope scope) {
    static TenantLogin of(Tenant tenant, DatabaseRole role) {
        Purpose purpose =
                Purpose.ofLogin(role).orElseThrow(() -> new IllegalArgumentException(role + " cannot log in"));
        int version = tenant.keyVersions().getOrDefault(purpose, Set.of(1)).stream()
                .max(Integer::compare)
                .orElse(1);
        return new TenantLogin(
                tenant.ref(),
                tenant.database().jdbcUrl(),
                tenant.names().role(role).name(),
                purpose,
                tenant.masterKeyVersion(),
                tenant.scope().withKeyVersion(version));
    }

    @Override
    public String toString() {
        return user;
    }
}
