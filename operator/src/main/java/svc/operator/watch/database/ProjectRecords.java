package svc.operator.watch.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import svc.operator.database.SqlStates;

/** What the platform's database has of a watched project: its resource, and its log. */
public final class ProjectRecords {
    private static final String FIND =
            "SELECT ref, namespace, name FROM svc_platform.project WHERE project_id = ? AND state = 'active'";

    /** As every writer of the log: one at a time, so that the numbers of lines increase with their commits. */
    private static final String LOCK = "SELECT one FROM svc_platform.project_log_writer FOR UPDATE";

    /** Source 6: postgres_logs. Severity 3: error. */
    private static final String ADD = """
            WITH line AS (
                INSERT INTO svc_platform.project_log (project_id, at, source, severity, message)
                VALUES (?, ?, 6, 3, ?) RETURNING project_id, at, message)
            INSERT INTO svc_platform.project_log_volume AS v (project_id, minute, lines, bytes)
            SELECT project_id, date_trunc('minute', at), 1, 120 + octet_length(message) FROM line
            ON CONFLICT (project_id, minute) DO UPDATE SET lines = v.lines + 1, bytes = v.bytes + excluded.bytes""";

    private final DataSource platform;
    private final InstantSource clock;

    public ProjectRecords(DataSource platform, InstantSource clock) {
        this.platform = platform;
        this.clock = clock;
    }

    /**
     * Empty for a project that is deleted or retained.
     *
     * @throws IllegalStateException when the platform's database failed
     */
    public Optional<WatchedProject> find(UUID project) {
        try (Connection connection = platform.getConnection();
                PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setObject(1, project);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? Optional.of(new WatchedProject(row.getString(1), row.getString(2), row.getString(3)))
                        : Optional.empty();
            }
        } catch (SQLException e) {
            throw failed("reading a watched project", e);
        }
    }

    /**
     * Adds a line to the project's log.
     *
     * @throws IllegalStateException when the platform's database failed
     */
    public void log(UUID project, String message) {
        try (Connection connection = platform.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement lock = connection.prepareStatement(LOCK);
                    PreparedStatement add = connection.prepareStatement(ADD)) {
                lock.execute();
                add.setObject(1, project);
                add.setObject(2, clock.instant().atOffset(ZoneOffset.UTC));
                add.setString(3, message);
                add.executeUpdate();
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw failed("writing the log of a watched project", e);
        }
    }

    private static IllegalStateException failed(String doing, SQLException e) {
        return new IllegalStateException(
                "while " + doing + ": SQLSTATE " + SqlStates.of(e).orElse("none"), e);
    }
}
