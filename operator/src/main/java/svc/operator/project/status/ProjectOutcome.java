package svc.operator.project.status;

import java.util.Optional;
import svc.crds.project.RealtimeStatus;
import svc.operator.project.backend.BackendResult.Ready;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.failure.Failure;
import svc.operator.project.keys.ApiKeys;
import svc.operator.project.keys.AuthSecrets;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.VerifyKeys;

/** The outcome of one reconciliation of a Project. */
public sealed interface ProjectOutcome {
    /** An admin paused the project; nothing was read or written. */
    record Paused() implements ProjectOutcome {}

    /** Another resource holds the ref or the project id; nothing was changed. */
    record Conflicted(String what) implements ProjectOutcome {}

    /**
     * The database matches the spec and the keys are issued. The keys Secret, or a value in a Secret that the spec names, may
     * still be missing.
     */
    record Converged(
            Ready database,
            ApiKeys keys,
            KeysSecretState secret,
            VerifyKeys.Found verifyKeys,
            AuthSecrets.Found authSecrets,
            Optional<RealtimeStatus> realtime)
            implements ProjectOutcome {
        public Converged(
                Ready database,
                ApiKeys keys,
                KeysSecretState secret,
                VerifyKeys.Found verifyKeys,
                AuthSecrets.Found authSecrets) {
            this(database, keys, secret, verifyKeys, authSecrets, Optional.empty());
        }

        /** The same with the state of the project's sidecar. */
        public Converged with(Optional<RealtimeStatus> sidecar) {
            return new Converged(database, keys, secret, verifyKeys, authSecrets, sidecar);
        }

        public Provisioned provisioned() {
            return database.provisioned();
        }
    }

    /** The reconciliation failed; what was true before still is. */
    record Failed(Failure failure) implements ProjectOutcome {}

    /** The deletion waits. */
    record DeletionBlocked(String message) implements ProjectOutcome {}
}
