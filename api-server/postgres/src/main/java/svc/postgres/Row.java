package svc.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One row while it is being read; not valid afterwards. Columns are named as in the query. Apart from
 * {@link #optional}, a null value is a fault of the program and is refused.
 */
public final class Row {
    private final ResultSet result;

    public Row(ResultSet result) {
        this.result = result;
    }

    public String text(String column) {
        return required(column, String.class);
    }

    public UUID uuid(String column) {
        return required(column, UUID.class);
    }

    public long number(String column) {
        return required(column, Long.class);
    }

    public boolean flag(String column) {
        return required(column, Boolean.class);
    }

    public Instant instant(String column) {
        return required(column, Instant.class);
    }

    public byte[] bytes(String column) {
        return required(column, byte[].class);
    }

    /** A {@code text[]} without null elements. */
    public List<String> texts(String column) {
        try {
            var array = result.getArray(column);
            if (array == null) {
                throw missing(column);
            }
            return List.of((String[]) array.getArray());
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }

    /**
     * The value or empty for null.
     *
     * @param type String, UUID, Long, Boolean, Instant or byte[]
     */
    public <T> Optional<T> optional(String column, Class<T> type) {
        try {
            if (type == Instant.class) {
                return Optional.ofNullable(result.getObject(column, OffsetDateTime.class))
                        .map(OffsetDateTime::toInstant)
                        .map(type::cast);
            }
            if (type == Long.class) {
                // Any integer type of the server: its width is not the reader's affair.
                long number = result.getLong(column);
                return result.wasNull() ? Optional.empty() : Optional.of(type.cast(number));
            }
            if (type == byte[].class) {
                return Optional.ofNullable(type.cast(result.getBytes(column)));
            }
            if (type == String.class) {
                return Optional.ofNullable(type.cast(result.getString(column)));
            }
            return Optional.ofNullable(result.getObject(column, type));
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }

    private <T> T required(String column, Class<T> type) {
        return optional(column, type).orElseThrow(() -> missing(column));
    }

    private static IllegalStateException missing(String column) {
        return new IllegalStateException("column " + column + " is null");
    }

    /** Makes a value of a row. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(Row row);
    }
}
