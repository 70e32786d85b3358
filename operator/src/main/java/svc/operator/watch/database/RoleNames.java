package svc.operator.watch.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Names of roles by oid, of the last {@value #MAX} seen. A lookup needs a place in the table of locks, so it fails while that is
 * full: the role stays unknown until a later pass.
 */
final class RoleNames {
    static final int MAX = 4_096;

    private static final String PLATFORM = "SELECT oid::bigint FROM pg_authid WHERE rolsuper OR rolname LIKE 'svc\\_%'";
    private static final String NAMES = "SELECT oid::bigint, rolname FROM pg_authid WHERE oid = ANY (?)";

    /** Class 53: insufficient resources. */
    private static final String NO_RESOURCES = "53";

    private final Connection connection;
    private final Long[] platform;
    private final Map<Long, String> names = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
            return size() > MAX;
        }
    };

    RoleNames(Connection connection) throws SQLException {
        this.connection = connection;
        List<Long> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(PLATFORM);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getLong(1));
            }
        }
        this.platform = found.toArray(Long[]::new);
    }

    /** The superusers and the platform's logins, as they were when the connection was opened. */
    Long[] platform() {
        return platform.clone();
    }

    Optional<String> name(long role) {
        return Optional.ofNullable(names.get(role));
    }

    /** Reads the names of those that are unknown. */
    void learn(List<Long> roles) throws SQLException {
        Long[] unknown = roles.stream().filter(role -> !names.containsKey(role)).toArray(Long[]::new);
        if (unknown.length == 0) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(NAMES)) {
            statement.setArray(1, connection.createArrayOf("oid", unknown));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    names.put(rows.getLong(1), rows.getString(2));
                }
            }
        } catch (SQLException e) {
            if (e.getSQLState() == null || !e.getSQLState().startsWith(NO_RESOURCES)) {
                throw e;
            }
        }
    }
}
