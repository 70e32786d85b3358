package svc.rest.query;

import java.util.ArrayList;
import java.util.List;
import svc.catalog.Relationship;
import svc.catalog.Relationship.Cardinality;
import svc.catalog.Relationship.ColumnPair;
import svc.catalog.Relationship.Detected;
import svc.catalog.Relationship.Junction;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.database.sql.SqlFragment;
import svc.rest.plan.Embedding;
import svc.rest.plan.Target;
import svc.rest.request.Field;
import svc.rest.request.RowRange;

/**
 * An embedded resource as SQL within its parent relation. Values are jsonb, as in PostgREST: clients see its key order, and
 * rows can be grouped by it.
 */
final class EmbeddingSql {
    /** Used with an asterisk for the whole row: alone it could be a column of that name. */
    private static final SqlFragment ROW = SqlFragment.of("pgrst_row");

    private static final RowRange ONE = RowRange.ALL.atMost(1);

    private final QueryWriter out;
    private final Target parent;
    private final Embedding embedding;

    EmbeddingSql(QueryWriter out, Target parent, Embedding embedding) {
        this.out = out;
        this.parent = parent;
        this.embedding = embedding;
    }

    /** The resource as one value: an object, null, or an array. */
    void value() {
        if (embedding.shape() == Embedding.Shape.OBJECT) {
            out.sql("(SELECT pg_catalog.to_jsonb(").value(ROW).sql(".*) FROM (");
            // More than one row is only possible for a view or a function that violates the declared cardinality.
            RowRange range = embedding.read().rows().range();
            read().rows(range.isAll() ? ONE : range.atMost(1));
            out.sql(") ").value(ROW).sql(")");
        } else {
            out.sql("COALESCE((SELECT pg_catalog.jsonb_agg(").value(ROW).sql(".*) FROM (");
            read().rows();
            out.sql(") ").value(ROW).sql("),'[]')");
        }
    }

    /** The lateral join of a spread resource. */
    void join() {
        boolean object = embedding.shape() == Embedding.Shape.SPREAD_OBJECT;
        out.sql(object && embedding.inner() ? " JOIN LATERAL (" : " LEFT JOIN LATERAL (");
        if (object) {
            read().rows();
        } else {
            List<Identifier> columns = embedding.read().columnNames().stream()
                    .map(FieldSql::answerName)
                    .toList();
            out.sql("SELECT ")
                    .each(
                            columns,
                            ",",
                            column -> out.sql("COALESCE(pg_catalog.jsonb_agg(")
                                    .value(ROW)
                                    .sql(".")
                                    .value(column)
                                    .sql("),'[]') AS ")
                                    .value(column))
                    .sql(" FROM (");
            read().rows();
            out.sql(") ").value(ROW);
        }
        out.sql(") ").value(embedding.lateral()).sql(" ON true");
    }

    void exists() {
        read().exists();
    }

    /** The ORDER BY expression for a column of the resource. */
    void orderValue(Field field) {
        read().orderValue(field);
    }

    /** The parent row, as the argument of a computed relationship. */
    void parentRow() {
        out.value(parent.alias());
        if (parent.source() instanceof Target.Source.Rows) {
            out.sql(".").value(Target.Source.Rows.ROW);
        } else {
            out.sql(".*");
        }
    }

    /** The join with the junction. */
    void junction() {
        if (embedding.relationship() instanceof Detected detected
                && detected.cardinality() instanceof Cardinality.ManyToMany(Junction junction)) {
            out.sql(" JOIN ")
                    .value(junction.table().sql())
                    .sql(" AS ")
                    .value(embedding.junction())
                    .sql(" ON ")
                    .each(
                            junction.target(),
                            " AND ",
                            pair -> equal(
                                    embedding.read().target().alias(),
                                    pair.column(),
                                    embedding.junction(),
                                    pair.foreignColumn()));
        }
    }

    /** The conditions that join a row of the resource to the parent row. */
    List<Runnable> conditions() {
        List<Runnable> conditions = new ArrayList<>();
        if (embedding.relationship() instanceof Detected detected) {
            boolean through = detected.cardinality() instanceof Cardinality.ManyToMany;
            Identifier other =
                    through ? embedding.junction() : embedding.read().target().alias();
            for (ColumnPair pair : pairs(detected.cardinality())) {
                conditions.add(() -> equal(other, pair.foreignColumn(), parent.alias(), pair.column()));
            }
        }
        return conditions;
    }

    /** The parent's columns that a relationship joins by; none for a computed relationship. */
    static List<Identifier> joinColumns(Relationship relationship) {
        return relationship instanceof Detected detected
                ? pairs(detected.cardinality()).stream()
                        .map(pair -> Identifier.of(pair.column()))
                        .toList()
                : List.of();
    }

    private static List<ColumnPair> pairs(Cardinality cardinality) {
        return switch (cardinality) {
            case Cardinality.ManyToOne one -> one.columns();
            case Cardinality.OneToMany many -> many.columns();
            case Cardinality.OneToOne one -> one.columns();
            case Cardinality.ManyToMany(Junction junction) -> junction.source();
        };
    }

    private void equal(Identifier left, String leftColumn, Identifier right, String rightColumn) {
        out.value(left.dot(Identifier.of(leftColumn))).sql(" = ").value(right.dot(Identifier.of(rightColumn)));
    }

    private ReadSql read() {
        return new ReadSql(out, embedding.read(), this);
    }
}
