package svc.operator.project.desired;

import java.util.EnumMap;
import java.util.Map;
import svc.crds.project.LimitsSpec;
import svc.crds.project.ObjectLimitsSpec;
import svc.database.name.DatabaseRole;
import svc.database.project.ObjectKind;
import svc.database.project.ObjectLimits;
import svc.database.project.ProjectLimits;
import svc.database.project.RoleSettings;

/** {@code spec.limits} as settings of the four logins, the same for each, so that none bypasses another, and as limits of objects. */
public final class DatabaseLimits {
    private DatabaseLimits() {}

    public static ProjectLimits of(LimitsSpec limits) {
        var each = new RoleSettings(
                limits.connections(),
                limits.statementTimeoutSeconds() + "s",
                limits.idleInTransactionTimeoutSeconds() + "s",
                limits.lockTimeoutSeconds() + "s",
                limits.tempFileLimitMB() + "MB");
        Map<DatabaseRole, RoleSettings> logins = new EnumMap<>(DatabaseRole.class);
        RoleSettings.defaults().keySet().forEach(role -> logins.put(role, each));
        return new ProjectLimits(logins, objects(limits.objects()));
    }

    private static ObjectLimits objects(ObjectLimitsSpec limits) {
        Map<ObjectKind, Integer> objects = new EnumMap<>(ObjectKind.class);
        for (ObjectKind kind : ObjectKind.values()) {
            objects.put(kind, limit(limits, kind));
        }
        return new ObjectLimits(objects);
    }

    private static int limit(ObjectLimitsSpec limits, ObjectKind kind) {
        return switch (kind) {
            case RELATIONS -> limits.relations();
            case COLUMNS -> limits.columns();
            case INDEXES -> limits.indexes();
            case FUNCTIONS -> limits.functions();
            case FUNCTIONS_OF_ONE_NAME -> limits.functionsOfOneName();
            case OPERATORS -> limits.operators();
            case TYPES -> limits.types();
            case POLICIES -> limits.policies();
            case TRIGGERS -> limits.triggers();
        };
    }
}
