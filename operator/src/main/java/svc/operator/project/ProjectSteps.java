package svc.operator.project;

import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.database.DatabaseMode;
import svc.database.key.MasterKeys;
import svc.database.name.ProjectNames;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.ProjectDatabase;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.desired.LoginLimits;
import svc.operator.project.desired.ProjectAccess;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.keys.ApiKeys;
import svc.operator.project.keys.KeysSecretKeeper;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.status.Failure;
import svc.operator.project.status.ProjectOutcome.Failed;
import svc.operator.project.status.Reasons;

/** The steps that {@link ProjectReconciler} names, each from the spec to one port. */
final class ProjectSteps {
    private final ProjectDatabase database;
    private final List<String> sharedDatabases;
    private final MasterKeys masterKeys;
    private final KeysSecretKeeper secrets;
    private final ProjectAddresses addresses;

    /** @param sharedDatabases the configured ones, in the order in which equally loaded ones are chosen */
    ProjectSteps(
            ProjectDatabase database,
            List<String> sharedDatabases,
            MasterKeys masterKeys,
            KeysSecretKeeper secrets,
            ProjectAddresses addresses) {
        this.database = database;
        this.sharedDatabases = List.copyOf(sharedDatabases);
        this.masterKeys = masterKeys;
        this.secrets = secrets;
        this.addresses = addresses;
    }

    /** What the spec asks for and cannot be had, found without looking at any database. */
    Optional<Failed> refusal(Project project) {
        var wish = project.getSpec().database();
        if (wish.mode() == DatabaseMode.DEDICATED) {
            return refused(
                    Reasons.DEDICATED_NOT_AVAILABLE,
                    "This version serves shared databases only: delete this Project and create one with"
                            + " spec.database.mode Shared.");
        }
        if (wish.shared() != null && !sharedDatabases.contains(wish.shared())) {
            return refused(
                    FailureReason.DATABASE_MISSING.conditionReason(),
                    "No shared database " + wish.shared() + " is configured: ask an admin for svc.databases."
                            + wish.shared() + ".");
        }
        return Optional.empty();
    }

    private static Optional<Failed> refused(String reason, String message) {
        return Optional.of(new Failed(new Failure(ProjectCondition.DATABASE_READY, reason, message, true, false)));
    }

    ProvisionResult claimAndProvision(Project project) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        var spec = project.getSpec();
        List<String> candidates =
                Optional.ofNullable(spec.database().shared()).map(List::of).orElse(sharedDatabases);
        return database.provision(new ProvisionRequest(
                identity.projectId(),
                identity.ref(),
                new Holder(
                        project.getMetadata().getNamespace(),
                        project.getMetadata().getName()),
                new Placement.Shared(candidates),
                LoginLimits.of(spec.limits()),
                spec.keys().database().version()));
    }

    ApiKeys keys(Project project, Provisioned provisioned) {
        return ApiKeys.of(masterKeys, provisioned.project(), project.getSpec().keys());
    }

    KeysSecretState handOutKeys(Project project, ApiKeys keys, Collection<Secret> known) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        var access = new ProjectAccess(
                identity.ref(),
                addresses.of(identity.ref()).url(),
                ProjectNames.shared(identity.projectId()).schemaName(),
                keys.anon(),
                keys.service());
        return secrets.keep(project, Optional.ofNullable(project.getSpec().keysSecret()), access, known);
    }

    /** Of a project that is not, or no longer, this resource's. */
    void withdrawKeys(Project project, Collection<Secret> known) {
        secrets.withdraw(project, known);
    }
}
