package svc.operator.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Whether the platform's database holds projects, whose keys a new master key would invalidate. */
public final class RegisteredProjects {
    private static final String PREPARED = "SELECT pg_catalog.to_regclass('svc_platform.project') IS NOT NULL";
    private static final String ANY = "SELECT EXISTS (SELECT FROM svc_platform.project)";
    private static final String TIMEOUT_SECONDS = "10";

    private RegisteredProjects() {}

    /** @throws IllegalStateException when the database does not answer, so that the answer is unknown */
    public static boolean exist(DatabaseLogin login) {
        var properties = new Properties();
        properties.setProperty("user", login.username());
        properties.setProperty("password", login.password().get());
        properties.setProperty("connectTimeout", TIMEOUT_SECONDS);
        properties.setProperty("socketTimeout", TIMEOUT_SECONDS);
        try (Connection connection = DriverManager.getConnection(login.jdbcUrl(), properties);
                Statement statement = connection.createStatement()) {
            return says(statement, PREPARED) && says(statement, ANY);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "database " + login.name() + " must answer before the operator generates a first master key,"
                            + " because existing projects need the master key they were created with: "
                            + e.getMessage(),
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
