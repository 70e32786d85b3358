package svc.operator.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Whether a platform's database holds projects, whose keys then depend on the master keys that there were before. */
public final class RegisteredProjects {
    private static final String PREPARED = "SELECT pg_catalog.to_regclass('svc_platform.project') IS NOT NULL";
    private static final String ANY = "SELECT EXISTS (SELECT FROM svc_platform.project)";
    private static final String PATIENCE_SECONDS = "10";

    private RegisteredProjects() {}

    /** @throws IllegalStateException when the database cannot be asked: then nobody knows */
    public static boolean exist(DatabaseLogin login) {
        var properties = new Properties();
        properties.setProperty("user", login.username());
        properties.setProperty("password", login.password().get());
        properties.setProperty("connectTimeout", PATIENCE_SECONDS);
        properties.setProperty("socketTimeout", PATIENCE_SECONDS);
        try (Connection connection = DriverManager.getConnection(login.jdbcUrl(), properties);
                Statement statement = connection.createStatement()) {
            return says(statement, PREPARED) && says(statement, ANY);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "database " + login.name() + " must answer before a first master key is made, to tell that no"
                            + " project depends on one that was lost: " + e.getMessage(),
                    e);
        }
    }

    private static boolean says(Statement statement, String question) throws SQLException {
        try (ResultSet rows = statement.executeQuery(question)) {
            rows.next();
            return rows.getBoolean(1);
        }
    }
}
