package svc.database.project;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.project.companion.Companion;

/**
 * Which project, and what is to be true of it.
 *
 * @param verifiers a SCRAM verifier for each login role and for no other; secret
 * @param limits with settings for each login role
 * @param provisioner with which rights
 */
public record ProjectTarget(
        ProjectNames names,
        Map<DatabaseRole, String> verifiers,
        ProjectLimits limits,
        Companion companion,
        Provisioner provisioner) {
    /** Provisioned by a superuser, with the default limits of objects. */
    public ProjectTarget(
            ProjectNames names,
            Map<DatabaseRole, String> verifiers,
            Map<DatabaseRole, RoleSettings> settings,
            Companion companion) {
        this(names, verifiers, new ProjectLimits(settings, ObjectLimits.STANDARD), companion, Provisioner.SUPERUSER);
    }

    public ProjectTarget {
        verifiers = Collections.unmodifiableMap(new EnumMap<>(verifiers));
        for (DatabaseRole role : DatabaseRole.values()) {
            if (role.login() != verifiers.containsKey(role)
                    || role.login() != limits.logins().containsKey(role)) {
                throw new IllegalArgumentException("verifiers and settings are for logins, each and only; see " + role);
            }
            String verifier = verifiers.get(role);
            // Anything else would be taken as a plain password and hashed by the server, under its own salt.
            if (verifier != null && !verifier.startsWith("SCRAM-SHA-256$")) {
                throw new IllegalArgumentException("the password of " + role + " is not a SCRAM verifier");
            }
        }
    }

    /** Omits the verifiers. */
    @Override
    public String toString() {
        return "ProjectTarget[" + names.schemaName() + ", companion " + companion.version() + "]";
    }
}
