package svc.operator.project.database;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;

/**
 * The verifiers of a project's logins. One takes about a millisecond, because SCRAM is made to be slow, and every check for
 * drift needs all four: so the latest ones are remembered. They are what pg_authid holds, not passwords.
 */
final class ProjectLogins {
    private record Wanted(ProjectKeyScope scope, int masterKeyVersion) {}

    private final MasterKeys keys;
    private final Map<Wanted, Map<DatabaseRole, String>> latest;

    /** @param remembered projects whose verifiers are kept, about 700 bytes each */
    ProjectLogins(MasterKeys keys, int remembered) {
        this.keys = keys;
        this.latest = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Wanted, Map<DatabaseRole, String>> eldest) {
                return size() > remembered;
            }
        };
    }

    /** For each login role; empty when the project's master key is not among those configured. */
    Optional<Map<DatabaseRole, String>> verifiers(ProjectRecord project, int loginKeyVersion) {
        Wanted wanted = new Wanted(project.keyScope(loginKeyVersion), project.masterKeyVersion());
        synchronized (latest) {
            Map<DatabaseRole, String> known = latest.get(wanted);
            if (known != null) {
                return Optional.of(known);
            }
        }
        Optional<Map<DatabaseRole, String>> computed =
                keys.version(project.masterKeyVersion()).map(key -> compute(key, wanted.scope()));
        computed.ifPresent(verifiers -> {
            synchronized (latest) {
                latest.put(wanted, verifiers);
            }
        });
        return computed;
    }

    private static Map<DatabaseRole, String> compute(MasterKey key, ProjectKeyScope scope) {
        Map<DatabaseRole, String> verifiers = new EnumMap<>(DatabaseRole.class);
        for (Purpose purpose : Purpose.values()) {
            purpose.role()
                    .ifPresent(role -> verifiers.put(
                            role, LoginSecret.of(key.root(purpose).leaf(scope)).scramVerifier()));
        }
        return verifiers;
    }
}
