package svc.platform.egress;

import svc.platform.tenancy.Tenant;

/**
 * The project on whose behalf an outgoing call is made: it counts against the project's share of calls and of memory, and
 * against its organisation's.
 *
 * @param ref of the project
 */
public record CallOwner(String organization, String ref) {
    public static CallOwner of(Tenant tenant) {
        return new CallOwner(tenant.organization(), tenant.ref());
    }
}
