package svc.rest.request;

import java.util.List;
import java.util.Optional;

/**
 * Which rows of one relation are wanted, and in which order: of the one that the path names, or of an embedded one.
 *
 * @param having what a group must fulfil; its fields are names that aggregates have in the answer
 * @param distinct whether rows that are alike are one. This and {@code having} are not a part of PostgREST
 */
public record RowSelection(
        Condition where, Condition having, List<OrderTerm> order, RowRange range, Optional<Distinct> distinct) {
    /** All rows as they come. */
    public static final RowSelection ALL =
            new RowSelection(Condition.ALWAYS, Condition.ALWAYS, List.of(), RowRange.ALL, Optional.empty());

    public RowSelection {
        order = List.copyOf(order);
    }

    /** Both, where the same relation was addressed under two names; what can only be said once, as the other says it. */
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
     * When two rows are alike.
     *
     * @param by equal in these; in everything that is selected when empty
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
