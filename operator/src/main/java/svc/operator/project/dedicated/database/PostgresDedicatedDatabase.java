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
import svc.database.key.MasterKeys;
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

/**
 * The claim is a row of the platform's registry, as everybody's. The project's database is prepared at every look, which
 * repairs what was altered, and then holds the project as a shared one would, with all services' tables from the start:
 * nobody is there to whom lean tables would make a difference.
 */
public final class PostgresDedicatedDatabase implements DedicatedDatabase {
    private static final String PLATFORM = "of the platform";

    private static final Set<CompanionSchema> ALL_SERVICES = EnumSet.allOf(CompanionSchema.class);

    private final ProjectRegistry registry;
    private final MasterKeys keys;

    public PostgresDedicatedDatabase(ProjectRegistry registry, MasterKeys keys) {
        this.registry = registry;
        this.keys = keys;
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
        var wish = new ClaimRequest(
                request.projectId(),
                request.ref(),
                request.holder(),
                request.placement(),
                keys.newest().version());
        return guarded(PLATFORM, () -> registry.claim(wish));
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
                    "it was made in " + project.databaseName()
                            + ", and data does not move by itself: create this Project" + " as it was, or another one");
        }
        DataSource source = ProjectServer.of(at);
        String name = at.databaseName();
        Provisioner provisioner = ProjectServer.guarded(name, () -> {
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
        boolean made = project.companionVersion() > 0;
        return switch (DedicatedPreparation.examine(admin, project.names(), made)) {
            case Suitability.Suitable suitable -> suitable.provisioner();
            case Suitability.TooOld old ->
                throw DatabaseFailure.of(
                        FailureReason.SERVER_TOO_OLD,
                        at.databaseName(),
                        "it is PostgreSQL " + old.version() + ", and 16 or newer is needed");
            case Suitability.Lacking lacking ->
                throw DatabaseFailure.of(
                        FailureReason.INSUFFICIENT_PRIVILEGE,
                        at.databaseName(),
                        at.login().user() + " lacks " + String.join(", ", lacking.rights())
                                + ": give it these, or name a superuser");
            case Suitability.Occupied occupied ->
                throw DatabaseFailure.of(
                        FailureReason.DATABASE_IN_USE,
                        at.databaseName(),
                        "the schema " + occupied.schema() + " in it is not this Project's: name an empty database, or"
                                + " adopt this one as it is with spec.rest.anonRole");
            case Suitability.WithoutProject unused ->
                throw DatabaseFailure.of(
                        FailureReason.PROJECT_MISSING,
                        at.databaseName(),
                        "the project was made in another database: name that one, or restore its backup into this");
        };
    }

    @Override
    public boolean holds(UUID projectId, Holder holder) {
        return guarded(PLATFORM, () -> registry.heldBy(projectId, holder)).isPresent();
    }

    @Override
    public RemoveResult retain(UUID projectId, Holder holder, Supplier<Complete> connection) {
        return isMade(projectId, holder)
                ? end(projectId, holder, connection, (at, projects) -> projects.retain(projectId, holder))
                : release(projectId, holder);
    }

    @Override
    public RemoveResult delete(UUID projectId, Holder holder, Supplier<Complete> connection) {
        return isMade(projectId, holder)
                ? end(projectId, holder, connection, (at, projects) -> {
                    // Before the project goes, whose row is last: without the row nothing would be tried again.
                    inside(at, DedicatedPreparation::forget);
                    RemoveResult removed = projects.delete(projectId, holder);
                    inside(at, DedicatedPreparation::forgetOwner);
                    return removed;
                })
                : forget(projectId, holder);
    }

    private boolean isMade(UUID projectId, Holder holder) {
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

    private static void inside(Complete at, Act act) {
        ProjectServer.guarded(at.databaseName(), () -> {
            try (Connection admin = ProjectServer.of(at).getConnection()) {
                act.on(admin);
                return null;
            }
        });
    }

    /** Only where the project is: schemas called auth that are somebody else's must not go with it. */
    private RemoveResult end(UUID projectId, Holder holder, Supplier<Complete> connection, End end) {
        Complete at = connection.get();
        ProjectRecord project =
                guarded(PLATFORM, () -> registry.heldBy(projectId, holder)).orElseThrow();
        DataSource source = ProjectServer.of(at);
        Provisioner provisioner = ProjectServer.guarded(at.databaseName(), () -> {
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
