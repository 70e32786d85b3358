package svc.database.shared;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Plain SQL for tests. */
public final class Sql {
    private Sql() {}

    public static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    /** The first column of all rows. */
    public static List<String> column(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (result.next()) {
                values.add(result.getString(1));
            }
            return values;
        }
    }

    public static String value(Connection connection, String sql) throws SQLException {
        List<String> values = column(connection, sql);
        return values.isEmpty() ? null : values.getFirst();
    }

    /** The SQLSTATE that the statement fails with; "00000" when it does not. */
    public static String state(Connection connection, String sql) {
        try {
            run(connection, sql);
            return "00000";
        } catch (SQLException refused) {
            return String.valueOf(refused.getSQLState());
        }
    }
}
