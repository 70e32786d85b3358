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

/** The claim is a row of the platform's registry. Reads the adopted database with each of its logins and never writes to it. */
public final class PostgresAdoptedDatabase implements AdoptedDatabase {
    /** Prefix of an adopted database's name in the registry. */
    private static final String PREFIX = "adopted/";

    private static final String PLATFORM = "of the platform";

    /** Companion version of a claim whose database was checked once; an adopted database has no companions. */
    private static final int CHECKED = 1;

    private static final int SOCKET_TIMEOUT_SECONDS = 10;

    /** A missing role gives false. Membership in place of SET, which only PostgreSQL 16 and newer distinguish. */
    private static final String CHECK_LOGIN = """
            SELECT (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user),
                EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = ?
                    AND pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER'))""";

    private final ProjectRegistry registry;
    private final int masterKeyVersion;

    /** @param masterKeyVersion recorded for new claims */
    public PostgresAdoptedDatabase(ProjectRegistry registry, int masterKeyVersion) {
        this.registry = registry;
        this.masterKeyVersion = masterKeyVersion;
    }

    @Override
    public ProvisionResult adopt(UUID projectId, String ref, Holder holder, Complete connection, String anonRole) {
        var placement = new Placement.Dedicated(PREFIX + projectId);
        var claimRequest = new ClaimRequest(projectId, ref, holder, placement, masterKeyVersion);
        return switch (DatabaseFailure.guarded(PLATFORM, () -> registry.claim(claimRequest))) {
            case Claim.Conflict conflict -> new ProvisionResult.Conflict(conflict.heldBy(), conflict.what());
            case Claim.Held held -> {
                checkLogin(connection, connection.login(), anonRole);
                connection.owner().ifPresent(owner -> checkLogin(connection, owner, owner.user()));
                yield adopted(held.project());
            }
        };
    }

    private ProvisionResult adopted(ProjectRecord project) {
        boolean first = project.companionVersion() == 0;
        if (first) {
            DatabaseFailure.guarded(PLATFORM, () -> {
                registry.provisioned(project.projectId(), CHECKED);
                return null;
            });
        }
        return new ProvisionResult.Provisioned(project, first ? Change.CREATED : Change.NONE, List.of());
    }

    /** Logs in; refuses a superuser and a login that cannot SET ROLE to the role. */
    private static void checkLogin(Complete at, Login login, String role) {
        String name = at.databaseName();
        ProjectServer.guarded(name, () -> {
            try (Connection connection = ProjectServer.open(at, login, SOCKET_TIMEOUT_SECONDS);
                    PreparedStatement check = connection.prepareStatement(CHECK_LOGIN)) {
                check.setString(1, role);
                try (ResultSet row = check.executeQuery()) {
                    row.next();
                    refuseUnusable(name, login, role, row.getBoolean(1), row.getBoolean(2));
                    return null;
                }
            }
        });
    }

    private static void refuseUnusable(
            String database, Login login, String role, boolean superuser, boolean maySetRole) {
        if (superuser) {
            throw DatabaseFailure.of(
                    FailureReason.LOGIN_TOO_POWERFUL,
                    database,
                    login.user() + " is a superuser, which bypasses row security and grants: use a login that is only a"
                            + " member of the roles in tokens, like PostgREST's authenticator");
        }
        if (!maySetRole) {
            throw DatabaseFailure.of(
                    FailureReason.ROLE_MISSING,
                    database,
                    login.user() + " cannot SET ROLE to " + role + ": GRANT that role to it, or set another"
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
