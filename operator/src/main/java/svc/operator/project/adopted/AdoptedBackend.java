package svc.operator.project.adopted;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import svc.crds.project.Project;
import svc.crds.project.ProjectDatabase;
import svc.crds.project.ProjectIdentity;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.operator.project.backend.BackendResult;
import svc.operator.project.backend.ProjectBackend;
import svc.operator.project.backend.ProvisionRequests;
import svc.operator.project.backend.RemovalResult;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecrets;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.ProvisionResult.Conflict;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.failure.Failure;
import svc.operator.project.keys.ProjectMasterKey;

/**
 * Projects whose database existed before them, with its roles. Creates nothing in that database and never drops anything of
 * it: only the project's keys depend on the deletion policy.
 */
public final class AdoptedBackend implements ProjectBackend {
    /** Encrypted, it is part of the Project's status, which takes 2,048 characters. */
    private static final int MAX_PASSWORD_BYTES = 1_500;

    private final AdoptedDatabase database;
    private final ConnectionSecrets connections;
    private final MasterKeys masterKeys;

    public AdoptedBackend(AdoptedDatabase database, ConnectionSecrets connections, MasterKeys masterKeys) {
        this.database = database;
        this.connections = connections;
        this.masterKeys = masterKeys;
    }

    @Override
    public Optional<Failure> refusal(Project project) {
        return Optional.empty();
    }

    @Override
    public BackendResult reconcile(Project project) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        Complete connection = withShortPasswords(project, connections.of(project));
        ProvisionResult result = database.adopt(
                identity.projectId(),
                identity.ref(),
                ProvisionRequests.holder(project),
                connection,
                project.getSpec().rest().anonRole());
        return switch (result) {
            case Conflict conflict -> new BackendResult.Conflicted(conflict.what());
            case Provisioned provisioned ->
                new BackendResult.Ready(
                        provisioned,
                        location(project, connection, provisioned),
                        project.getSpec().rest().firstExposedSchema(),
                        OptionalInt.empty());
        };
    }

    private static Complete withShortPasswords(Project project, Complete connection) {
        if (Stream.concat(Stream.of(connection.login()), connection.owner().stream())
                .anyMatch(login -> login.password().getBytes(StandardCharsets.UTF_8).length > MAX_PASSWORD_BYTES)) {
            throw DatabaseFailure.of(
                    FailureReason.CONNECTION_SECRET_INVALID,
                    "of this Project",
                    "a password in the Secret "
                            + ConnectionSecrets.nameOf(project).orElseThrow() + " is longer than " + MAX_PASSWORD_BYTES
                            + " bytes: give the login a shorter one");
        }
        return connection;
    }

    private ProjectDatabase location(Project project, Complete connection, Provisioned provisioned) {
        MasterKey masterKey = ProjectMasterKey.of(masterKeys, provisioned.project());
        String secretName = ConnectionSecrets.nameOf(project).orElseThrow();
        return AdoptedLocation.of(connection, secretName, masterKey, provisioned.project());
    }

    @Override
    public RemovalResult retain(Project project) {
        return result(
                database.retain(ProjectIdentity.of(project).projectId(), ProvisionRequests.holder(project)),
                "Its keys are kept for this Project; its database was not changed.");
    }

    @Override
    public RemovalResult delete(Project project) {
        return result(
                database.forget(ProjectIdentity.of(project).projectId(), ProvisionRequests.holder(project)),
                "Its keys are revoked; its database was not changed.");
    }

    private static RemovalResult result(RemoveResult result, String message) {
        return switch (result) {
            case NOTHING_HELD -> new RemovalResult.NotHeld();
            case REMOVED -> new RemovalResult.Removed(message);
        };
    }

    @Override
    public boolean isOnExternalServer() {
        return true;
    }

    @Override
    public boolean needsClusterEvents(Project project) {
        return false;
    }
}
