package svc.rest.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;
import svc.rest.plan.Embedding;
import svc.rest.plan.ReadPlan;
import svc.rest.plan.ReadPlan.Selected;
import svc.rest.plan.Target;
import svc.rest.request.Condition;
import svc.rest.request.Field;
import svc.rest.request.RowRange;

/**
 * The rows of one {@link ReadPlan} as SQL. Embedded resources are subqueries of the select list: PostgreSQL runs them only
 * for rows within the limit and plans them faster than PostgREST's lateral joins, with the same response. Only spread
 * resources need a join.
 */
final class ReadSql {
    private final QueryWriter out;
    private final ReadPlan plan;
    private final Optional<EmbeddingSql> link;
    private final FieldSql fields;

    ReadSql(QueryWriter out, ReadPlan plan) {
        this(out, plan, Optional.empty());
    }

    /** @param link embedding of this relation in its parent */
    ReadSql(QueryWriter out, ReadPlan plan, EmbeddingSql link) {
        this(out, plan, Optional.of(link));
    }

    private ReadSql(QueryWriter out, ReadPlan plan, Optional<EmbeddingSql> link) {
        this.out = out;
        this.plan = plan;
        this.link = link;
        this.fields = new FieldSql(out, plan.target());
    }

    /** All rows in range, in order. */
    void rows() {
        rows(plan.rows().range());
    }

    /** The rows with another range than the plan's. */
    void rows(RowRange range) {
        select();
        filtered();
        group();
        new OrderSql(out, plan, this).write();
        range(range);
    }

    /** The number of matching rows regardless of the range, at most {@code most}. */
    void count(OptionalLong most) {
        out.sql("SELECT pg_catalog.count(*) FROM (");
        countableRows();
        most.ifPresent(rows -> out.sql(" LIMIT ").bind(Long.toString(rows)));
        out.sql(") pgrst_counted");
    }

    /** The rows to count, regardless of the range. */
    void countableRows() {
        if (plan.aggregated() || plan.rows().distinct().isPresent()) {
            select();
            filtered();
            group();
        } else {
            out.sql("SELECT 1");
            filtered();
        }
    }

    /** EXISTS over the rows in range. */
    void exists() {
        out.sql("EXISTS (");
        if (plan.aggregated()) {
            rows();
        } else {
            out.sql("SELECT 1");
            filtered();
            range(plan.rows().range());
        }
        out.sql(")");
    }

    /**
     * The ORDER BY expression of the parent for this to-one relation: a selected column by its name, as in PostgREST, or
     * any other column.
     */
    void orderValue(Field field) {
        Optional<Selected.Own> named = plan.select().stream()
                .filter(item -> item instanceof Selected.Own && !item.aggregated())
                .map(Selected.Own.class::cast)
                .filter(own -> field.path().isEmpty() && own.item().name().equals(field.column()))
                .findFirst();
        out.sql("(SELECT ");
        named.ifPresentOrElse(own -> fields.item(own.item()), () -> fields.field(field));
        filtered();
        out.sql(" LIMIT 1)");
    }

    private void select() {
        out.sql("SELECT ");
        plan.rows().distinct().ifPresent(distinct -> {
            out.sql("DISTINCT ");
            if (!distinct.by().isEmpty()) {
                out.sql("ON (").each(distinct.by(), ",", fields::field).sql(") ");
            }
        });
        out.each(plan.select(), ",", this::selected);
    }

    private void selected(Selected item) {
        switch (item) {
            case Selected.All unused -> out.value(plan.target().alias()).sql(".*");
            case Selected.SpreadAll all -> out.value(all.embedding().lateral()).sql(".*");
            case Selected.Presence presence -> out.sql("TRUE AS ").value(FieldSql.answerName(presence.name()));
            case Selected.Nested nested -> {
                embedded(nested.embedding()).value();
                out.sql(" AS ").value(FieldSql.answerName(nested.embedding().name()));
            }
            case Selected.Own own -> {
                value(own);
                out.sql(" AS ").value(FieldSql.answerName(own.item().name()));
            }
            case Selected.SpreadOne one -> {
                value(one);
                out.sql(" AS ").value(FieldSql.answerName(one.name()));
            }
        }
    }

    /** A single value, without its alias. */
    void value(Selected item) {
        switch (item) {
            case Selected.Own own -> fields.item(own.item());
            case Selected.SpreadOne one ->
                fields.aggregated(
                        one.aggregate(),
                        one.aggregateCast(),
                        () -> out.value(one.embedding().lateral().dot(FieldSql.answerName(one.column()))));
            default -> throw new IllegalArgumentException("not a single value: " + item);
        }
    }

    /** FROM and WHERE. */
    private void filtered() {
        out.sql(" FROM ");
        source();
        for (Embedding embedding : plan.embeddings()) {
            if (embedding.shape() == Embedding.Shape.SPREAD_OBJECT
                    || embedding.shape() == Embedding.Shape.SPREAD_ARRAY) {
                embedded(embedding).join();
            }
        }
        List<Runnable> conditions = new ArrayList<>();
        link.ifPresent(linked -> linked.conditions().forEach(conditions::add));
        Condition where = plan.rows().where();
        if (!isAlways(where)) {
            conditions.add(() -> new ConditionSql(out, plan).write(where));
        }
        plan.embeddings().stream()
                .filter(Embedding::inner)
                .forEach(embedding -> conditions.add(() -> embedded(embedding).exists()));
        out.sql(conditions.isEmpty() ? "" : " WHERE ").each(conditions, " AND ", Runnable::run);
    }

    private void source() {
        switch (plan.target().source()) {
            case Target.Source.Relation relation -> out.value(relation.name().sql());
            case Target.Source.Rows rows -> out.value(rows.name());
            case Target.Source.Related related -> {
                out.value(related.function().sql()).sql("(");
                link.orElseThrow().parentRow();
                out.sql(")");
            }
        }
        out.sql(" AS ").value(plan.target().alias());
        link.ifPresent(EmbeddingSql::junction);
    }

    private void group() {
        if (!plan.aggregated()) {
            return;
        }
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < plan.select().size(); i++) {
            if (!plan.select().get(i).aggregated()) {
                keys.add(i + 1);
            }
        }
        // By position, so that a subquery is not repeated.
        out.sql(keys.isEmpty() ? "" : " GROUP BY ").each(keys, ",", out::position);
        if (!isAlways(plan.rows().having())) {
            out.sql(" HAVING ");
            new ConditionSql(out, plan).having(plan.rows().having(), this::aggregate);
        }
    }

    private void aggregate(Field field) {
        value(plan.aggregate(field.column()).orElseThrow());
    }

    /** LIMIT and OFFSET of the plan, for a statement without {@link #rows}. */
    void range() {
        range(plan.rows().range());
    }

    private void range(RowRange range) {
        // A literal, not a bind: with an unknown limit PostgreSQL would plan the prepared statement at each execution.
        range.limit().ifPresent(limit -> out.sql(" LIMIT ").value(Literal.of(limit)));
        if (range.offset() > 0) {
            out.sql(" OFFSET ").bind(Long.toString(range.offset()));
        }
    }

    EmbeddingSql embedded(Embedding embedding) {
        return new EmbeddingSql(out, plan.target(), embedding);
    }

    private static boolean isAlways(Condition condition) {
        return condition instanceof Condition.And all && all.parts().isEmpty();
    }
}
