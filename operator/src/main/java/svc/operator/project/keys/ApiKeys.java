package svc.operator.project.keys;

import svc.crds.project.KeyVersion;
import svc.crds.project.KeysSpec;
import svc.database.key.ApiKey;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.key.Purpose;
import svc.database.platform.ProjectRecord;

/**
 * The active anon and service keys of one project. Derived on demand, never stored.
 *
 * @param service bypasses row security; must not reach a status, an Event or a log
 */
public record ApiKeys(String anon, String service) {
    /**
     * @param project from the registry; its master key version decides
     * @throws IllegalStateException when that version is not configured, which provisioning refuses earlier
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

    /** Omits the keys. */
    @Override
    public String toString() {
        return "ApiKeys[]";
    }
}
