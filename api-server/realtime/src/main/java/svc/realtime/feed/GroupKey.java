package svc.realtime.feed;

import svc.database.name.DatabaseRole;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;

/** Callers with the same login, role and claims: policies cannot tell them apart. */
record GroupKey(DatabaseRole login, String role, String claims) {
    static GroupKey of(Tenant tenant, Caller caller) {
        return new GroupKey(caller.login(), caller.roleName(tenant), caller.claims());
    }

    /** Claims must not be logged. */
    @Override
    public String toString() {
        return role;
    }
}
