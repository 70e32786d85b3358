package svc.rest.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.database.sql.QueryWriter;
import svc.rest.plan.Embedding;
import svc.rest.plan.ReadPlan;
import svc.rest.plan.ReadPlan.Selected;
import svc.rest.request.Field;
import svc.rest.request.OrderTerm;

/** The ORDER BY clause of one relation: columns, aggregates by name, columns of to-one resources. */
final class OrderSql {
    private final QueryWriter out;
    private final ReadPlan plan;
    private final ReadSql rows;
    private final FieldSql fields;

    /** @param rows the statement of the same relation */
    OrderSql(QueryWriter out, ReadPlan plan, ReadSql rows) {
        this.out = out;
        this.plan = plan;
        this.rows = rows;
        this.fields = new FieldSql(out, plan.target());
    }

    /** Writes ORDER BY, if there are terms. */
    void write() {
        List<OrderTerm> terms = leadingWithDistinct();
        out.sql(terms.isEmpty() ? "" : " ORDER BY ").each(terms, ",", this::order);
    }

    private void order(OrderTerm term) {
        Optional<Selected> aggregate =
                term.relation().isEmpty() ? plan.aggregate(term.field().column()) : Optional.empty();
        if (term.relation().isPresent()) {
            related(plan.embedding(term.relation().get()).orElseThrow(), term.field());
        } else if (aggregate.isPresent()) {
            rows.value(aggregate.get());
        } else {
            fields.field(term.field());
        }
        term.direction().ifPresent(direction -> out.sql(direction == OrderTerm.Direction.ASC ? " ASC" : " DESC"));
        term.nulls().ifPresent(nulls -> out.sql(nulls == OrderTerm.Nulls.FIRST ? " NULLS FIRST" : " NULLS LAST"));
    }

    /** A column of a resource. A spread column is in the row already, and rows may be grouped by it. */
    private void related(Embedding embedding, Field field) {
        boolean spread = embedding.shape() == Embedding.Shape.SPREAD_OBJECT
                && field.path().isEmpty()
                && plan.select().stream().anyMatch(item -> isSpread(item, embedding, field.column()));
        Optional<Selected> one = plan.select().stream()
                .filter(item -> item instanceof Selected.SpreadOne && isSpread(item, embedding, field.column()))
                .findFirst();
        if (one.isPresent()) {
            rows.value(one.get());
        } else if (spread) {
            out.value(embedding.lateral().dot(FieldSql.answerName(field.column())));
        } else {
            rows.embedded(embedding).orderValue(field);
        }
    }

    private static boolean isSpread(Selected item, Embedding embedding, String name) {
        return switch (item) {
            case Selected.SpreadAll all ->
                all.embedding().equals(embedding)
                        && embedding.read().columnNames().contains(name);
            case Selected.SpreadOne one ->
                one.embedding().equals(embedding) && one.name().equals(name);
            default -> false;
        };
    }

    /** PostgreSQL requires that ORDER BY starts with the columns of DISTINCT ON. */
    private List<OrderTerm> leadingWithDistinct() {
        List<Field> by = plan.rows().distinct().map(distinct -> distinct.by()).orElse(List.of());
        if (by.isEmpty()) {
            return plan.rows().order();
        }
        List<OrderTerm> terms = new ArrayList<>();
        for (Field field : by) {
            terms.add(plan.rows().order().stream()
                    .filter(term -> term.relation().isEmpty() && term.field().equals(field))
                    .findFirst()
                    .orElseGet(() -> new OrderTerm(Optional.empty(), field, Optional.empty(), Optional.empty())));
        }
        plan.rows().order().stream().filter(term -> !terms.contains(term)).forEach(terms::add);
        return terms;
    }
}
