package svc.operator.project.desired;

import java.util.EnumMap;
import java.util.Map;
import svc.crds.project.LimitsSpec;
import svc.database.name.DatabaseRole;
import svc.database.project.RoleSettings;

/** {@code spec.limits} as settings of the four logins: the same for each, so that none bypasses another. */
public final class LoginLimits {
    private LoginLimits() {}

    public static Map<DatabaseRole, RoleSettings> of(LimitsSpec limits) {
        var each = new RoleSettings(
                limits.connections(),
                limits.statementTimeoutSeconds() + "s",
                limits.idleInTransactionTimeoutSeconds() + "s",
                limits.lockTimeoutSeconds() + "s",
                limits.tempFileLimitMB() + "MB");
        Map<DatabaseRole, RoleSettings> settings = new EnumMap<>(DatabaseRole.class);
        RoleSettings.defaults().keySet().forEach(role -> settings.put(role, each));
        return settings;
    }
}
