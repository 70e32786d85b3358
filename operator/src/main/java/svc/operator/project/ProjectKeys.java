package svc.operator.project;

import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.Optional;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.database.key.DerivedKey;
import svc.database.key.MasterKeys;
import svc.database.platform.ProjectRecord;
import svc.operator.project.backend.BackendResult.Ready;
import svc.operator.project.desired.ProjectAccess;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.keys.ApiKeys;
import svc.operator.project.keys.AuthSecrets;
import svc.operator.project.keys.KeysSecretReconciler;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.ProjectMasterKey;
import svc.operator.project.keys.SecretValues;
import svc.operator.project.keys.VerifyKeys;
import svc.operator.project.status.ProjectOutcome.Converged;

/** Derives a provisioned project's keys, writes its keys Secret, and reads the Secrets that its spec names. */
final class ProjectKeys {
    private final MasterKeys masterKeys;
    private final ProjectAddresses addresses;
    private final KeysSecretReconciler keysSecrets;
    private final VerifyKeys verifyKeys;
    private final AuthSecrets authSecrets;

    ProjectKeys(
            MasterKeys masterKeys,
            ProjectAddresses addresses,
            KeysSecretReconciler keysSecrets,
            SecretValues secretValues) {
        this.masterKeys = masterKeys;
        this.addresses = addresses;
        this.keysSecrets = keysSecrets;
        this.verifyKeys = new VerifyKeys(secretValues);
        this.authSecrets = new AuthSecrets(secretValues);
    }

    /** @param known the project's labelled Secrets in the informer's cache */
    Converged issue(Project project, Ready database, Collection<Secret> known) {
        ProjectRecord claimed = database.provisioned().project();
        DerivedKey sealingKey = ProjectMasterKey.sealingKey(masterKeys, claimed);
        ApiKeys keys = ApiKeys.of(masterKeys, claimed, project.getSpec().keys());
        return new Converged(
                database,
                keys,
                writeKeysSecret(project, database.schema(), keys, known),
                verifyKeys.read(project, sealingKey),
                authSecrets.read(project, sealingKey));
    }

    private KeysSecretState writeKeysSecret(Project project, String schema, ApiKeys keys, Collection<Secret> known) {
        String ref = ProjectIdentity.of(project).ref();
        var access = new ProjectAccess(ref, addresses.of(ref).url(), schema, keys.anon(), keys.service());
        return keysSecrets.reconcile(
                project, Optional.ofNullable(project.getSpec().keysSecret()), access, known);
    }

    /** Deletes the keys Secret of a project that this resource does not hold, or no longer holds. */
    void withdraw(Project project, Collection<Secret> known) {
        keysSecrets.withdraw(project, known);
    }
}
