package svc.graphql.query;

import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;
import svc.graphql.schema.ScalarType;
import svc.graphql.schema.ValueType;

/** Writes values as GraphQL has them: large numbers and JSON as strings, labels of enums by their GraphQL names. */
final class ValueSql {
    private final QueryWriter out;

    ValueSql(QueryWriter out) {
        this.out = out;
    }

    /**
     * JSON as an expression of type text, null for null.
     *
     * @param value writes the value; more than once for an enum with other names
     */
    void write(ValueType type, Runnable value) {
        switch (type) {
            case ValueType.Scalar(ScalarType scalar) -> scalar(scalar, value);
            case ValueType.Enumeration labels
            when labels.mapped() -> {
                out.sql("pg_catalog.to_json(");
                enumeration(labels, value);
                out.sql(")::pg_catalog.text");
            }
            case ValueType.Enumeration unused -> json(value);
            case ValueType.ListOf list -> {
                out.sql("pg_catalog.to_json(");
                list(list, value);
                out.sql(")::pg_catalog.text");
            }
        }
    }

    private void json(Runnable value) {
        out.sql("pg_catalog.to_json(");
        value.run();
        out.sql(")::pg_catalog.text");
    }

    private void scalar(ScalarType scalar, Runnable value) {
        switch (scalar) {
            // Their text is JSON already, or needs no more than quotes.
            case INT, BOOLEAN -> {
                value.run();
                out.sql("::pg_catalog.text");
            }
            case BIG_INT, BIG_FLOAT, UUID -> {
                out.sql("('\"' OPERATOR(pg_catalog.||) ");
                value.run();
                out.sql("::pg_catalog.text OPERATOR(pg_catalog.||) '\"')");
            }
            case JSON -> {
                out.sql("pg_catalog.to_json(");
                value.run();
                out.sql("::pg_catalog.text)::pg_catalog.text");
            }
            case ID, FLOAT, STRING, DATE, TIME, DATETIME, CURSOR, OPAQUE -> json(value);
        }
    }

    private void enumeration(ValueType.Enumeration type, Runnable value) {
        out.sql("CASE ");
        value.run();
        out.sql("::pg_catalog.text");
        for (ValueType.Label label : type.labels()) {
            out.sql(" WHEN ").value(Literal.of(label.label())).sql(" THEN ").value(Literal.of(label.name()));
        }
        out.sql(" END");
    }

    private void list(ValueType.ListOf list, Runnable value) {
        switch (list.element()) {
            case ValueType.Enumeration labels
            when labels.mapped() -> {
                out.sql("(SELECT pg_catalog.json_agg(");
                enumeration(labels, () -> out.sql("v"));
                out.sql(" ORDER BY at) FROM pg_catalog.unnest(");
                value.run();
                out.sql(") WITH ORDINALITY u(v, at))");
            }
            case ValueType.Scalar(ScalarType scalar)
            when scalar == ScalarType.BIG_INT || scalar == ScalarType.BIG_FLOAT || scalar == ScalarType.JSON -> {
                value.run();
                out.sql("::pg_catalog.text[]");
            }
            case ValueType.Scalar unused -> value.run();
            case ValueType.Enumeration unused -> value.run();
            case ValueType.ListOf unused -> value.run();
        }
    }
}
