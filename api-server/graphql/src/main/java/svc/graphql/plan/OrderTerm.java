package svc.graphql.plan;

import java.util.List;
import svc.catalog.Relationship.ColumnPair;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;

/**
 * One column of an order.
 *
 * @param path from the row to the one with the column, each step to one row; empty for a column of the row itself
 */
public record OrderTerm(List<Step> path, EntityColumn column, boolean descending, boolean nullsFirst) {
    public OrderTerm {
        path = List.copyOf(path);
    }

    /** @param columns pairs of a column of the row and one of the target */
    public record Step(Entity target, List<ColumnPair> columns) {}

    /** Whether there may be a null. */
    public boolean nullable() {
        return !path.isEmpty() || column.column().nullable();
    }

    /** Whether it is that column of the row itself. */
    boolean isOf(EntityColumn other) {
        return path.isEmpty() && column.equals(other);
    }
}
