package svc.catalog;

import java.util.List;
import java.util.Optional;

/**
 * A function that can be called under {@code /rpc}. Functions of one name that differ in their parameters are one of these
 * each.
 *
 * @param oid the catalog's number, for questions about privileges
 * @param parameters those that a caller gives (IN, INOUT, VARIADIC), in their order
 * @param settings what it was declared with by SET, in the catalog's order
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
     * @param name empty when it was declared without one
     * @param required whether it has no default
     * @param variadic whether it takes all further arguments; its type is the array's
     */
    public record Parameter(String name, DataType type, boolean required, boolean variadic) {}

    /** A setting of the function's own, such as {@code statement_timeout}. */
    public record Setting(String name, String value) {}

    /** Whether it may change something. */
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
     * What comes back.
     *
     * @param setOf any number of rows: SETOF or TABLE
     * @param type of one row; {@code pg_catalog.record} where the columns have no type of their own
     * @param relation the table, view or composite type whose rows these are, which embeddings start from
     * @param columns of OUT, INOUT and TABLE parameters; empty for everything else
     */
    public record ReturnType(
            boolean setOf, Shape shape, DataType type, Optional<QualifiedIdentifier> relation, List<Output> columns) {
        public ReturnType {
            columns = List.copyOf(columns);
        }
    }

    /** A column that a parameter declares. */
    public record Output(String name, DataType type) {}

    /** What one row looks like. */
    public enum Shape {
        VOID,
        SCALAR,
        /** Rows of a table, view or composite type, or of a domain over one. */
        COMPOSITE,
        /** Columns that OUT, INOUT and TABLE parameters declare. */
        COLUMNS,
        /** Columns that only the call knows. */
        RECORD
    }

    /** Whether one of its parameters is variadic. */
    public boolean variadic() {
        return parameters.stream().anyMatch(Parameter::variadic);
    }

    /** The single parameter without a name, which takes a whole body. */
    public Optional<Parameter> unnamedParameter() {
        return parameters.size() == 1 && parameters.getFirst().name().isEmpty()
                ? Optional.of(parameters.getFirst())
                : Optional.empty();
    }

    /** Whether its answer is a value rather than an object. */
    public boolean returnsScalar() {
        return returns.shape() == Shape.SCALAR || returns.shape() == Shape.VOID;
    }
}
