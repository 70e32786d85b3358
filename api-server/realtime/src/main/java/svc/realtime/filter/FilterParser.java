package svc.realtime.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    private static final String OPERATORS = Stream.of(FilterOperator.values())
            .map(operator -> operator.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining("|", "(", ")"));
    private static final Pattern START = Pattern.compile("\\s*([^=,]{1,256}?)\\s*=(not\\.)?" + OPERATORS + "\\.");

    private FilterParser() {}

    /** The conditions, all of which must hold; empty when the text is no filter. */
    public static Optional<List<Condition>> parse(String filter) {
        if (filter.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        List<Condition> conditions = new ArrayList<>();
        Matcher start = START.matcher(filter);
        int at = 0;
        while (at < filter.length()) {
            start.region(at, filter.length());
            if (!start.lookingAt() || conditions.size() == MAX_CONDITIONS) {
                return Optional.empty();
            }
            var reader = new ValueReader(filter, start.end());
            FilterOperator operator = FilterOperator.of(start.group(3)).orElseThrow();
            Optional<List<String>> values = operator == FilterOperator.IN
                    ? reader.list()
                    : reader.value(START).map(List::of);
            if (values.isEmpty() || !isValid(operator, values.get()) || !reader.atEndOfCondition()) {
                return Optional.empty();
            }
            conditions.add(new Condition(start.group(1), start.group(2) != null, operator, values.get()));
            at = reader.position() + 1;
        }
        return conditions.isEmpty() || filter.endsWith(",") ? Optional.empty() : Optional.of(conditions);
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

        Optional<String> value(Pattern next) {
            if (at < text.length() && text.charAt(at) == '"') {
                return quoted();
            }
            Matcher following = next.matcher(text);
            int end = at;
            while (end < text.length() && !(text.charAt(end) == ',' && begins(following, end + 1))) {
                end++;
            }
            String value = text.substring(at, end);
            at = end;
            return Optional.of(value);
        }

        private boolean begins(Matcher following, int from) {
            return following.region(from, text.length()).lookingAt();
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
