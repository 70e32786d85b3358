package svc.rest.query;

import java.util.Map;
import java.util.Optional;
import svc.catalog.DataType;
import svc.catalog.QualifiedIdentifier;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlValue;
import svc.rest.error.RestError;
import svc.rest.plan.Target;
import svc.rest.request.Field;
import svc.rest.request.SelectItem;
import svc.rest.request.SelectItem.Aggregate;

/** Columns of one relation, JSON paths, casts and aggregates as SQL. */
final class FieldSql {
    /** SQL's type aliases, which are not names in the catalog. */
    private static final Map<String, String> SPELLINGS = Map.ofEntries(
            Map.entry("int", "int4"),
            Map.entry("integer", "int4"),
            Map.entry("bigint", "int8"),
            Map.entry("smallint", "int2"),
            Map.entry("boolean", "bool"),
            Map.entry("real", "float4"),
            Map.entry("float", "float8"),
            Map.entry("double precision", "float8"),
            Map.entry("decimal", "numeric"),
            Map.entry("character varying", "varchar"),
            Map.entry("character", "bpchar"),
            Map.entry("char", "bpchar"),
            Map.entry("timestamp with time zone", "timestamptz"),
            Map.entry("timestamp without time zone", "timestamp"),
            Map.entry("time with time zone", "timetz"),
            Map.entry("time without time zone", "time"));

    private final QueryWriter out;
    private final Target target;

    FieldSql(QueryWriter out, Target target) {
        this.out = out;
        this.target = target;
    }

    /** An identifier from a request; a name that PostgreSQL would truncate is an unknown column. */
    Identifier column(String name) {
        return identifier(name, target.table().name() + "." + name);
    }

    void field(Field field) {
        SqlFragment column = target.alias().dot(column(field.column()));
        if (field.path().isEmpty()) {
            out.value(column);
            return;
        }
        // With to_jsonb around a jsonb column, an index on the expression could not be used.
        boolean json = target.type(field.column()).map(DataType::isJson).orElse(false);
        out.sql("(").sql(json ? "" : "pg_catalog.to_jsonb(").value(column).sql(json ? "" : ")");
        for (Field.Step step : field.path()) {
            out.sql(step.asText() ? "->>" : "->").value(key(step));
        }
        out.sql(")");
    }

    /** The value of an item: a column or an aggregate with its casts. */
    void item(SelectItem.One item) {
        aggregated(item.aggregate(), item.aggregateCast(), () -> {
            if (item.field().isEmpty()) {
                out.sql("*");
            } else {
                cast(item.cast(), () -> represented(item, item.field().get()));
            }
        });
    }

    /** {@code CAST(aggregate(value) AS type)}; aggregate and type are optional. */
    void aggregated(Optional<Aggregate> aggregate, Optional<String> cast, Runnable value) {
        cast(aggregate.flatMap(unused -> cast), () -> {
            aggregate.ifPresent(this::function);
            value.run();
            out.sql(aggregate.isPresent() ? ")" : "");
        });
    }

    /** The domain representation that parses a filter value; not for JSON paths. */
    Optional<QualifiedIdentifier> fromText(Field field) {
        return field.path().isEmpty()
                ? target.type(field.column())
                        .flatMap(type -> type.representations().fromText())
                : Optional.empty();
    }

    /** Whether it is a tsvector, which needs no conversion for full-text search. */
    boolean isTsvector(Field field) {
        return field.path().isEmpty()
                && target.type(field.column())
                        .map(type -> type.isBuiltin("tsvector"))
                        .orElse(false);
    }

    static Identifier answerName(String name) {
        return identifier(name, name);
    }

    private void represented(SelectItem.One item, Field field) {
        Optional<QualifiedIdentifier> toJson =
                item.aggregate().isEmpty() && field.path().isEmpty()
                        ? target.type(field.column())
                                .flatMap(type -> type.representations().toJson())
                        : Optional.empty();
        toJson.ifPresent(function -> out.value(function.sql()).sql("("));
        field(field);
        out.sql(toJson.isPresent() ? ")" : "");
    }

    /** Not qualified, like operators: extensions define aggregates over their types. */
    private void function(Aggregate aggregate) {
        switch (aggregate) {
            case SUM -> out.sql("sum(");
            case AVG -> out.sql("avg(");
            case COUNT -> out.sql("count(");
            case MAX -> out.sql("max(");
            case MIN -> out.sql("min(");
        }
    }

    private void cast(Optional<String> type, Runnable value) {
        out.sql(type.isPresent() ? "CAST(" : "");
        value.run();
        type.ifPresent(name -> {
            out.sql(" AS ");
            type(name);
            out.sql(")");
        });
    }

    private void type(String asked) {
        boolean array = asked.endsWith("[]");
        String name = array ? asked.substring(0, asked.length() - 2) : asked;
        out.value(identifier(SPELLINGS.getOrDefault(name, name), name)).sql(array ? "[]" : "");
    }

    private static SqlValue key(Field.Step step) {
        return step.index() ? Literal.of(Long.parseLong(step.key())) : text(step.key());
    }

    private static Literal text(String key) {
        try {
            return Literal.of(key);
        } catch (IllegalArgumentException e) {
            throw RestError.invalidBody("Invalid key of a JSON path");
        }
    }

    private static Identifier identifier(String name, String shown) {
        try {
            return Identifier.of(name);
        } catch (IllegalArgumentException e) {
            throw RestError.undefinedColumn(shown);
        }
    }
}
