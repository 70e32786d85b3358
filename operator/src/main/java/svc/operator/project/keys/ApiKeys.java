package svc.operator.project.keys;

import svc.crds.project.KeyVersion;
import svc.crds.project.KeysSpec;
import svc.database.key.ApiKey;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.key.Purpose;
import svc.database.platform.ProjectRecord;

/**
 * The anon and service keys in force of one project. Derived, the same at any time, kept nowhere.
 *
 * @param service passes row security; never into a status, an Event or a log
 */
public record ApiKeys(String anon, String service) {
    /**
     * @param project as the registry has it; its master key version decides
     * @throws IllegalStateException when that version is not configured, which provisioning has refused before
     */
    public static ApiKeys of(MasterKeys masterKeys, ProjectRecord project, KeysSpec versions) {
        MasterKey masterKey = masterKeys
                .version(project.masterKeyVersion())
                .orElseThrow(() -> new IllegalStateException(
                        "version " + project.masterKeyVersion() + " of the master key is not configured"));
        return new ApiKeys(
                key(masterKey, Purpose.ANON_KEY, project, versions.anon()),
                key(masterKey, Purpose.SERVICE_KEY, project, versions.service()));
    }

    private static String key(MasterKey masterKey, Purpose purpose, ProjectRecord project, KeyVersion version) {
        return ApiKey.of(masterKey.root(purpose).leaf(project.keyScope(version.version())));
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "ApiKeys[]";
    }
}
