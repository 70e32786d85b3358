package svc.realtime.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.realtime.message.TextCursor;

/**
 * Parses filters: {@code column=operator.value}, several joined by commas. A value with a comma is quoted, with a backslash
 * before a quote or a backslash inside; a comma after which no condition begins belongs to the value, as it did before
 * filters could be joined.
 */
public final class FilterParser {
    private static final int MAX_LENGTH = 16 << 10;
    private static final int MAX_CONDITIONS = 32;
    private static final int MAX_LIST = 100;
    private static final Set<String> IS_VALUES = Set.of("null", "true", "false", "unknown");

    private static final int MAX_COLUMN = 256;
    private static final String BLANKS = " \t\n\u000b\f\r";
    private static final String LOWER_CASE = "abcdefghijklmnopqrstuvwxyz";

    private FilterParser() {}

    /** The conditions, all of which must hold; empty when the text is no filter. */
    public static Optional<List<Condition>> parse(String filter) {
        if (filter.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        List<Condition> conditions = new ArrayList<>();
        int at = 0;
        while (at < filter.length()) {
            Optional<Beginning> beginning = Beginning.at(filter, at);
            if (beginning.isEmpty() || conditions.size() == MAX_CONDITIONS) {
                return Optional.empty();
            }
            FilterOperator operator = beginning.get().operator();
            var reader = new ValueReader(filter, beginning.get().end());
            Optional<List<String>> values = operator == FilterOperator.IN
                    ? reader.list()
                    : reader.value().map(List::of);
            if (values.isEmpty() || !isValid(operator, values.get()) || !reader.atEndOfCondition()) {
                return Optional.empty();
            }
            conditions.add(
                    new Condition(beginning.get().column(), beginning.get().negated(), operator, values.get()));
            at = reader.position() + 1;
        }
        return conditions.isEmpty() || filter.endsWith(",") ? Optional.empty() : Optional.of(conditions);
    }

    /**
     * {@code column=[not.]operator.}, what a condition begins with.
     *
     * @param end of it, where the value begins
     */
    private record Beginning(String column, boolean negated, FilterOperator operator, int end) {
        /** Reads up to the next comma or equals sign at most, so that all attempts together read a text once. */
        static Optional<Beginning> at(String text, int from) {
            int equals = from;
            while (equals < text.length() && text.charAt(equals) != '=' && text.charAt(equals) != ',') {
                equals++;
            }
            if (equals == text.length() || text.charAt(equals) == ',') {
                return Optional.empty();
            }
            String column = withoutBlanks(text, from, equals);
            var cursor = new TextCursor(text, equals + 1);
            boolean negated = cursor.takeWord("not.");
            int name = cursor.position();
            cursor.takeAll(LOWER_CASE);
            Optional<FilterOperator> operator = FilterOperator.of(cursor.since(name));
            return column.isEmpty() || column.length() > MAX_COLUMN || operator.isEmpty() || !cursor.take(".")
                    ? Optional.empty()
                    : Optional.of(new Beginning(column, negated, operator.get(), cursor.position()));
        }

        private static String withoutBlanks(String text, int from, int to) {
            int first = from;
            int last = to;
            while (first < last && BLANKS.indexOf(text.charAt(first)) >= 0) {
                first++;
            }
            while (last > first && BLANKS.indexOf(text.charAt(last - 1)) >= 0) {
                last--;
            }
            return text.substring(first, last);
        }
    }

    private static boolean isValid(FilterOperator operator, List<String> values) {
        return switch (operator) {
            case IS -> IS_VALUES.contains(values.getFirst());
            case IN -> !values.isEmpty() && values.size() <= MAX_LIST;
            default -> true;
        };
    }

    /** Reads the value of a condition. */
    private static final class ValueReader {
        private final String text;
        private int at;

        ValueReader(String text, int at) {
            this.text = text;
            this.at = at;
        }

        int position() {
            return at;
        }

        boolean atEndOfCondition() {
            return at >= text.length() || text.charAt(at) == ',';
        }

        Optional<String> value() {
            if (at < text.length() && text.charAt(at) == '"') {
                return quoted();
            }
            int end = at;
            while (end < text.length()
                    && !(text.charAt(end) == ',' && Beginning.at(text, end + 1).isPresent())) {
                end++;
            }
            String value = text.substring(at, end);
            at = end;
            return Optional.of(value);
        }

        Optional<List<String>> list() {
            if (at >= text.length() || text.charAt(at) != '(') {
                return Optional.empty();
            }
            at++;
            List<String> values = new ArrayList<>();
            while (at < text.length()) {
                Optional<String> value = text.charAt(at) == '"' ? quoted() : Optional.of(bare());
                if (value.isEmpty() || at >= text.length()) {
                    return Optional.empty();
                }
                values.add(value.get());
                char after = text.charAt(at++);
                if (after == ')') {
                    return Optional.of(values);
                }
                if (after != ',') {
                    return Optional.empty();
                }
            }
            return Optional.empty();
        }

        private String bare() {
            int end = at;
            while (end < text.length() && text.charAt(end) != ',' && text.charAt(end) != ')') {
                end++;
            }
            String value = text.substring(at, end).strip();
            at = end;
            return value;
        }

        private Optional<String> quoted() {
            var value = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == '"') {
                    at++;
                    return Optional.of(value.toString());
                }
                if (c == '\\' && at + 1 < text.length()) {
                    at++;
                }
                value.append(text.charAt(at));
            }
            return Optional.empty();
        }
    }
}
