package svc.operator.project.status;

import svc.crds.project.ProjectDatabase;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.failure.Failure;
import svc.operator.project.keys.ApiKeys;
import svc.operator.project.keys.AuthSecrets;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.VerifyKeys;

/** What one look at a project came to. */
public sealed interface ProjectOutcome {
    /** An admin asked us to keep our hands off; nothing was looked at. */
    record Paused() implements ProjectOutcome {}

    /** Another resource holds the ref or the id; nothing was touched. */
    record Conflicted(String what) implements ProjectOutcome {}

    /**
     * Schemas, roles and keys are as the spec wants them; the Secret, or a key or a value from elsewhere, may be missing.
     *
     * @param place where the database is
     */
    record InOrder(
            Provisioned provisioned,
            ProjectDatabase place,
            ApiKeys keys,
            KeysSecretState secret,
            VerifyKeys.Found verifyKeys,
            AuthSecrets.Found authSecrets)
            implements ProjectOutcome {}

    /** It could not be done. Whatever was true before is still true. */
    record Failed(Failure failure) implements ProjectOutcome {}

    /** A deletion waits. */
    record DeletionBlocked(String message) implements ProjectOutcome {}
}
