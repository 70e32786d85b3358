package svc.postgres.script;

import java.util.List;

/**
 * Rows as the server wrote them, in its text format unless the run asked for another.
 *
 * @param rows each with a value, null for SQL's null, for every column
 * @param cut whether there were more than the limits let through
 * @param formats in which the values are, as a Bind message has them: none for text, one for all columns, or one for each
 */
public record ResultRows(List<Column> columns, List<byte[][]> rows, boolean cut, List<Integer> formats) {
    public ResultRows {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        formats = List.copyOf(formats);
    }

    /** Rows in the text format. */
    public ResultRows(List<Column> columns, List<byte[][]> rows, boolean cut) {
        this(columns, rows, cut, List.of());
    }

    /**
     * A column.
     *
     * @param typeOid of {@code pg_type}; for a domain that of its base type
     * @param origin what else the server says of it
     */
    public record Column(String name, int typeOid, Origin origin) {
        public Column(String name, int typeOid) {
            this(name, typeOid, Origin.NONE);
        }
    }

    /**
     * Where a column comes from, and the limits of its type.
     *
     * @param table the number of its table in {@code pg_class}; 0 for an expression
     * @param place its number in that table; 0 for an expression
     * @param typeLength {@code typlen}; negative for a type of variable length
     * @param typeModifier {@code atttypmod}; -1 for none
     */
    public record Origin(int table, int place, int typeLength, int typeModifier) {
        /** Of a column that the platform makes itself. */
        public static final Origin NONE = new Origin(0, 0, -1, -1);
    }
}
