package svc.postgres.termination;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.postgresql.jdbc.PgConnection;
import svc.postgres.Login;

/** The functions of the platform that end sessions, on one connection of {@code svc_catalog}; blocks. */
final class PlatformSessions implements AutoCloseable {
    private static final String END = "SELECT svc_functions.end_sessions(?, ?, ?)";
    private static final String END_OVERDUE =
            "SELECT svc_functions.end_overdue_sessions(pg_catalog.make_interval(secs => ?))";
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private final PgConnection connection;

    private PlatformSessions(PgConnection connection) {
        this.connection = connection;
    }

    static PlatformSessions open(Login login) {
        return new PlatformSessions(login.open(ANSWER_LIMIT));
    }

    /** Tells the server to end these sessions; returns those that still ran. */
    Set<Integer> end(List<Backend> backends) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(END)) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "int4", backends.stream().map(Backend::pid).toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "int8", backends.stream().map(Backend::began).toArray()));
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "text", backends.stream().map(Backend::login).toArray()));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return running(row.getArray(1));
            }
        }
    }

    private static Set<Integer> running(Array pids) throws SQLException {
        Set<Integer> running = new HashSet<>();
        for (Object pid : (Object[]) pids.getArray()) {
            running.add((Integer) pid);
        }
        return running;
    }

    /** Ends sessions of data planes whose transaction is older; returns how many. */
    int endOverdue(Duration longest) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(END_OVERDUE)) {
            statement.setInt(1, (int) longest.toSeconds());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // Broken, and so closed.
            return;
        }
    }
}
