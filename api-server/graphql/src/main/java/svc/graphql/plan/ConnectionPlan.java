package svc.graphql.plan;

import java.util.List;
import svc.catalog.Relationship.ColumnPair;
import svc.graphql.schema.EntityColumn;

/**
 * A collection and what is selected of it.
 *
 * @param columns pairs of a column of the surrounding row and one of the collection's; empty if it depends on none
 * @param distinct columns of which each combination of values has one row, the first in the order; empty for all rows
 * @param order begins with the distinct columns and ends with the key, so that it is total
 */
public record ConnectionPlan(
        RowSource source,
        List<ColumnPair> columns,
        Condition filter,
        List<EntityColumn> distinct,
        List<OrderTerm> order,
        Page page,
        List<Output> outputs) {
    public ConnectionPlan {
        columns = List.copyOf(columns);
        distinct = List.copyOf(distinct);
        order = List.copyOf(order);
        outputs = List.copyOf(outputs);
    }

    /** A field of the connection. */
    public sealed interface Output {
        String key();

        record Typename(String key, String name) implements Output {}

        record Edges(String key, List<EdgeOutput> outputs) implements Output {}

        record PageInfo(String key, List<PageInfoOutput> outputs) implements Output {}

        record TotalCount(String key) implements Output {}

        record Aggregate(String key, List<AggregateOutput> outputs) implements Output {}
    }

    /** A field of an edge. */
    public sealed interface EdgeOutput {
        String key();

        record Typename(String key, String name) implements EdgeOutput {}

        record Cursor(String key) implements EdgeOutput {}

        record Node(String key, RowPlan row) implements EdgeOutput {}
    }

    /** A field of the page info. */
    public record PageInfoOutput(String key, Kind kind) {
        /** Which one. */
        public enum Kind {
            HAS_NEXT_PAGE,
            HAS_PREVIOUS_PAGE,
            START_CURSOR,
            END_CURSOR,
            TYPENAME
        }
    }

    /** A field of the aggregates. */
    public sealed interface AggregateOutput {
        String key();

        record Typename(String key, String name) implements AggregateOutput {}

        record Count(String key) implements AggregateOutput {}

        record Values(String key, Function function, String typeName, List<AggregateValue> values)
                implements AggregateOutput {}
    }

    /** A field of one aggregate function. */
    public sealed interface AggregateValue {
        String key();

        record Typename(String key) implements AggregateValue {}

        record OfColumn(String key, EntityColumn column) implements AggregateValue {}
    }

    /** An aggregate function. */
    public enum Function {
        SUM("Sum"),
        AVG("Avg"),
        MIN("Min"),
        MAX("Max");

        private final String title;

        Function(String title) {
            this.title = title;
        }

        /** {@code AccountSumAggregateResult}. */
        public String typeName(String entity) {
            return entity + title + "AggregateResult";
        }
    }
}
