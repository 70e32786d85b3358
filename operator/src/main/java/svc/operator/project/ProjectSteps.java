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
import svc.operator.project.adopted.AdoptedPlace;
import svc.operator.project.adopted.ConnectionSecret;
import svc.operator.project.adopted.ConnectionSecret.Complete;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.desired.LoginLimits;
import svc.operator.project.desired.ProjectAccess;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.keys.ApiKeys;
import svc.operator.project.keys.AuthSecrets;
import svc.operator.project.keys.KeysSecretKeeper;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.SecretValues;
import svc.operator.project.keys.VerifyKeys;
import svc.operator.project.status.Failure;
import svc.operator.project.status.ProjectOutcome.Failed;
import svc.operator.project.status.Reasons;

/** The steps that {@link ProjectReconciler} names, each from the spec to one port. */
final class ProjectSteps {
    private final ProjectServices services;
    private final List<String> sharedDatabases;
    private final KeysSecretKeeper secrets;
    private final VerifyKeys verifyKeys;
    private final AuthSecrets authSecrets;
    private final ProjectAddresses addresses;

    ProjectSteps(ProjectServices services, ProjectAddresses addresses) {
        this.services = services;
        // In the order in which equally loaded ones are chosen.
        this.sharedDatabases = List.copyOf(services.places().keySet());
        this.secrets = new KeysSecretKeeper(services.client());
        var values = new SecretValues(services.client());
        this.verifyKeys = new VerifyKeys(values);
        this.authSecrets = new AuthSecrets(values);
        this.addresses = addresses;
    }

    /**
     * A claim, and where the project lives.
     *
     * @param adopted how its database is reached, when that was there before the project
     */
    record Claimed(ProvisionResult result, Optional<Complete> adopted) {}

    /** What the spec asks for and cannot be had, found without looking at any database. */
    Optional<Failed> refusal(Project project) {
        var wish = project.getSpec().database();
        if (wish.mode() == DatabaseMode.DEDICATED && !isAdopted(project)) {
            return refused(
                    Reasons.DEDICATED_NOT_AVAILABLE,
                    "This version makes schemas in shared databases only, and serves an existing one with its own roles:"
                            + " delete this Project, and create one with spec.database.mode Shared, or with"
                            + " connectionSecretRef and spec.rest.anonRole.");
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
            Complete connection = connection(project);
            return new Claimed(
                    services.adopted()
                            .adopt(
                                    identity.projectId(),
                                    identity.ref(),
                                    holder,
                                    connection,
                                    spec.rest().anonRole()),
                    Optional.of(connection));
        }
        List<String> candidates =
                Optional.ofNullable(spec.database().shared()).map(List::of).orElse(sharedDatabases);
        return new Claimed(
                services.database()
                        .provision(new ProvisionRequest(
                                identity.projectId(),
                                identity.ref(),
                                holder,
                                new Placement.Shared(candidates),
                                LoginLimits.of(spec.limits()),
                                spec.keys().database().version())),
                Optional.empty());
    }

    private Complete connection(Project project) {
        String name = connectionSecret(project);
        Secret secret = services.client()
                .secrets()
                .inNamespace(project.getMetadata().getNamespace())
                .withName(name)
                .get();
        if (secret == null) {
            throw DatabaseFailure.of(
                    FailureReason.CONNECTION_SECRET_MISSING,
                    "of this Project",
                    "the Secret " + name + " does not exist: create it in this namespace with host, port, dbname, user,"
                            + " password and sslmode");
        }
        return switch (ConnectionSecret.of(secret)) {
            case Complete complete -> complete;
            case ConnectionSecret.Unusable unusable ->
                throw DatabaseFailure.of(
                        FailureReason.CONNECTION_SECRET_INVALID,
                        "of this Project",
                        "in the Secret " + name + " " + unusable.why());
        };
    }

    private static String connectionSecret(Project project) {
        return project.getSpec().database().dedicated().connectionSecretRef().name();
    }

    /** Where the project lives, for its status. */
    ProjectDatabase place(Project project, ProjectRecord claimed, Optional<Complete> adopted) {
        return adopted.map(connection ->
                        AdoptedPlace.of(connection, connectionSecret(project), masterKey(claimed), claimed))
                .orElseGet(() -> services.places().get(claimed.databaseName()));
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
        return masterKey(claimed).root(Purpose.SEALED).leaf(claimed.keyScope(AdoptedPlace.KEY_VERSION));
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
