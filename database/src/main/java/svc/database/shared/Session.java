package svc.database.shared;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The superuser's connection, within the hardening's transaction. Never used for rows of tenants. */
record Session(Connection connection) {
    /** Bytes of SQL sent at once. */
    private static final int BATCH = 64_000;

    /** Rows of one query, each with its columns in order; a parameter is a string, a number or an array of strings. */
    List<List<String>> rows(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                Object value = parameters[i] instanceof String[] array
                        ? connection.createArrayOf("text", array)
                        : parameters[i];
                statement.setObject(i + 1, value);
            }
            try (ResultSet result = statement.executeQuery()) {
                int width = result.getMetaData().getColumnCount();
                List<List<String>> rows = new ArrayList<>();
                while (result.next()) {
                    List<String> row = new ArrayList<>(width);
                    for (int column = 1; column <= width; column++) {
                        row.add(result.getString(column));
                    }
                    rows.add(row);
                }
                return rows;
            }
        }
    }

    /** Steps that the server composed, quoting names itself with format('%I'): each row is name, what, SQL. */
    List<Step> steps(String sql, Object... parameters) throws SQLException {
        List<Step> steps = new ArrayList<>();
        for (List<String> row : rows(sql, parameters)) {
            steps.add(Step.of(row.get(0), row.get(1), row.get(2)));
        }
        return steps;
    }

    /** The first column of the first row; null when there is none. */
    String value(String sql, Object... parameters) throws SQLException {
        List<List<String>> rows = rows(sql, parameters);
        return rows.isEmpty() ? null : rows.getFirst().getFirst();
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    /** The steps in their order, many in one round trip. */
    void apply(List<Step> steps) throws SQLException {
        StringBuilder batch = new StringBuilder();
        for (Step step : steps) {
            batch.append(step.sql()).append(";\n");
            if (batch.length() > BATCH) {
                execute(batch.toString());
                batch.setLength(0);
            }
        }
        if (!batch.isEmpty()) {
            execute(batch.toString());
        }
    }
}
