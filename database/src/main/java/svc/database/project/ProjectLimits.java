package svc.database.project;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import svc.database.name.DatabaseRole;

/**
 * What bounds a project in its database.
 *
 * @param logins settings of each login role
 */
public record ProjectLimits(Map<DatabaseRole, RoleSettings> logins, ObjectLimits objects) {
    public ProjectLimits {
        Map<DatabaseRole, RoleSettings> copy = new EnumMap<>(DatabaseRole.class);
        copy.putAll(logins);
        logins = Collections.unmodifiableMap(copy);
    }

    /** Those of a project without limits in its spec. */
    public static ProjectLimits defaults() {
        return new ProjectLimits(RoleSettings.defaults(), ObjectLimits.STANDARD);
    }
}
