package svc.graphql.query;

import java.util.List;
import java.util.stream.IntStream;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.OrderTerm;
import svc.graphql.plan.Page.Cursor;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;

/** Writes orders, cursors, and the condition that a row lies beyond a cursor. */
final class OrderSql {
    private final QueryWriter out;
    private final SourceSql sources;
    private final Entity entity;
    private final List<OrderTerm> terms;
    private final boolean backward;

    /**
     * @param entity that of the ordered rows
     * @param backward whether rows are read against the order
     */
    OrderSql(QueryWriter out, SourceSql sources, Entity entity, List<OrderTerm> terms, boolean backward) {
        this.out = out;
        this.sources = sources;
        this.entity = entity;
        this.terms = terms;
        this.backward = backward;
    }

    void orderBy(RowAlias row) {
        out.sql(" ORDER BY ").each(terms, ",", term -> {
            boolean descending = descending(term);
            value(row, term);
            out.sql(descending ? " DESC" : "");
            // PostgreSQL's own place of nulls is left unsaid, so that an index serves the order.
            if (term.nullable() && nullsFirst(term) != descending) {
                out.sql(nullsFirst(term) ? " NULLS FIRST" : " NULLS LAST");
            }
        });
    }

    /** A row's cursor: base64 of the JSON array of the order's values. */
    void cursor(RowAlias row) {
        out.sql("pg_catalog.translate(pg_catalog.encode(pg_catalog.convert_to(pg_catalog.jsonb_build_array(")
                .each(terms, ",", term -> value(row, term))
                .sql(")::pg_catalog.text,'UTF8'),'base64'),E'\\n','')");
    }

    /** Whether the row follows the cursor in the direction of reading. */
    void beyond(RowAlias row, Cursor cursor) {
        terms.forEach(this::compared);
        if (isUniform(cursor)) {
            out.sql("(").each(terms, ",", term -> value(row, term));
            out.sql(descending(terms.getFirst()) ? ") < (" : ") > (")
                    .each(cursor.values(), ",", out::bind)
                    .sql(")");
            return;
        }
        out.sql("(").each(IntStream.range(0, terms.size()).boxed().toList(), " OR ", last -> {
            out.sql("(");
            for (int i = 0; i < last; i++) {
                equal(row, terms.get(i), cursor.values().get(i));
                out.sql(" AND ");
            }
            beyond(row, terms.get(last), cursor.values().get(last));
            out.sql(")");
        });
        out.sql(")");
    }

    private void compared(OrderTerm term) {
        Entity of = term.path().isEmpty() ? entity : term.path().getLast().target();
        sources.types().compared(of.table().id(), term.column().column().name());
    }

    /** Whether one comparison of rows says the same, which an index serves. */
    private boolean isUniform(Cursor cursor) {
        return terms.stream().noneMatch(OrderTerm::nullable)
                && terms.stream().map(this::descending).distinct().count() == 1
                && cursor.values().stream().allMatch(value -> value != null);
    }

    private void equal(RowAlias row, OrderTerm term, String value) {
        value(row, term);
        if (value == null) {
            out.sql(" IS NULL");
        } else {
            out.sql(" = ").bind(value);
        }
    }

    private void beyond(RowAlias row, OrderTerm term, String value) {
        if (value == null) {
            if (nullsFirst(term)) {
                value(row, term);
                out.sql(" IS NOT NULL");
            } else {
                out.sql("false");
            }
            return;
        }
        out.sql("(");
        value(row, term);
        out.sql(descending(term) ? " < " : " > ").bind(value);
        if (term.nullable() && !nullsFirst(term)) {
            out.sql(" OR ");
            value(row, term);
            out.sql(" IS NULL");
        }
        out.sql(")");
    }

    /** The column of the row, or a subquery for that of the row at the end of the path. */
    private void value(RowAlias row, OrderTerm term) {
        value(row, term.path(), term.column());
    }

    private void value(RowAlias row, List<OrderTerm.Step> path, EntityColumn column) {
        if (path.isEmpty()) {
            out.value(row.column(column.column()));
            return;
        }
        OrderTerm.Step step = path.getFirst();
        RowAlias other = RowAlias.of(sources.next());
        out.sql("(SELECT ");
        value(other, path.subList(1, path.size()), column);
        sources.join(step.target(), step.columns(), row, other);
        out.sql(" LIMIT 1)");
    }

    private boolean descending(OrderTerm term) {
        return term.descending() != backward;
    }

    private boolean nullsFirst(OrderTerm term) {
        return term.nullsFirst() != backward;
    }
}
