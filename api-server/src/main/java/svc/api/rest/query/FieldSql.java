package svc.api.rest.query;

import java.util.List;
import java.util.Map;
import svc.api.rest.error.RestError;
import svc.api.rest.plan.Plan.Target;
import svc.api.rest.request.Field;
import svc.api.rest.request.OrderTerm;
import svc.api.rest.request.SelectItem;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlValue;

/** Columns, places inside JSON columns, casts and orders as SQL. */
final class FieldSql {
    /** SQL's own spellings of types, which are not names in the catalog. */
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

    /** A name that a request gives; one that PostgreSQL would cut off names no column. */
    Identifier column(String name) {
        return identifier(name, target.table().name() + "." + name);
    }

    void field(Field field) {
        SqlFragment column = target.name().dot(column(field.column()));
        if (field.path().isEmpty()) {
            out.value(column);
            return;
        }
        // to_jsonb of a jsonb column would keep an index on the expression from being used.
        boolean json = target.holdsJson(field.column());
        out.sql("(").sql(json ? "" : "pg_catalog.to_jsonb(").value(column).sql(json ? "" : ")");
        for (Field.Step step : field.path()) {
            out.sql(step.asText() ? "->>" : "->").value(key(step));
        }
        out.sql(")");
    }

    void select(List<SelectItem> items) {
        out.each(items, ",", this::item);
    }

    void order(List<OrderTerm> terms) {
        if (terms.isEmpty()) {
            return;
        }
        out.sql(" ORDER BY ").each(terms, ",", term -> {
            field(term.field());
            term.direction().ifPresent(direction -> out.sql(direction == OrderTerm.Direction.ASC ? " ASC" : " DESC"));
            term.nulls().ifPresent(nulls -> out.sql(nulls == OrderTerm.Nulls.FIRST ? " NULLS FIRST" : " NULLS LAST"));
        });
    }

    private void item(SelectItem item) {
        switch (item) {
            case SelectItem.All unused -> out.value(target.name()).sql(".*");
            case SelectItem.One one -> {
                if (one.cast().isPresent()) {
                    out.sql("CAST(");
                    field(one.field());
                    out.sql(" AS ");
                    type(one.cast().get());
                    out.sql(")");
                } else {
                    field(one.field());
                }
                out.sql(" AS ").value(identifier(one.name(), one.name()));
            }
        }
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
            throw RestError.body("A key of a JSON path is not text");
        }
    }

    private static Identifier identifier(String name, String shown) {
        try {
            return Identifier.of(name);
        } catch (IllegalArgumentException e) {
            throw RestError.undefinedName(shown);
        }
    }
}
