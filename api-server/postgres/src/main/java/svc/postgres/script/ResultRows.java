package svc.postgres.script;

import java.util.List;

/**
 * Rows as the server wrote them, in its text format.
 *
 * @param rows each with a value, null for SQL's null, for every column
 * @param cut whether there were more than the limits let through
 */
public record ResultRows(List<Column> columns, List<byte[][]> rows, boolean cut) {
    public ResultRows {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * A column.
     *
     * @param typeOid of {@code pg_type}; for a domain that of its base type
     */
    public record Column(String name, int typeOid) {}
}
