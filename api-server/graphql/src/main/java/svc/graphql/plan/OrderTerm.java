package svc.graphql.plan;

import svc.graphql.schema.EntityColumn;

/** One column of an order. */
public record OrderTerm(EntityColumn column, boolean descending, boolean nullsFirst) {
    /** Whether a null may stand in the column. */
    public boolean nullable() {
        return column.column().nullable();
    }
}
