package svc.postgres.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.postgres.Row;
import svc.postgres.SqlError;
import svc.postgres.Statements;

/** Runs statements on one connection, which its owner opens and closes. */
public final class ConnectionStatements implements Statements {
    private final Connection connection;

    public ConnectionStatements(Connection connection) {
        this.connection = connection;
    }

    @Override
    public <T> List<T> query(SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        try (PreparedStatement statement = prepare(sql, binds);
                ResultSet result = statement.executeQuery()) {
            var row = new Row(result);
            List<T> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(reader.read(row));
            }
            return List.copyOf(rows);
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }

    @Override
    public int update(SqlFragment sql, Object... binds) {
        try (PreparedStatement statement = prepare(sql, binds)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }

    private PreparedStatement prepare(SqlFragment sql, Object... binds) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql.sql());
        try {
            for (int i = 0; i < binds.length; i++) {
                bind(statement, i + 1, binds[i]);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private void bind(PreparedStatement statement, int place, Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(place, Types.NULL);
            case String text -> statement.setString(place, text);
            case Integer number -> statement.setInt(place, number);
            case Long number -> statement.setLong(place, number);
            case Boolean flag -> statement.setBoolean(place, flag);
            case UUID uuid -> statement.setObject(place, uuid);
            case Instant instant -> statement.setObject(place, instant.atOffset(ZoneOffset.UTC));
            case byte[] bytes -> statement.setBytes(place, bytes);
            case Collection<?> texts ->
                statement.setArray(place, connection.createArrayOf("text", texts.toArray(new String[0])));
            default -> throw new IllegalArgumentException("no bind is made of a " + value.getClass());
        }
    }
}
