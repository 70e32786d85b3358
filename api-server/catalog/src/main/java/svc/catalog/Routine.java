package svc.catalog;

import java.util.List;
import java.util.Optional;

/**
 * A function that requests can call. Each overload is a routine of its own.
 *
 * @param oid OID, for privilege checks
 * @param parameters the input parameters (IN, INOUT, VARIADIC), in order
 * @param settings its SET clauses, in the order of the catalog
 * @param description its comment
 */
public record Routine(
        long oid,
        QualifiedIdentifier id,
        List<Parameter> parameters,
        ReturnType returns,
        Volatility volatility,
        List<Setting> settings,
        Optional<String> description) {
    public Routine {
        parameters = List.copyOf(parameters);
        settings = List.copyOf(settings);
    }

    /**
     * A parameter.
     *
     * @param name empty for an unnamed parameter
     * @param required whether it has no default
     * @param defaultValue the default expression as PostgreSQL writes it; empty without one and for a long one
     * @param variadic whether it is VARIADIC; its type is the array type
     */
    public record Parameter(
            String name, DataType type, boolean required, Optional<String> defaultValue, boolean variadic) {}

    /** A SET clause, such as {@code statement_timeout}. */
    public record Setting(String name, String value) {}

    /** {@code IMMUTABLE}, {@code STABLE} or {@code VOLATILE}. */
    public enum Volatility {
        VOLATILE,
        STABLE,
        IMMUTABLE;

        /** From {@code pg_proc.provolatile}. */
        static Volatility of(String provolatile) {
            return switch (provolatile) {
                case "i" -> IMMUTABLE;
                case "s" -> STABLE;
                default -> VOLATILE;
            };
        }
    }

    /**
     * The return type.
     *
     * @param setOf whether it returns SETOF or TABLE
     * @param type type of one row; {@code pg_catalog.record} for rows without a named type
     * @param relation the table, view or composite type of the rows
     * @param columns the OUT, INOUT and TABLE parameters; otherwise empty
     */
    public record ReturnType(
            boolean setOf, Shape shape, DataType type, Optional<QualifiedIdentifier> relation, List<Output> columns) {
        public ReturnType {
            columns = List.copyOf(columns);
        }
    }

    /** An output column that a parameter declares. */
    public record Output(String name, DataType type) {}

    /** The shape of one row. */
    public enum Shape {
        VOID,
        SCALAR,
        /** Rows of a table, view or composite type, or of a domain over one. */
        COMPOSITE,
        /** Columns that OUT, INOUT and TABLE parameters declare. */
        COLUMNS,
        /** An anonymous record: the columns are unknown before the call. */
        RECORD
    }

    /** Whether it has a variadic parameter. */
    public boolean variadic() {
        return parameters.stream().anyMatch(Parameter::variadic);
    }

    /** The single unnamed parameter, if it has no other; it takes a whole request body. */
    public Optional<Parameter> unnamedParameter() {
        return parameters.size() == 1 && parameters.getFirst().name().isEmpty()
                ? Optional.of(parameters.getFirst())
                : Optional.empty();
    }

    /** Whether it returns a value rather than an object. */
    public boolean returnsScalar() {
        return returns.shape() == Shape.SCALAR || returns.shape() == Shape.VOID;
    }
}
