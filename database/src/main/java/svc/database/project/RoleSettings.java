package svc.database.project;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.database.name.DatabaseRole;

/**
 * What bounds one login of a project. The timeouts are starting values of a session and can be lifted by the session
 * itself: the platform also cancels by its own clock. {@code temp_file_limit} and the connection limit cannot be lifted.
 *
 * @param connectionLimit maximum concurrent sessions
 * @param statementTimeout in PostgreSQL's notation, as are the next two
 * @param tempFileLimit disk for sorting and hashing, per session
 */
public record RoleSettings(
        int connectionLimit,
        String statementTimeout,
        String idleInTransactionTimeout,
        String lockTimeout,
        String tempFileLimit) {
    /** The settings of a project without limits in its spec. */
    public static Map<DatabaseRole, RoleSettings> defaults() {
        Map<DatabaseRole, RoleSettings> settings = new EnumMap<>(DatabaseRole.class);
        settings.put(DatabaseRole.OWNER, new RoleSettings(10, "60s", "60s", "10s", "1GB"));
        settings.put(DatabaseRole.API, new RoleSettings(60, "8s", "10s", "5s", "256MB"));
        settings.put(DatabaseRole.SERVICE, new RoleSettings(30, "30s", "10s", "5s", "256MB"));
        settings.put(DatabaseRole.SYSTEM, new RoleSettings(20, "10s", "10s", "5s", "256MB"));
        return settings;
    }

    /**
     * By parameter name, those that the provisioner may set; search_path is not among them, it follows from the project's
     * names.
     */
    Map<String, String> parameters(Provisioner provisioner) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("statement_timeout", statementTimeout);
        parameters.put("idle_in_transaction_session_timeout", idleInTransactionTimeout);
        parameters.put("lock_timeout", lockTimeout);
        if (provisioner == Provisioner.SUPERUSER) {
            parameters.put("temp_file_limit", tempFileLimit);
        }
        return parameters;
    }
}
