package svc.postgres;

import java.util.List;
import java.util.Optional;
import svc.database.sql.SqlFragment;

/**
 * Runs statements one at a time. Values go in as binds for the question marks of the text, in their order: String,
 * Integer, Long, Boolean, UUID, Instant, byte[], a List of String as {@code text[]}, or null. Binds have no type of
 * their own where the text does not give one ({@code ?::jsonb}).
 */
public interface Statements {
    /**
     * All rows of a query.
     *
     * @throws SqlError what PostgreSQL answered instead
     * @throws PoolExhausted when no connection came free in time
     */
    <T> List<T> query(SqlFragment sql, Row.Reader<T> reader, Object... binds);

    /**
     * Runs a statement without a result and returns how many rows it touched.
     *
     * @throws SqlError what PostgreSQL answered instead
     * @throws PoolExhausted when no connection came free in time
     */
    int update(SqlFragment sql, Object... binds);

    /**
     * The only row, or empty when there is none.
     *
     * @throws IllegalStateException when there are more
     */
    default <T> Optional<T> queryOne(SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        List<T> rows = query(sql, reader, binds);
        if (rows.size() > 1) {
            throw new IllegalStateException("one row was expected, " + rows.size() + " came: " + sql);
        }
        return rows.stream().findFirst();
    }
}
