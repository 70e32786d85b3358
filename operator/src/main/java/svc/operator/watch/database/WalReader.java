package svc.operator.watch.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.database.name.ProjectNames;
import svc.operator.watch.rule.ProcessId;
import svc.operator.watch.rule.WalWritten;

/** Reads how much of the write-ahead log the sessions of tenants have written. PostgreSQL counts it by session from 18 on. */
final class WalReader {
    private static final int FIRST_VERSION = 18;

    private static final String WRITTEN = """
            SELECT a.pid, (extract(epoch FROM a.backend_start) * 1000000)::bigint, a.usesysid::bigint, w.wal_bytes::bigint
            FROM pg_stat_get_activity(NULL) a, pg_stat_get_backend_wal(a.pid) w
            WHERE a.datid = ?::bigint::oid AND a.backend_type = 'client backend' AND a.usesysid <> ALL (?)
                AND w.wal_bytes > 0""";

    private final Connection connection;
    private final RoleNames roles;
    private final long database;
    private final boolean counted;

    WalReader(Connection connection, RoleNames roles, long database) throws SQLException {
        this.connection = connection;
        this.roles = roles;
        this.database = database;
        this.counted = connection.getMetaData().getDatabaseMajorVersion() >= FIRST_VERSION;
    }

    /** Empty on a server that does not count it. */
    Optional<List<WalWritten>> read() throws SQLException {
        return counted ? Optional.of(written()) : Optional.empty();
    }

    private List<WalWritten> written() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WRITTEN)) {
            statement.setLong(1, database);
            statement.setArray(2, connection.createArrayOf("oid", roles.platform()));
            try (ResultSet rows = statement.executeQuery()) {
                List<WalWritten> written = new ArrayList<>();
                while (rows.next()) {
                    written.add(new WalWritten(
                            new ProcessId(rows.getInt(1), rows.getLong(2)),
                            roles.name(rows.getLong(3)).flatMap(ProjectNames::projectIdIn),
                            rows.getLong(4)));
                }
                return written;
            }
        }
    }
}
