package svc.graphql.query;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.ConnectionPlan;
import svc.graphql.plan.ConnectionPlan.EdgeOutput;
import svc.graphql.plan.ConnectionPlan.Output;
import svc.graphql.plan.ConnectionPlan.PageInfoOutput;
import svc.graphql.plan.Page;
import svc.graphql.plan.RowSource;
import svc.graphql.schema.EntityColumn;

/**
 * Writes a collection as a scalar subquery: the page's rows in the innermost SELECT, each with its cursor and its nodes as
 * JSON, numbered where the answer needs to know the first, the last or whether there are more, then one aggregate.
 */
final class ConnectionSql {
    private static final Identifier PAGE = Identifier.of("p");
    private static final Identifier CALLED = Identifier.of("called");

    private final QueryWriter out;
    private final SourceSql sources;
    private final RowSql rows;
    private final JsonObjectSql objects;

    ConnectionSql(QueryWriter out, SourceSql sources, RowSql rows) {
        this.out = out;
        this.sources = sources;
        this.rows = rows;
        this.objects = new JsonObjectSql(out);
    }

    /** @param parent the surrounding row; empty for root fields */
    void write(ConnectionPlan plan, Optional<RowAlias> parent) {
        out.sql("(");
        if (plan.source() instanceof RowSource.Called called) {
            // Called once, however often the rows are read: it may be volatile.
            out.sql("WITH ").value(CALLED).sql(" AS MATERIALIZED (SELECT * FROM ");
            sources.call(called.call());
            out.sql(") ");
        }
        new Writing(plan, parent).write();
        out.sql(")");
    }

    /** One collection. */
    private final class Writing {
        private final ConnectionPlan plan;
        private final Optional<RowAlias> parent;
        private final Page page;
        private final OrderSql order;
        private final PageDemand demand;

        Writing(ConnectionPlan plan, Optional<RowAlias> parent) {
            this.plan = plan;
            this.parent = parent;
            this.page = plan.page();
            this.order = new OrderSql(out, sources, plan.source().entity(), plan.order(), page.backward());
            this.demand = PageDemand.of(plan);
        }

        void write() {
            out.sql("SELECT ");
            objects.write(plan.outputs(), Output::key, this::output);
            if (demand.rows()) {
                out.sql(
                        demand.numbered()
                                ? " FROM (SELECT pg_catalog.row_number() OVER () AS rn,q.* FROM ("
                                : " FROM (");
                pageRows();
                out.sql(demand.numbered() ? ") q) " : ") ").value(PAGE);
            }
        }

        private void pageRows() {
            RowAlias row = alias();
            out.sql("SELECT 1 AS x");
            if (demand.cursors()) {
                out.sql(",");
                order.cursor(row);
                out.sql(" AS c");
            }
            for (int i = 0; i < demand.nodes().size(); i++) {
                out.sql(",");
                rows.row(demand.nodes().get(i).row(), row);
                out.sql(" AS ").value(node(i));
            }
            from(row);
            where(row, page.cursor().map(cursor -> () -> order.beyond(row, cursor)));
            order.orderBy(row);
            out.sql(" LIMIT ").value(Literal.of(page.limit() + (demand.oneMore() ? 1 : 0)));
            if (page.offset() > 0) {
                out.sql(" OFFSET ").value(Literal.of(page.offset()));
            }
        }

        private static Identifier node(int number) {
            return Identifier.of("n" + number);
        }

        private RowAlias alias() {
            return plan.source() instanceof RowSource.Called called
                    ? new RowAlias(
                            sources.next(), Optional.of(called.entity().table().id()))
                    : RowAlias.of(sources.next());
        }

        private void from(RowAlias row) {
            if (plan.source() instanceof RowSource.Called) {
                out.sql(" FROM ").value(CALLED).sql(" AS ").value(row.name());
            } else {
                sources.from(plan.source(), parent, row);
            }
        }

        private void where(RowAlias row, Optional<Runnable> further) {
            if (plan.distinct().isEmpty()) {
                sources.where(plan.source(), parent, row, plan.columns(), plan.filter(), further);
                return;
            }
            out.sql(" WHERE ");
            firstOfEach(row);
            further.ifPresent(writing -> {
                out.sql(" AND ");
                writing.run();
            });
        }

        /** Whether a row is the first of those with its values in the distinct columns, whatever the page. */
        private void firstOfEach(RowAlias row) {
            List<EntityColumn> key = plan.source().entity().key();
            RowAlias first = alias();
            out.sql("(")
                    .each(key, ",", column -> out.value(row.column(column.column())))
                    .sql(") IN (SELECT ")
                    .each(
                            IntStream.range(0, key.size()).boxed().toList(),
                            ",",
                            i -> out.sql("d.").value(distinctKey(i)))
                    .sql(" FROM (SELECT DISTINCT ON (")
                    .each(plan.distinct(), ",", column -> out.value(first.column(column.column())))
                    .sql(") ")
                    .each(
                            IntStream.range(0, key.size()).boxed().toList(),
                            ",",
                            i -> out.value(first.column(key.get(i).column()))
                                    .sql(" AS ")
                                    .value(distinctKey(i)));
            from(first);
            sources.where(plan.source(), parent, first, plan.columns(), plan.filter(), Optional.empty());
            new OrderSql(out, sources, plan.source().entity(), plan.order(), false).orderBy(first);
            out.sql(") d)");
        }

        private static Identifier distinctKey(int number) {
            return Identifier.of("k" + number);
        }

        private void output(Output output) {
            switch (output) {
                case Output.Typename typename -> objects.name(typename.name());
                case Output.Edges edges -> edges(edges);
                case Output.PageInfo info ->
                    objects.write(info.outputs(), PageInfoOutput::key, one -> pageInfo(one.kind()));
                case Output.TotalCount unused -> {
                    out.sql("(SELECT pg_catalog.count(*)::pg_catalog.text");
                    allRows(alias());
                    out.sql(")");
                }
                case Output.Aggregate aggregate -> {
                    RowAlias row = alias();
                    out.sql("(SELECT ");
                    new AggregateSql(out, row).write(aggregate.outputs());
                    allRows(row);
                    out.sql(")");
                }
            }
        }

        /** All rows of the filter, whatever the page. */
        private void allRows(RowAlias row) {
            from(row);
            where(row, Optional.empty());
        }

        private void edges(Output.Edges edges) {
            objects.array(
                    () -> objects.write(edges.outputs(), EdgeOutput::key, this::edge),
                    () -> {
                        if (demand.numbered()) {
                            out.sql(page.backward() ? " ORDER BY p.rn DESC" : " ORDER BY p.rn");
                        }
                    },
                    this::ofPage);
        }

        /** Leaves the row behind the page out of an aggregate. */
        private void ofPage() {
            if (demand.oneMore()) {
                out.sql(" FILTER (WHERE p.rn <= ")
                        .value(Literal.of(page.limit()))
                        .sql(")");
            }
        }

        private void edge(EdgeOutput edge) {
            switch (edge) {
                case EdgeOutput.Typename typename -> objects.name(typename.name());
                case EdgeOutput.Cursor unused -> out.sql("pg_catalog.to_json(p.c)::pg_catalog.text");
                case EdgeOutput.Node node ->
                    out.value(PAGE.dot(node(demand.nodes().indexOf(node))));
            }
        }

        private void pageInfo(PageInfoOutput.Kind kind) {
            out.sql("pg_catalog.to_json(");
            pageValue(kind);
            out.sql(")::pg_catalog.text");
        }

        private void pageValue(PageInfoOutput.Kind kind) {
            switch (kind) {
                case TYPENAME -> out.sql("'PageInfo'::pg_catalog.text");
                case HAS_NEXT_PAGE -> {
                    if (page.backward()) {
                        behind();
                    } else {
                        ahead();
                    }
                }
                case HAS_PREVIOUS_PAGE -> {
                    if (page.backward()) {
                        ahead();
                    } else {
                        behind();
                    }
                }
                case START_CURSOR -> endCursor(page.backward());
                case END_CURSOR -> endCursor(!page.backward());
            }
        }

        /** Whether rows follow in the direction of reading. */
        private void ahead() {
            out.sql("pg_catalog.count(*) > ").value(Literal.of(page.limit()));
        }

        /** Whether rows lie between the beginning of the order and the page; an empty page has none. */
        private void behind() {
            if (page.cursor().isEmpty() && page.offset() == 0) {
                out.sql("false");
                return;
            }
            out.sql("pg_catalog.count(*) > 0");
            if (page.offset() > 0) {
                return;
            }
            RowAlias row = alias();
            out.sql(" AND EXISTS (SELECT 1");
            from(row);
            where(row, page.cursor().map(cursor -> () -> {
                order.beyond(row, cursor);
                out.sql(" IS NOT TRUE");
            }));
            out.sql(")");
        }

        /** @param last of the rows as they were read, otherwise the first */
        private void endCursor(boolean last) {
            if (last) {
                out.sql("(pg_catalog.array_agg(p.c ORDER BY p.rn DESC)");
                ofPage();
                out.sql(")[1]");
            } else {
                out.sql("pg_catalog.max(p.c) FILTER (WHERE p.rn = 1)");
            }
        }
    }
}
