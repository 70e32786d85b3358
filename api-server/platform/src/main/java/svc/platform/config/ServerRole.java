package svc.platform.config;

import java.util.Set;
import svc.database.key.KeyHolder;
import svc.database.key.Purpose;

/** What an api-server does. One process may do both, as on a single machine. */
public enum ServerRole {
    /** The Management API: projects, tokens, SQL. */
    CONTROL(KeyHolder.CONTROL_PLANE),
    /** The six services of each project. */
    DATA(KeyHolder.DATA_PLANE),
    /** The realtime service of one project with a database of its own, and nothing else. Never together with another role. */
    REALTIME_SIDECAR(KeyHolder.REALTIME_SIDECAR);

    private final KeyHolder holder;

    ServerRole(KeyHolder holder) {
        this.holder = holder;
    }

    /** The secrets that this role cannot work without; it is given no other. */
    public Set<Purpose> purposes() {
        return holder.purposes();
    }
}
