package svc.catalog;

import java.util.List;
import java.util.Optional;

/**
 * A table or view with its columns and keys.
 *
 * @param oid OID, for privilege checks
 * @param primaryKey its columns in the key's order; of a view, the columns that show the keys of its tables; empty without
 *     a key
 * @param uniqueKeys columns of each other unique constraint, in order
 * @param mutability the statements that the relation supports, regardless of privileges
 * @param rowSecurity whether row security is enabled
 * @param estimatedRows as VACUUM or ANALYZE last counted them when the schema was read; 0 if unknown, and of views
 * @param description its comment
 */
public record Table(
        long oid,
        QualifiedIdentifier id,
        Kind kind,
        List<Column> columns,
        List<String> primaryKey,
        List<List<String>> uniqueKeys,
        Mutability mutability,
        boolean rowSecurity,
        long estimatedRows,
        Optional<String> description) {
    public Table {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        uniqueKeys = List.copyOf(uniqueKeys);
    }

    /** The name without the schema. */
    public String name() {
        return id.name();
    }

    /**
     * A column.
     *
     * @param nullable whether neither the column nor its domain is NOT NULL
     * @param generation how its value is generated, other than by a default
     * @param defaultValue the default expression as PostgreSQL writes it; of an identity column its nextval call, as in
     *     PostgREST
     * @param maxLength maximum characters of a {@code char(n)} or {@code varchar(n)}, bits of a {@code bit(n)}
     * @param description its comment
     */
    public record Column(
            String name,
            DataType dataType,
            boolean nullable,
            Generation generation,
            Optional<String> defaultValue,
            Optional<Integer> maxLength,
            Optional<String> description) {
        /** Its type's name without the schema, as in {@code pg_type}: {@code int8}, {@code _text}. */
        public String type() {
            return dataType.name();
        }

        /** Whether the operators {@code ->} and {@code ->>} apply to it without a conversion. */
        public boolean isJson() {
            return dataType.isJson();
        }
    }

    /** How a column's value is generated. */
    public enum Generation {
        /** Not generated. */
        NONE,
        /** Identity; an explicit value requires OVERRIDING SYSTEM VALUE. */
        IDENTITY_ALWAYS,
        /** Identity; an explicit value is allowed. */
        IDENTITY_BY_DEFAULT,
        /** Computed from the row; read-only. */
        STORED
    }

    /** The statements that a relation supports, by {@code pg_relation_is_updatable}. */
    public record Mutability(boolean insertable, boolean updatable, boolean deletable) {
        public static final Mutability ALL = new Mutability(true, true, true);
        public static final Mutability NONE = new Mutability(false, false, false);
    }

    /** The kind of relation. */
    public enum Kind {
        TABLE,
        PARTITIONED_TABLE,
        FOREIGN_TABLE,
        VIEW,
        MATERIALIZED_VIEW;

        /** From {@code pg_class.relkind}. */
        static Kind of(String relkind) {
            return switch (relkind) {
                case "p" -> PARTITIONED_TABLE;
                case "f" -> FOREIGN_TABLE;
                case "v" -> VIEW;
                case "m" -> MATERIALIZED_VIEW;
                default -> TABLE;
            };
        }

        public boolean writable() {
            return this != MATERIALIZED_VIEW;
        }

        /** Whether a query defines it. */
        public boolean isView() {
            return this == VIEW || this == MATERIALIZED_VIEW;
        }
    }

    public Optional<Column> column(String wanted) {
        // Not a stream: this is done for each filter of a request.
        for (Column column : columns) {
            if (column.name().equals(wanted)) {
                return Optional.of(column);
            }
        }
        return Optional.empty();
    }
}
