package svc.rest.query;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import svc.catalog.QualifiedIdentifier;
import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;
import svc.database.sql.SqlValue;
import svc.rest.error.RestError;
import svc.rest.plan.Embedding;
import svc.rest.plan.ReadPlan;
import svc.rest.plan.Target;
import svc.rest.request.Condition;
import svc.rest.request.Condition.Quantifier;
import svc.rest.request.Condition.TextQuery;
import svc.rest.request.Condition.Truth;
import svc.rest.request.Field;
import svc.rest.request.Operator;
import svc.rest.request.RowSelection;

/**
 * Conditions as SQL. A value is an untyped bind, which PostgreSQL parses as the column's type. Operators are not qualified,
 * so that the search path resolves those of extensions and of the tenant's types.
 */
final class ConditionSql {
    private final QueryWriter out;
    private final ReadPlan plan;
    private final FieldSql fields;

    ConditionSql(QueryWriter out, ReadPlan plan) {
        this.out = out;
        this.plan = plan;
        this.fields = new FieldSql(out, plan.target());
    }

    /** Conditions of a relation without embedded resources, as in an UPDATE. */
    ConditionSql(QueryWriter out, Target target) {
        this(out, new ReadPlan(target, List.of(), RowSelection.ALL, List.of()));
    }

    /** Writes the WHERE clause, unless the condition is empty. */
    void where(Condition condition) {
        if (condition instanceof Condition.And all && all.parts().isEmpty()) {
            return;
        }
        out.sql(" WHERE ");
        write(condition);
    }

    void write(Condition condition) {
        write(condition, fields::field);
    }

    /** @param aggregate writes the aggregate of a field */
    void having(Condition condition, Consumer<Field> aggregate) {
        write(condition, aggregate);
    }

    private void write(Condition condition, Consumer<Field> field) {
        switch (condition) {
            case Condition.And all when all.parts().isEmpty() -> out.sql("true");
            case Condition.And all ->
                out.sql("(")
                        .each(all.parts(), " AND ", part -> write(part, field))
                        .sql(")");
            case Condition.Or any ->
                out.sql("(")
                        .each(any.parts(), " OR ", part -> write(part, field))
                        .sql(")");
            case Condition.Not not -> {
                out.sql("NOT (");
                write(not.part(), field);
                out.sql(")");
            }
            case Condition.Compare compare -> compare(compare, field);
            case Condition.In in -> in(in, field);
            case Condition.Is is -> is(is, field);
            case Condition.FullText search -> search(search, field);
        }
    }

    private void is(Condition.Is is, Consumer<Field> field) {
        Optional<Embedding> resource = plan.nullTested(is);
        if (resource.isPresent()) {
            out.sql(is.truth() == Truth.NULL ? "NOT " : "");
            new EmbeddingSql(out, plan.target(), resource.get()).exists();
            return;
        }
        field.accept(is.field());
        switch (is.truth()) {
            case NULL -> out.sql(" IS NULL");
            case NOT_NULL -> out.sql(" IS NOT NULL");
            case TRUE -> out.sql(" IS TRUE");
            case FALSE -> out.sql(" IS FALSE");
            case UNKNOWN -> out.sql(" IS UNKNOWN");
        }
    }

    private void in(Condition.In in, Consumer<Field> field) {
        field.accept(in.field());
        Optional<QualifiedIdentifier> read = fields.fromText(in.field());
        if (read.isEmpty()) {
            out.sql(" = ANY (").bind(array(in.values())).sql(")");
            return;
        }
        out.sql(" = ANY (ARRAY(SELECT ")
                .value(read.get().sql())
                .sql("(pgrst_v) FROM pg_catalog.unnest(")
                .bind(array(in.values()))
                .sql("::pg_catalog.text[]) AS pgrst_v))");
    }

    private void compare(Condition.Compare compare, Consumer<Field> field) {
        field.accept(compare.field());
        operator(compare.operator());
        if (compare.quantifier() != Quantifier.NONE) {
            out.sql(compare.quantifier() == Quantifier.ANY ? "ANY (" : "ALL (")
                    .bind(compare.value())
                    .sql(")");
            return;
        }
        Optional<QualifiedIdentifier> read = fields.fromText(compare.field());
        read.ifPresent(function -> out.value(function.sql()).sql("("));
        out.bind(compare.value()).sql(read.isPresent() ? "::pg_catalog.text)" : "");
    }

    /**
     * The configuration is a literal and not a bind, so that an index on {@code to_tsvector('english', x)} can be used.
     */
    private void search(Condition.FullText search, Consumer<Field> field) {
        Optional<Literal> config = search.config().map(ConditionSql::config);
        if (fields.isTsvector(search.field())) {
            field.accept(search.field());
        } else {
            out.sql("pg_catalog.to_tsvector(");
            config(config);
            field.accept(search.field());
            out.sql(")");
        }
        out.sql(" @@ ");
        query(search.query());
        config(config);
        out.bind(search.value()).sql(")");
    }

    private void query(TextQuery query) {
        switch (query) {
            case OPERATORS -> out.sql("pg_catalog.to_tsquery(");
            case PLAIN -> out.sql("pg_catalog.plainto_tsquery(");
            case PHRASE -> out.sql("pg_catalog.phraseto_tsquery(");
            case WEB -> out.sql("pg_catalog.websearch_to_tsquery(");
        }
    }

    private void config(Optional<? extends SqlValue> config) {
        config.ifPresent(name -> out.value(name).sql("::pg_catalog.regconfig,"));
    }

    private static Literal config(String name) {
        try {
            return Literal.of(name);
        } catch (IllegalArgumentException e) {
            throw RestError.undefinedColumn(name);
        }
    }

    private void operator(Operator operator) {
        switch (operator) {
            case EQ -> out.sql(" = ");
            case NEQ -> out.sql(" <> ");
            case GT -> out.sql(" > ");
            case GTE -> out.sql(" >= ");
            case LT -> out.sql(" < ");
            case LTE -> out.sql(" <= ");
            case LIKE -> out.sql(" LIKE ");
            case ILIKE -> out.sql(" ILIKE ");
            case MATCH -> out.sql(" ~ ");
            case IMATCH -> out.sql(" ~* ");
            case ISDISTINCT -> out.sql(" IS DISTINCT FROM ");
            case CONTAINS -> out.sql(" @> ");
            case CONTAINED -> out.sql(" <@ ");
            case OVERLAPS -> out.sql(" && ");
            case STRICTLY_LEFT -> out.sql(" << ");
            case STRICTLY_RIGHT -> out.sql(" >> ");
            case NOT_RIGHT -> out.sql(" &< ");
            case NOT_LEFT -> out.sql(" &> ");
            case ADJACENT -> out.sql(" -|- ");
        }
    }

    /** A text array literal; the quotes keep NULL a string. */
    private static String array(List<String> values) {
        return values.stream()
                .map(value -> '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }
}
