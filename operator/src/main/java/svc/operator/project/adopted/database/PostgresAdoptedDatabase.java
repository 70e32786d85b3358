package svc.operator.project.adopted.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.database.platform.Claim;
import svc.database.platform.ClaimRequest;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.database.platform.ProjectRecord;
import svc.database.platform.ProjectRegistry;
import svc.operator.project.adopted.AdoptedDatabase;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecret.Login;
import svc.operator.project.connection.database.ProjectServer;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.RemoveResult;

/** The claim is a row of the platform's registry; the adopted database is only looked at, as each of its logins. */
public final class PostgresAdoptedDatabase implements AdoptedDatabase {
    /** How an adopted database is called in the registry and in messages, before the name of its Secret's project. */
    private static final String PREFIX = "adopted/";

    private static final String PLATFORM = "of the platform";

    /** Of the claim: an adopted database has no companions, 1 says that it was looked at successfully once. */
    private static final int LOOKED_AT = 1;

    private static final int READ_SECONDS = 10;

    /** A role that does not exist is nobody's to become. PostgreSQL 16 tells SET from membership, older ones do not. */
    private static final String MAY_BECOME = """
            SELECT (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user),
                EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = ?
                    AND pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER'))""";

    private final ProjectRegistry registry;
    private final int masterKeyVersion;

    /** @param masterKeyVersion of new claims */
    public PostgresAdoptedDatabase(ProjectRegistry registry, int masterKeyVersion) {
        this.registry = registry;
        this.masterKeyVersion = masterKeyVersion;
    }

    @Override
    public ProvisionResult adopt(UUID projectId, String ref, Holder holder, Complete connection, String anonRole) {
        var placement = new Placement.Dedicated(PREFIX + projectId);
        var wish = new ClaimRequest(projectId, ref, holder, placement, masterKeyVersion);
        return switch (DatabaseFailure.guarded(PLATFORM, () -> registry.claim(wish))) {
            case Claim.Conflict conflict -> new ProvisionResult.Conflict(conflict.heldBy(), conflict.what());
            case Claim.Held held -> {
                look(connection, connection.login(), anonRole);
                connection.owner().ifPresent(owner -> look(connection, owner, owner.user()));
                yield adopted(held.project());
            }
        };
    }

    private ProvisionResult adopted(ProjectRecord project) {
        boolean first = project.companionVersion() == 0;
        if (first) {
            DatabaseFailure.guarded(PLATFORM, () -> {
                registry.provisioned(project.projectId(), LOOKED_AT);
                return null;
            });
        }
        return new ProvisionResult.Provisioned(project, first ? Change.CREATED : Change.NONE, List.of());
    }

    /** Logs in and sees whether the role can be had, and that the login is not one that nothing can hold. */
    private static void look(Complete at, Login login, String role) {
        String name = at.databaseName();
        ProjectServer.guarded(name, () -> {
            try (Connection connection = ProjectServer.open(at, login, READ_SECONDS);
                    PreparedStatement look = connection.prepareStatement(MAY_BECOME)) {
                look.setString(1, role);
                try (ResultSet row = look.executeQuery()) {
                    row.next();
                    judge(name, login, role, row.getBoolean(1), row.getBoolean(2));
                    return null;
                }
            }
        });
    }

    private static void judge(String database, Login login, String role, boolean superuser, boolean mayBecome) {
        if (superuser) {
            throw DatabaseFailure.of(
                    FailureReason.LOGIN_TOO_POWERFUL,
                    database,
                    login.user() + " is a superuser, which no row security and no grant can hold: name a login that is"
                            + " only a member of the roles that tokens name, as PostgREST's authenticator");
        }
        if (!mayBecome) {
            throw DatabaseFailure.of(
                    FailureReason.ROLE_MISSING,
                    database,
                    login.user() + " cannot become " + role + ": GRANT that role to it, or name another one in"
                            + " spec.rest.anonRole");
        }
    }

    @Override
    public RemoveResult retain(UUID projectId, Holder holder) {
        return end(projectId, holder, () -> {
            registry.release(projectId, holder);
            return null;
        });
    }

    @Override
    public RemoveResult forget(UUID projectId, Holder holder) {
        return end(projectId, holder, () -> {
            registry.burn(projectId, holder);
            return null;
        });
    }

    private RemoveResult end(UUID projectId, Holder holder, DatabaseFailure.Work<Void> act) {
        Optional<ProjectRecord> held = DatabaseFailure.guarded(PLATFORM, () -> registry.heldBy(projectId, holder));
        held.ifPresent(project -> DatabaseFailure.guarded(PLATFORM, act));
        return held.isPresent() ? RemoveResult.REMOVED : RemoveResult.NOTHING_HELD;
    }
}
