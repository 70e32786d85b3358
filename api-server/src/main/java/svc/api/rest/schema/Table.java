package svc.api.rest.schema;

import java.util.List;
import java.util.Optional;

/**
 * What the planner needs to know of a table or view.
 *
 * @param primaryKey its columns in the key's order; empty when there is none
 */
public record Table(String name, Kind kind, List<Column> columns, List<String> primaryKey) {
    public Table {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
    }

    /** @param type its type's name without the schema, as {@code pg_type} has it: {@code int8}, {@code _text} */
    public record Column(String name, String type) {
        /** Whether arrows work on it as it is. */
        public boolean holdsJson() {
            return type.equals("json") || type.equals("jsonb");
        }
    }

    /** What can be done with it. */
    public enum Kind {
        TABLE,
        VIEW,
        MATERIALIZED_VIEW;

        /** From {@code pg_class.relkind}. */
        static Kind of(String relkind) {
            return switch (relkind) {
                case "v" -> VIEW;
                case "m" -> MATERIALIZED_VIEW;
                default -> TABLE;
            };
        }

        public boolean writable() {
            return this != MATERIALIZED_VIEW;
        }
    }

    public Optional<Column> column(String wanted) {
        return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
    }
}
