package svc.api.runtime;

import java.util.EnumSet;
import java.util.Set;
import svc.database.key.Purpose;

/** What an api-server does. One process may do both, as on a single machine. */
public enum ServerRole {
    /** The Management API: projects, tokens, SQL. */
    CONTROL(EnumSet.of(Purpose.OWNER, Purpose.SERVICE_KEY, Purpose.LOGIN_PLATFORM)),
    /** The six services of each project. It never holds the owner's root: what it does not have, nobody takes from it. */
    DATA(EnumSet.of(
            Purpose.API,
            Purpose.SERVICE,
            Purpose.SYSTEM,
            Purpose.ANON_KEY,
            Purpose.SERVICE_KEY,
            Purpose.SIGNING,
            Purpose.SEALED,
            Purpose.FUNCTION_RUNTIME,
            Purpose.LOGIN_CATALOG,
            Purpose.LOGIN_REPLICATION,
            Purpose.CHANNEL));

    private final Set<Purpose> purposes;

    ServerRole(Set<Purpose> purposes) {
        this.purposes = Set.copyOf(purposes);
    }

    /** The secrets that this role cannot work without; it is given no other. */
    public Set<Purpose> purposes() {
        return purposes;
    }
}
