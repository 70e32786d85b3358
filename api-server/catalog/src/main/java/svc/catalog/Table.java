package svc.catalog;

import java.util.List;
import java.util.Optional;

/**
 * What the planner needs to know of a table or view.
 *
 * @param oid the catalog's number, for questions about privileges
 * @param primaryKey its columns in the key's order; of a view, the columns that carry the keys of the tables it shows; empty
 *     when there is none
 * @param uniqueKeys columns of each further unique constraint, in their order
 * @param mutability what statements the relation itself admits; privileges are not looked at
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
     * @param nullable whether it is without NOT NULL, its domain's included
     * @param generation how it comes to a value when none is given, other than by a default
     * @param defaultValue the default's expression as the server writes it; of an identity column, PostgREST's nextval text
     * @param maxLength most characters of a {@code char(n)} or {@code varchar(n)}, bits of a {@code bit(n)}
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
        /** Its type's name without the schema, as {@code pg_type} has it: {@code int8}, {@code _text}. */
        public String type() {
            return dataType.name();
        }

        /** Whether arrows work on it as it is. */
        public boolean holdsJson() {
            return dataType.holdsJson();
        }
    }

    /** How a column comes to its value. */
    public enum Generation {
        /** Given, or its default. */
        NONE,
        /** Identity; a given value needs OVERRIDING SYSTEM VALUE. */
        IDENTITY_ALWAYS,
        /** Identity; a value may be given. */
        IDENTITY_BY_DEFAULT,
        /** Computed from the row; cannot be written. */
        STORED
    }

    /** What statements a relation admits, as PostgREST counts it for {@code Allow} and OpenAPI. */
    public record Mutability(boolean insertable, boolean updatable, boolean deletable) {
        public static final Mutability ALL = new Mutability(true, true, true);
        public static final Mutability NONE = new Mutability(false, false, false);
    }

    /** What it is. */
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

        /** Whether it is made of a query. */
        public boolean isView() {
            return this == VIEW || this == MATERIALIZED_VIEW;
        }
    }

    public Optional<Column> column(String wanted) {
        return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
    }
}
