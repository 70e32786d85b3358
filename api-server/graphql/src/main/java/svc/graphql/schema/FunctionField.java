package svc.graphql.schema;

import java.util.Map;
import java.util.Optional;
import svc.catalog.DataType;
import svc.catalog.QualifiedIdentifier;

/**
 * A function as a field of the root types.
 *
 * @param parameters by GraphQL name, in order
 */
public record FunctionField(
        String name,
        QualifiedIdentifier function,
        Map<String, Parameter> parameters,
        Result result,
        Optional<String> description) {
    /**
     * A parameter.
     *
     * @param sqlName its name in the database
     * @param defaultValue of a default that is a literal: in GraphQL's syntax
     */
    public record Parameter(
            String name,
            String sqlName,
            DataType sqlType,
            ValueType type,
            boolean required,
            Optional<String> defaultValue) {}

    /** What it returns. */
    public sealed interface Result {
        record Value(ValueType type, DataType sqlType) implements Result {}

        record Row(QualifiedIdentifier entity) implements Result {}

        record Rows(QualifiedIdentifier entity) implements Result {}
    }
}
