package svc.operator.project.database;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;

/** Derives the SCRAM verifiers of a project's logins, as pg_authid stores them. */
final class ProjectLogins {
    private final MasterKeys keys;

    ProjectLogins(MasterKeys keys) {
        this.keys = keys;
    }

    /** By login role; empty when the project's master key version is not configured. */
    Optional<Map<DatabaseRole, String>> verifiers(ProjectRecord project, int loginKeyVersion) {
        return keys.version(project.masterKeyVersion()).map(key -> verifiers(key, project.keyScope(loginKeyVersion)));
    }

    private static Map<DatabaseRole, String> verifiers(MasterKey key, ProjectKeyScope scope) {
        Map<DatabaseRole, String> verifiers = new EnumMap<>(DatabaseRole.class);
        for (Purpose purpose : Purpose.values()) {
            purpose.role()
                    .ifPresent(role -> verifiers.put(
                            role, LoginSecret.of(key.root(purpose).leaf(scope)).scramVerifier()));
        }
        return verifiers;
    }
}
