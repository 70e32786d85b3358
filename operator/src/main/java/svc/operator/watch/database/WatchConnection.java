package svc.operator.watch.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import svc.database.sql.Identifier;
import svc.database.sql.SqlTemplate;
import svc.operator.database.DatabaseLogin;
import svc.operator.watch.rule.ProcessId;

/**
 * The one connection of a watch, opened before it is needed and kept.
 *
 * <p>Hazard: a tenant can fill the server's table of locks. From then on nothing that takes an entry there succeeds: a login,
 * an advisory lock, the first look into a shared catalog. So what this connection sends while it watches takes none: it calls
 * functions only and reads roles from a cache.
 */
final class WatchConnection implements AutoCloseable {
    /** Sessions of a watch have this name and its superuser's login, which no tenant has. */
    static final String APPLICATION = "svc-watch";

    private static final String TIMEOUT_SECONDS = "10";

    /** A leader that has asked nothing for as long hangs. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static final String SESSION = """
            SELECT set_config('search_path', 'pg_catalog', false), set_config('statement_timeout', '10s', false),
                set_config('lock_timeout', '500ms', false), set_config('client_min_messages', 'error', false),
                set_config('default_transaction_read_only', 'off', false),
                CASE WHEN current_setting('server_version_num')::int >= 170000
                    THEN set_config('event_triggers', 'off', false) END""";

    /** The least that the server's table of locks holds: it has room for further processes beside the connections. */
    private static final String CAPACITY = "SELECT current_setting('max_locks_per_transaction')::bigint"
            + " * current_setting('max_connections')::bigint";

    private static final String LEADER = """
            SELECT a.pid, (extract(epoch FROM a.backend_start) * 1000000)::bigint, a.pid = pg_backend_pid(),
                (extract(epoch FROM clock_timestamp() - a.state_change) * 1000)::bigint
            FROM pg_stat_get_activity(NULL) a
            JOIN pg_stat_get_activity(pg_backend_pid()) self ON self.datid = a.datid AND self.usesysid = a.usesysid
            WHERE a.application_name = 'svc-watch' ORDER BY a.backend_start, a.pid LIMIT 1""";

    private static final String END = "SELECT %s(a.pid) FROM pg_stat_get_activity(?) a"
            + " WHERE (extract(epoch FROM a.backend_start) * 1000000)::bigint = ?";

    private static final String TABLE = "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n"
            + " ON n.oid = c.relnamespace WHERE c.oid = ?::bigint::oid AND n.nspname LIKE 'proj\\_%'";

    private static final SqlTemplate STOP_MAINTENANCE =
            SqlTemplate.of("ALTER TABLE :\"schema\".:\"table\" SET (autovacuum_enabled = false)");

    private static final String QUARANTINED = "SELECT schema_name FROM svc_guard.quarantine";
    private static final String UNDEFINED_TABLE = "42P01";

    private final Connection connection;
    private final ActivityReader activity;
    private final long lockCapacity;

    private WatchConnection(Connection connection) throws SQLException {
        this.connection = connection;
        try (Statement statement = connection.createStatement()) {
            statement.execute(SESSION);
            try (ResultSet row = statement.executeQuery(CAPACITY)) {
                row.next();
                this.lockCapacity = row.getLong(1);
            }
        }
        this.activity = new ActivityReader(connection);
    }

    static WatchConnection open(DatabaseLogin login) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", login.username());
        properties.setProperty("password", login.password().get());
        properties.setProperty("ApplicationName", APPLICATION);
        properties.setProperty("connectTimeout", TIMEOUT_SECONDS);
        properties.setProperty("loginTimeout", TIMEOUT_SECONDS);
        properties.setProperty("socketTimeout", "30");
        properties.setProperty("tcpKeepAlive", "true");
        // Planned once, not in each pass.
        properties.setProperty("prepareThreshold", "1");
        Connection connection = DriverManager.getConnection(login.jdbcUrl(), properties);
        try {
            return new WatchConnection(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** How many locks the server can hold at once, at least. */
    long lockCapacity() {
        return lockCapacity;
    }

    ActivityReader activity() {
        return activity;
    }

    /**
     * Whether this is the oldest watch on its database. Two may lead for a moment, which does no harm. Ends a leader that is
     * silent, so that the next call elects another one.
     */
    boolean leads() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LEADER);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return false;
            }
            if (row.getBoolean(3)) {
                return true;
            }
            if (row.getLong(4) > SILENCE.toMillis()) {
                terminate(new ProcessId(row.getInt(1), row.getLong(2)));
            }
            return false;
        }
    }

    void cancel(ProcessId process) throws SQLException {
        end("pg_cancel_backend", process);
    }

    void terminate(ProcessId process) throws SQLException {
        end("pg_terminate_backend", process);
    }

    private void end(String function, ProcessId process) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(END.formatted(function))) {
            statement.setInt(1, process.pid());
            statement.setLong(2, process.begunMicros());
            statement.execute();
        }
    }

    /** Has autovacuum leave the table alone, unless it is gone. Waits half a second for a lock, then fails. */
    void stopMaintenance(long table) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(TABLE)) {
            find.setLong(1, table);
            try (ResultSet row = find.executeQuery();
                    Statement statement = connection.createStatement()) {
                if (row.next()) {
                    statement.execute(STOP_MAINTENANCE
                            .bind(Map.of(
                                    "schema",
                                    Identifier.of(row.getString(1)),
                                    "table",
                                    Identifier.of(row.getString(2))))
                            .sql());
                }
            }
        }
    }

    /** The schemas of the projects in quarantine; none in a database that is not prepared yet, as at the first start. */
    List<String> quarantined() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(QUARANTINED);
                ResultSet rows = statement.executeQuery()) {
            List<String> schemas = new ArrayList<>();
            while (rows.next()) {
                schemas.add(rows.getString(1));
            }
            return schemas;
        } catch (SQLException e) {
            if (UNDEFINED_TABLE.equals(e.getSQLState())) {
                return List.of();
            }
            throw e;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
