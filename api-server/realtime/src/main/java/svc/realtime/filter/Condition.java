package svc.realtime.filter;

import java.util.List;

/**
 * One condition of a filter.
 *
 * @param values one, but for {@code in}
 */
public record Condition(String column, boolean negated, FilterOperator operator, List<String> values) {
    public Condition {
        values = List.copyOf(values);
    }
}
