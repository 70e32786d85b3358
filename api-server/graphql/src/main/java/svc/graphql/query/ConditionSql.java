package svc.graphql.query;

import java.util.List;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.Condition;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.FilterOperator;
import svc.graphql.schema.ScalarType;

/**
 * Writes conditions. A value is an untyped bind, which PostgreSQL reads as the column's type; operators are found along the
 * search path, so that those of extensions and of the tenant's types work.
 */
final class ConditionSql {
    private final QueryWriter out;
    private final SourceSql sources;
    private final Entity entity;
    private final RowAlias row;

    /** @param entity that of the row */
    ConditionSql(QueryWriter out, SourceSql sources, Entity entity, RowAlias row) {
        this.out = out;
        this.sources = sources;
        this.entity = entity;
        this.row = row;
    }

    static boolean isEmpty(Condition condition) {
        return condition instanceof Condition.All all && all.parts().isEmpty();
    }

    void write(Condition condition) {
        switch (condition) {
            case Condition.All all when all.parts().isEmpty() -> out.sql("true");
            case Condition.All all -> list(all.parts(), true);
            case Condition.Any any -> list(any.parts(), false);
            case Condition.Not not -> {
                out.sql("NOT (");
                write(not.part());
                out.sql(")");
            }
            case Condition.Compare compare -> compare(compare);
            case Condition.In in -> {
                compared(in.column());
                out.value(row.column(in.column().column()))
                        .sql(" = ANY (")
                        .bind(in.values())
                        .sql(")");
            }
            case Condition.IsNull is ->
                out.value(row.column(is.column().column())).sql(is.isNull() ? " IS NULL" : " IS NOT NULL");
            case Condition.Related related -> related(related);
            case Condition.JsonPath path -> path(path);
            case Condition.Unknown unused -> out.sql("NULL::pg_catalog.bool");
        }
    }

    private void compared(EntityColumn column) {
        sources.types().compared(entity.table().id(), column.column().name());
    }

    private void related(Condition.Related related) {
        RowAlias other = RowAlias.of(sources.next());
        out.sql(related.quantifier() == Condition.Quantifier.SOME ? "EXISTS (SELECT 1" : "NOT EXISTS (SELECT 1");
        sources.join(related.target(), related.columns(), row, other);
        out.sql(" AND (");
        new ConditionSql(out, sources, related.target(), other).write(related.inner());
        out.sql(related.quantifier() == Condition.Quantifier.EVERY ? ") IS NOT TRUE)" : "))");
    }

    /** The last argument makes what does not fit the path false instead of an error, as the operators do. */
    private void path(Condition.JsonPath path) {
        out.sql(path.matches() ? "pg_catalog.jsonb_path_match(" : "pg_catalog.jsonb_path_exists(");
        json(path.column());
        out.sql(",")
                .bind(path.path())
                .sql("::pg_catalog.jsonpath,")
                .bind(path.variables().orElse("{}"))
                .sql("::pg_catalog.jsonb,true)");
    }

    private void json(EntityColumn column) {
        out.value(row.column(column.column())).sql("::pg_catalog.jsonb");
    }

    private void compareJson(Condition.Compare compare) {
        if (compare.operator() == FilterOperator.HAS_KEY) {
            out.sql("pg_catalog.jsonb_exists(");
            json(compare.column());
            out.sql(",").bind(compare.value()).sql(")");
            return;
        }
        json(compare.column());
        out.sql(
                        compare.operator() == FilterOperator.CONTAINS
                                ? " OPERATOR(pg_catalog.@>) "
                                : " OPERATOR(pg_catalog.<@) ")
                .bind(compare.value())
                .sql("::pg_catalog.jsonb");
    }

    private void list(List<Condition> parts, boolean all) {
        out.sql("(");
        for (int i = 0; i < parts.size(); i++) {
            if (i > 0) {
                out.sql(all ? " AND " : " OR ");
            }
            write(parts.get(i));
        }
        out.sql(")");
    }

    private void compare(Condition.Compare compare) {
        compared(compare.column());
        if (compare.column().type().is(ScalarType.JSON)) {
            compareJson(compare);
            return;
        }
        if (compare.operator() == FilterOperator.STARTS_WITH) {
            out.sql("pg_catalog.starts_with(")
                    .value(row.column(compare.column().column()))
                    .sql("::pg_catalog.text,")
                    .bind(compare.value())
                    .sql(")");
            return;
        }
        out.value(row.column(compare.column().column()));
        switch (compare.operator()) {
            case EQ -> out.sql(" = ");
            case NEQ -> out.sql(" <> ");
            case GT -> out.sql(" > ");
            case GTE -> out.sql(" >= ");
            case LT -> out.sql(" < ");
            case LTE -> out.sql(" <= ");
            case LIKE -> out.sql(" LIKE ");
            case ILIKE -> out.sql(" ILIKE ");
            case REGEX -> out.sql(" ~ ");
            case IREGEX -> out.sql(" ~* ");
            case CONTAINS -> out.sql(" @> ");
            case CONTAINED_BY -> out.sql(" <@ ");
            case OVERLAPS -> out.sql(" && ");
            case IN, IS, STARTS_WITH, HAS_KEY, PATH_EXISTS, PATH_MATCHES ->
                throw new IllegalArgumentException("not an infix operator");
        }
        out.bind(compare.value());
    }
}
