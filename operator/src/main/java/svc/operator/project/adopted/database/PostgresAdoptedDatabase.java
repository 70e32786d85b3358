package svc.operator.project.adopted.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    /**
     * Judges the login itself, whatever role its settings put on. A missing role gives false. Membership in place of SET, which
     * only PostgreSQL 16 and newer distinguish: a member may be allowed later what it is not today.
     */
    private static final String CHECK_LOGIN = """
            WITH login AS (SELECT r.* FROM pg_catalog.pg_roles r WHERE r.rolname = session_user),
                reached AS (SELECT r.rolname, r.rolsuper FROM pg_catalog.pg_roles r, login l
                    WHERE pg_catalog.pg_has_role(l.oid, r.oid, 'MEMBER'))
            SELECT l.rolsuper,
                EXISTS (SELECT FROM reached r WHERE r.rolsuper),
                EXISTS (SELECT FROM reached r WHERE r.rolname IN
                    ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')),
                l.rolbypassrls OR l.rolreplication OR l.rolcreaterole,
                EXISTS (SELECT FROM reached r WHERE r.rolname = ?)
            FROM login l""";

    /** What a login may do, and must not. */
    private enum Excess {
        SUPERUSER("is a superuser"),
        MEMBER_OF_SUPERUSER("is a member of a superuser, directly or through another role"),
        SERVER_FILES(
                "is a member of pg_execute_server_program, pg_read_server_files or pg_write_server_files, which reach the"
                        + " server's files and programs"),
        /** Of the login of requests only: migrations may need them. */
        ATTRIBUTES("has BYPASSRLS, REPLICATION or CREATEROLE");

        private final String phrase;

        Excess(String phrase) {
            this.phrase = phrase;
        }
    }

    private final ProjectRegistry registry;
    private final int masterKeyVersion;

    private final ProjectServer server;

    /** @param masterKeyVersion recorded for new claims */
    public PostgresAdoptedDatabase(ProjectRegistry registry, int masterKeyVersion, ProjectServer server) {
        this.registry = registry;
        this.server = server;
        this.masterKeyVersion = masterKeyVersion;
    }

    @Override
    public ProvisionResult adopt(UUID projectId, String ref, Holder holder, Complete connection, String anonRole) {
        var placement = new Placement.Dedicated(PREFIX + projectId);
        var claimRequest = new ClaimRequest(projectId, ref, holder, placement, masterKeyVersion);
        return switch (DatabaseFailure.guarded(PLATFORM, () -> registry.claim(claimRequest))) {
            case Claim.Conflict conflict -> new ProvisionResult.Conflict(conflict.heldBy(), conflict.what());
            case Claim.Held held -> {
                checkLogin(connection, connection.login(), anonRole, EnumSet.allOf(Excess.class));
                connection
                        .owner()
                        .ifPresent(owner -> checkLogin(
                                connection, owner, owner.user(), EnumSet.complementOf(EnumSet.of(Excess.ATTRIBUTES))));
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

    /** Logs in; refuses a login with one of the excesses, and one that cannot SET ROLE to the role. */
    private void checkLogin(Complete at, Login login, String role, Set<Excess> refused) {
        String name = at.databaseName();
        DatabaseFailure.guarded(name, () -> {
            try (Connection connection = server.open(at, login, SOCKET_TIMEOUT_SECONDS);
                    PreparedStatement check = connection.prepareStatement(CHECK_LOGIN)) {
                check.setString(1, role);
                try (ResultSet row = check.executeQuery()) {
                    if (!row.next()) {
                        throw roleMissing(name, login, role);
                    }
                    for (Excess excess : refused) {
                        if (row.getBoolean(1 + excess.ordinal())) {
                            throw tooPowerful(name, login, excess);
                        }
                    }
                    if (!row.getBoolean(1 + Excess.values().length)) {
                        throw roleMissing(name, login, role);
                    }
                    return null;
                }
            }
        });
    }

    private static DatabaseFailure tooPowerful(String database, Login login, Excess excess) {
        return DatabaseFailure.of(
                FailureReason.LOGIN_TOO_POWERFUL,
                database,
                login.user() + " " + excess.phrase + ": use a login that is only a member of the roles in tokens, like"
                        + " PostgREST's authenticator");
    }

    private static DatabaseFailure roleMissing(String database, Login login, String role) {
        return DatabaseFailure.of(
                FailureReason.ROLE_MISSING,
                database,
                login.user() + " cannot SET ROLE to " + role + ": GRANT that role to it, or set another"
                        + " spec.rest.anonRole");
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
