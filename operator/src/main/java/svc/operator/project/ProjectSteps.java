package svc.operator.project;

import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectDatabase;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.database.DatabaseMode;
import svc.database.key.KeyLeaf;
import svc.database.key.MasterKey;
import svc.database.key.Purpose;
import svc.database.name.ProjectNames;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.database.platform.ProjectRecord;
import svc.operator.project.adopted.AdoptedLocation;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecrets;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.dedicated.DedicatedBackend;
import svc.operator.project.dedicated.DedicatedDatabase;
import svc.operator.project.desired.LoginLimits;
import svc.operator.project.desired.ProjectAccess;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.failure.Failure;
import svc.operator.project.keys.ApiKeys;
import svc.operator.project.keys.AuthSecrets;
import svc.operator.project.keys.KeysSecretReconciler;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.SecretValues;
import svc.operator.project.keys.VerifyKeys;
import svc.operator.project.status.ProjectOutcome.Failed;
import svc.operator.project.status.Reasons;

/** The steps that {@link ProjectReconciler} names, each from the spec to one port. */
final class ProjectSteps {
    private final ProjectServices services;
    private final List<String> sharedDatabases;
    private final KeysSecretReconciler secrets;
    private final VerifyKeys verifyKeys;
    private final AuthSecrets authSecrets;
    private final ProjectAddresses addresses;
    private final ConnectionSecrets connections;
    private final DedicatedBackend dedicated;

    ProjectSteps(ProjectServices services, ProjectAddresses addresses, DedicatedBackend dedicated) {
        this.services = services;
        // In the order in which equally loaded ones are chosen.
        this.sharedDatabases = List.copyOf(services.places().keySet());
        this.secrets = new KeysSecretReconciler(services.client());
        var values = new SecretValues(services.client());
        this.verifyKeys = new VerifyKeys(values);
        this.authSecrets = new AuthSecrets(values);
        this.addresses = addresses;
        this.connections = new ConnectionSecrets(services.client());
        this.dedicated = dedicated;
    }

    /** What became of a project's database. */
    sealed interface Claimed {
        /** @param place where the project lives; only once it is provisioned */
        record Looked(ProvisionResult result, Optional<ProjectDatabase> place) implements Claimed {}

        /** Its database is not there yet. */
        record Waiting(Failed why) implements Claimed {}
    }

    /** What the spec asks for and cannot be had, found without looking at any database. */
    Optional<Failed> refusal(Project project) {
        var wish = project.getSpec().database();
        if (project.getSpec().rest().anonRole() != null && !isAdopted(project)) {
            return refused(
                    Reasons.NOTHING_TO_ADOPT,
                    "spec.rest.anonRole is for a database that has its roles already: delete this Project, and create one"
                            + " without it, or with connectionSecretRef in place of cluster.");
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

    /** Whether its database is one that somebody else made, roles and all. */
    static boolean isAdopted(Project project) {
        var wish = project.getSpec().database();
        return wish.mode() == DatabaseMode.DEDICATED
                && wish.dedicated().connectionSecretRef() != null
                && project.getSpec().rest().anonRole() != null;
    }

    Claimed claimAndProvision(Project project) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        var spec = project.getSpec();
        var holder = new Holder(
                project.getMetadata().getNamespace(), project.getMetadata().getName());
        if (isAdopted(project)) {
            Complete connection = connections.of(project);
            ProvisionResult result = services.adopted()
                    .adopt(
                            identity.projectId(),
                            identity.ref(),
                            holder,
                            connection,
                            spec.rest().anonRole());
            return new Claimed.Looked(
                    result,
                    provisioned(result)
                            .map(claimed -> AdoptedLocation.of(
                                    connection,
                                    ConnectionSecrets.nameOf(project).orElseThrow(),
                                    masterKey(claimed),
                                    claimed)));
        }
        var request = new ProvisionRequest(
                identity.projectId(),
                identity.ref(),
                holder,
                placement(project, identity),
                LoginLimits.of(spec.limits()),
                spec.keys().database().version());
        if (DedicatedBackend.concerns(project)) {
            return switch (dedicated.bringAbout(project, request)) {
                case DedicatedBackend.Result.Looked(var result, var place) -> new Claimed.Looked(result, place);
                case DedicatedBackend.Result.Waiting(var why) -> new Claimed.Waiting(new Failed(why));
            };
        }
        ProvisionResult result = services.database().provision(request);
        return new Claimed.Looked(
                result, provisioned(result).map(claimed -> services.places().get(claimed.databaseName())));
    }

    private Placement placement(Project project, ProjectIdentity identity) {
        if (DedicatedBackend.concerns(project)) {
            return new Placement.Dedicated(DedicatedDatabase.registeredName(identity.projectId()));
        }
        return new Placement.Shared(
                Optional.ofNullable(project.getSpec().database().shared())
                        .map(List::of)
                        .orElse(sharedDatabases));
    }

    private static Optional<ProjectRecord> provisioned(ProvisionResult result) {
        return result instanceof ProvisionResult.Provisioned provisioned
                ? Optional.of(provisioned.project())
                : Optional.empty();
    }

    ApiKeys keys(Project project, ProjectRecord claimed) {
        return ApiKeys.of(services.masterKeys(), claimed, project.getSpec().keys());
    }

    VerifyKeys.Found verifyKeys(Project project, ProjectRecord claimed) {
        return verifyKeys.read(project, seal(claimed));
    }

    AuthSecrets.Found authSecrets(Project project, ProjectRecord claimed) {
        return authSecrets.read(project, seal(claimed));
    }

    private KeyLeaf seal(ProjectRecord claimed) {
        return masterKey(claimed).root(Purpose.SEALED).leaf(claimed.keyScope(AdoptedLocation.KEY_VERSION));
    }

    KeysSecretState handOutKeys(Project project, ApiKeys keys, Collection<Secret> known) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        String schema = isAdopted(project)
                ? project.getSpec().rest().firstExposedSchema()
                : ProjectNames.shared(identity.projectId()).schemaName();
        var access = new ProjectAccess(
                identity.ref(), addresses.of(identity.ref()).url(), schema, keys.anon(), keys.service());
        return secrets.keep(project, Optional.ofNullable(project.getSpec().keysSecret()), access, known);
    }

    /** Of a project that is not, or no longer, this resource's. */
    void withdrawKeys(Project project, Collection<Secret> known) {
        secrets.withdraw(project, known);
    }

    private MasterKey masterKey(ProjectRecord claimed) {
        return services.masterKeys()
                .version(claimed.masterKeyVersion())
                .orElseThrow(() -> DatabaseFailure.of(
                        FailureReason.MASTER_KEY_MISSING,
                        "of the platform",
                        "version " + claimed.masterKeyVersion() + " of the master key is needed"));
    }
}
