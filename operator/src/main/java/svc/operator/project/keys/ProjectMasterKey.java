package svc.operator.project.keys;

import svc.database.key.DerivedKey;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.key.Purpose;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;

/** Finds the version of the master key that a project's keys are derived from. */
public final class ProjectMasterKey {
    /** Version of the keys that seal values in a Project's status. They are rotated together with the master key. */
    public static final int SEALING_KEY_VERSION = 1;

    private ProjectMasterKey() {}

    /** @throws DatabaseFailure when that version is not configured */
    public static MasterKey of(MasterKeys masterKeys, ProjectRecord project) {
        return masterKeys
                .version(project.masterKeyVersion())
                .orElseThrow(() -> DatabaseFailure.of(
                        FailureReason.MASTER_KEY_MISSING,
                        "of the platform",
                        "configure version " + project.masterKeyVersion() + " of the master key again"));
    }

    /** Seals values in the status that the data plane may read. */
    public static DerivedKey sealingKey(MasterKeys masterKeys, ProjectRecord project) {
        return of(masterKeys, project).root(Purpose.SEALED).leaf(project.keyScope(SEALING_KEY_VERSION));
    }
}
