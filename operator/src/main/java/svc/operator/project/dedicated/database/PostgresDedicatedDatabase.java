package svc.operator.project.dedicated.database;

import static svc.operator.project.database.DatabaseFailure.guarded;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKeys;
import svc.database.key.Purpose;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.platform.Claim;
import svc.database.platform.ClaimRequest;
import svc.database.platform.Holder;
import svc.database.platform.ProjectRecord;
import svc.database.platform.ProjectRegistry;
import svc.database.project.Provisioner;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionSchema;
import svc.database.shared.DedicatedPreparation;
import svc.database.shared.DedicatedPreparation.Suitability;
import svc.database.shared.DedicatedRealtime;
import svc.database.shared.RealtimePublication;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.database.ProjectServer;
import svc.operator.project.database.BatchStepRunner;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.PostgresProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.dedicated.DedicatedDatabase;
import svc.operator.project.keys.ProjectMasterKey;

/**
 * The claim is a row of the platform's registry. Every reconciliation prepares the database, which repairs manual changes, and
 * then provisions the project as in a shared database, with the tables of all services from the start: lean companions save
 * nothing in a database with one project.
 */
public final class PostgresDedicatedDatabase implements DedicatedDatabase {
    private static final String PLATFORM = "of the platform";

    private static final Set<CompanionSchema> ALL_SERVICES = EnumSet.allOf(CompanionSchema.class);

    private final ProjectRegistry registry;
    private final MasterKeys keys;
    private final ProjectServer server;

    public PostgresDedicatedDatabase(ProjectRegistry registry, MasterKeys keys, ProjectServer server) {
        this.registry = registry;
        this.keys = keys;
        this.server = server;
    }

    @Override
    public Optional<ProvisionResult.Conflict> claim(ProvisionRequest request) {
        return switch (claimed(request)) {
            case Claim.Conflict conflict ->
                Optional.of(new ProvisionResult.Conflict(conflict.heldBy(), conflict.what()));
            case Claim.Held unused -> Optional.empty();
        };
    }

    private Claim claimed(ProvisionRequest request) {
        var claimRequest = new ClaimRequest(
                request.projectId(),
                request.ref(),
                request.holder(),
                request.placement(),
                keys.newest().version());
        return guarded(PLATFORM, () -> registry.claim(claimRequest));
    }

    @Override
    public ProvisionResult provision(ProvisionRequest request, Complete connection) {
        return switch (claimed(request)) {
            case Claim.Conflict conflict -> new ProvisionResult.Conflict(conflict.heldBy(), conflict.what());
            case Claim.Held held -> provision(held.project(), request, connection);
        };
    }

    private ProvisionResult provision(ProjectRecord project, ProvisionRequest request, Complete at) {
        if (!project.databaseName().equals(DedicatedDatabase.registeredName(project.projectId()))) {
            throw DatabaseFailure.of(
                    FailureReason.PROJECT_IN_OTHER_DATABASE,
                    at.databaseName(),
                    "its data is in " + project.databaseName()
                            + ": create this Project with its former spec.database, or choose another ref and projectId");
        }
        DataSource source = server.of(at);
        String name = at.databaseName();
        Provisioner provisioner = guarded(name, () -> {
            try (Connection admin = source.getConnection()) {
                Provisioner suitable = suitable(admin, project, at);
                DedicatedPreparation.prepare(admin);
                return suitable;
            }
        });
        ProvisionResult result = projects(source, provisioner).provision(request);
        inside(at, admin -> {
            DedicatedPreparation.admit(admin, project.names());
            RealtimePublication.apply(admin);
        });
        return result;
    }

    @Override
    public Optional<String> prepareRealtime(ProjectRecord project, Complete at) {
        String verifier = LoginSecret.of(ProjectMasterKey.of(keys, project)
                        .root(Purpose.REPLICATION)
                        .leaf(project.keyScope(REPLICATION_LOGIN_VERSION)))
                .scramVerifier();
        return guarded(at.databaseName(), () -> {
            try (Connection admin = server.of(at).getConnection()) {
                Optional<String> obstacle = DedicatedRealtime.prepare(admin, project.names(), verifier);
                DedicatedRealtime.dropAbandonedSlots(admin);
                return obstacle;
            }
        });
    }

    private PostgresProjectProvisioner projects(DataSource source, Provisioner provisioner) {
        return new PostgresProjectProvisioner(
                registry,
                unused -> Optional.of(source),
                keys,
                unused -> Companion.using(ALL_SERVICES),
                new BatchStepRunner(),
                provisioner);
    }

    private static Provisioner suitable(Connection admin, ProjectRecord project, Complete at) throws SQLException {
        boolean provisioned = project.companionVersion() > 0;
        return switch (DedicatedPreparation.examine(admin, project.names(), provisioned)) {
            case Suitability.Suitable suitable -> suitable.provisioner();
            case Suitability.TooOld old ->
                throw DatabaseFailure.of(
                        FailureReason.SERVER_TOO_OLD,
                        at.databaseName(),
                        "it is PostgreSQL " + old.version() + ": use 16 or newer");
            case Suitability.Lacking lacking ->
                throw DatabaseFailure.of(
                        FailureReason.INSUFFICIENT_PRIVILEGE,
                        at.databaseName(),
                        at.login().user() + " lacks " + String.join(", ", lacking.rights())
                                + ": grant them, or use a superuser");
            case Suitability.Occupied occupied ->
                throw DatabaseFailure.of(
                        FailureReason.DATABASE_IN_USE,
                        at.databaseName(),
                        "the schema " + occupied.schema() + " is not owned by this Project: use an empty database, or"
                                + " adopt this one with spec.rest.anonRole");
            case Suitability.WithoutProject unused ->
                throw DatabaseFailure.of(
                        FailureReason.PROJECT_MISSING,
                        at.databaseName(),
                        "the project was provisioned in another database: use that one, or restore its backup here");
        };
    }

    @Override
    public boolean holds(UUID projectId, Holder holder) {
        return guarded(PLATFORM, () -> registry.heldBy(projectId, holder)).isPresent();
    }

    @Override
    public RemoveResult retain(UUID projectId, Holder holder, Supplier<Complete> connection) {
        return isProvisioned(projectId, holder)
                ? end(projectId, holder, connection, (at, projects) -> {
                    inside(at, admin -> DedicatedRealtime.close(admin, names(projectId)));
                    return projects.retain(projectId, holder);
                })
                : release(projectId, holder);
    }

    @Override
    public RemoveResult delete(UUID projectId, Holder holder, Supplier<Complete> connection) {
        return isProvisioned(projectId, holder)
                ? end(projectId, holder, connection, (at, projects) -> {
                    // Before the project's row, which must be last: a failure without the row would not be retried.
                    inside(at, admin -> {
                        DedicatedRealtime.remove(admin, names(projectId));
                        DedicatedPreparation.forget(admin);
                    });
                    RemoveResult removed = projects.delete(projectId, holder);
                    inside(at, DedicatedPreparation::forgetOwner);
                    return removed;
                })
                : forget(projectId, holder);
    }

    private static ProjectNames names(UUID projectId) {
        return new ProjectNames(projectId, Layout.DEDICATED);
    }

    private boolean isProvisioned(UUID projectId, Holder holder) {
        return guarded(PLATFORM, () -> registry.heldBy(projectId, holder))
                .filter(project -> project.companionVersion() > 0)
                .filter(project -> project.databaseName().equals(DedicatedDatabase.registeredName(projectId)))
                .isPresent();
    }

    @FunctionalInterface
    private interface End {
        RemoveResult in(Complete at, PostgresProjectProvisioner projects);
    }

    @FunctionalInterface
    private interface Act {
        void on(Connection admin) throws SQLException;
    }

    private void inside(Complete at, Act act) {
        guarded(at.databaseName(), () -> {
            try (Connection admin = server.of(at).getConnection()) {
                act.on(admin);
                return null;
            }
        });
    }

    /** Verifies that the database contains the project: schemas named auth of another owner must not be dropped. */
    private RemoveResult end(UUID projectId, Holder holder, Supplier<Complete> connection, End end) {
        Complete at = connection.get();
        ProjectRecord project =
                guarded(PLATFORM, () -> registry.heldBy(projectId, holder)).orElseThrow();
        DataSource source = server.of(at);
        Provisioner provisioner = guarded(at.databaseName(), () -> {
            try (Connection admin = source.getConnection()) {
                return suitable(admin, project, at);
            }
        });
        return end.in(at, projects(source, provisioner));
    }

    @Override
    public RemoveResult release(UUID projectId, Holder holder) {
        if (!holds(projectId, holder)) {
            return RemoveResult.NOTHING_HELD;
        }
        guarded(PLATFORM, () -> {
            registry.release(projectId, holder);
            return null;
        });
        return RemoveResult.REMOVED;
    }

    @Override
    public RemoveResult forget(UUID projectId, Holder holder) {
        if (!holds(projectId, holder)) {
            return RemoveResult.NOTHING_HELD;
        }
        guarded(PLATFORM, () -> {
            registry.burn(projectId, holder);
            return null;
        });
        return RemoveResult.REMOVED;
    }
}
