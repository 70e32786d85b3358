package svc.server.management.query.attack;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import svc.postgres.script.TestingOwner;

/** One session that sees everything, kept for all questions of a test. */
final class Superuser implements AutoCloseable {
    private final Connection connection;

    Superuser() {
        try {
            connection = TestingOwner.SERVER.connect(TestingOwner.DATABASE);
            try (Statement statement = connection.createStatement()) {
                // Compiling the questions takes longer than answering them.
                statement.execute("SET jit = off");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("while logging in as the superuser", e);
        }
    }

    Connection connection() {
        return connection;
    }

    /** The first value of a query; null for no row. */
    String ask(String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException("while asking " + sql, e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("while logging out", e);
        }
    }
}
