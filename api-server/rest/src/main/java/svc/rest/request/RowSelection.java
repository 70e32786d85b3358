package svc.rest.request;

import java.util.List;
import java.util.Optional;

/**
 * Filters, order and range of one relation: that of the path or an embedded one.
 *
 * @param having filter on groups; its fields are names of aggregates in the response
 * @param distinct removes duplicate rows. PostgREST has neither this nor {@code having}
 */
public record RowSelection(
        Condition where, Condition having, List<OrderTerm> order, RowRange range, Optional<Distinct> distinct) {
    /** All rows, unordered. */
    public static final RowSelection ALL =
            new RowSelection(Condition.ALWAYS, Condition.ALWAYS, List.of(), RowRange.ALL, Optional.empty());

    public RowSelection {
        order = List.copyOf(order);
    }

    /**
     * Merges the parameters of a relation that is addressed under two names; {@code other} overrides order, range and
     * distinct.
     */
    public RowSelection and(RowSelection other) {
        return new RowSelection(
                where.and(other.where),
                having.and(other.having),
                other.order.isEmpty() ? order : other.order,
                other.range.isAll() ? range : other.range,
                other.distinct.or(() -> distinct));
    }

    public RowSelection withRange(RowRange other) {
        return new RowSelection(where, having, order, other, distinct);
    }

    /**
     * DISTINCT or DISTINCT ON.
     *
     * @param by the fields of DISTINCT ON; empty for all selected ones
     */
    public record Distinct(List<Field> by) {
        static final String WORD = "distinct";

        public Distinct {
            by = List.copyOf(by);
        }

        static Distinct read(String text) {
            return new Distinct(text.isEmpty() || text.equals("true") ? List.of() : fields(text));
        }

        private static List<Field> fields(String text) {
            return OrderTerm.readAll(text).stream().map(OrderTerm::field).toList();
        }
    }
}
